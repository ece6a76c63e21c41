// SPDX-License-Identifier: Apache-2.0
// The kernels of whole calls on dense operands, which run before the general checks and have their own.
#ifndef STREW_DETAIL_KERNELS_DENSE_KERNELS_HPP
#define STREW_DETAIL_KERNELS_DENSE_KERNELS_HPP

#include <strew/config.hpp>
#include <strew/detail/kernel_counter.hpp>
#include <strew/detail/kernels/bucket_loops.hpp>
#include <strew/detail/kernels/index_loops.hpp>
#include <strew/detail/kernels/multi_index_buckets.hpp>
#include <strew/detail/kernels/reduce_table.hpp>
#include <strew/detail/kernels/rows.hpp>
#include <strew/detail/kernels/scatter_loops.hpp>
#include <strew/detail/kernels/small_scatter.hpp>
#include <strew/detail/kernels/stream.hpp>
#include <strew/detail/kernels/validated_call.hpp>
#include <strew/detail/kernels/workspace_buckets.hpp>
#include <strew/detail/plan/bucket_plan.hpp>
#include <strew/detail/plan/dense_plan.hpp>
#include <strew/detail/plan/partition.hpp>
#include <strew/detail/rules/check_scatter.hpp>
#include <strew/detail/rules/request.hpp>
#include <strew/detail/tuning.hpp>
#include <strew/view/index_list.hpp>

#include <cstddef>
#include <cstdint>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// Whether a call in place on one thread has so few updates, behind no other axis, that they are copied or combined as
// they are; a plan of their loops takes longer than it saves.
STREW_NOINLINE inline bool has_few_rows_in_place(const execution_context& ctx, const erased::request& call) noexcept {
  const bool is_first = call.axis == nullptr || (is_single(*call.axis) && (*call.axis)[0] == 0);
  return is_first && call.data.data == call.output.data && !ctx.has_threads() &&
         call.indices[0].layout->size() <= tuning::limits().few_indices &&
         is_small_tensor(*call.updates.layout, call.type.element_size, tuning::limits().small_updates);
}

// A call whose operands may be dense. The kernels below decline, with nothing written, if a call of few indices has
// many rows, or if an index is illegal by the operator's rule: the general checks then report it, or the policy
// resolves it.
struct dense_call {
  const execution_context& ctx;
  const erased::request& call;
  const reachable_loops& reachable;
  // Set before a kernel runs; the second if several indices address a target together. References, so that the members
  // of this struct can be in registers.
  dense_plan& plan;
  multi_index_numbers& multi_indices;
  // Reads the rows or elements that all indices select, see workspace_buckets.hpp.
  const void* (*read)(const dense_call& d, std::int64_t count, std::int64_t* buffer) noexcept = nullptr;
  bool is_small =
      (is_small_problem(layouts_of(call), call.type.element_size, data() == nullptr) && ctx.runs_inline()) ||
      has_few_rows_in_place(ctx, call);

  [[nodiscard]] index_source index() const noexcept { return {call.indices[0].data, *call.indices[0].loops}; }
  // Null if the call is in place.
  [[nodiscard]] const char* data() const noexcept {
    return call.data.data == call.output.data ? nullptr : call.data.data;
  }
  [[nodiscard]] bool is_large() const noexcept {
    return dense_bytes(*call.output.layout, call.type.element_size) >= tuning::limits().bucketed_from;
  }
};

// The problem for buckets; rows are handled as elements of their width.
constexpr bucket_series series_of(const erased::request& call, const dense_plan& plan) noexcept {
  if (!call.type.rules.names_rows()) {
    return {{plan.extent, plan.inner, plan.count * plan.inner, plan.width}, plan.outer, false};
  }
  return {{plan.extent, 1, plan.count, plan.inner * plan.width}, plan.outer, true};
}

// ---- Plain scatters of rows or elements

template <bool HasLanes>
STREW_INLINE bool make_dense_plan(dense_call& d) noexcept {
  const erased::request& call = d.call;
  return plan_dense({HasLanes, call.type.rules.axis_may_exceed_data}, layouts_of(call), *call.axis,
                    {call.type.element_size, call.indices[0].loops->size}, d.plan) &&
         are_apart(d.plan, call.output.data, call.data.data, call.indices[0].data, call.updates.data);
}

struct small_scatter {
  static constexpr const char* name = "small";

  static bool pays(const dense_call& d) noexcept { return d.is_small; }
  static bool may(const dense_call& d) noexcept { return d.call.indices[0].loops->is_signed_loop_index; }
  STREW_INLINE static bool run(const dense_call& d) noexcept {
    return has_few_rows(d.plan) && d.reachable.scatter->run_small(d.plan, d.call.output.data, d.call.data.data,
                                                                  d.call.indices[0].data, d.call.updates.data);
  }
};

// Not inlined, so that small calls keep their variables in registers.
STREW_NOINLINE inline bool try_buckets(const execution_context& ctx, const erased::request& call,
                                       const scatter_loops& of_element, const dense_plan& plan) {
  const bucket_series series = series_of(call, plan);
  const scatter_loops* const loops = loops_for_rows(of_element, plan.width, series.problem.width);
  return loops != nullptr && loops->buckets != nullptr &&
         loops->buckets->scatter(ctx, series,
                                 {call.output.data,
                                  call.data.data == call.output.data ? nullptr : call.data.data,
                                  {call.indices[0].data, *call.indices[0].loops},
                                  call.updates.data},
                                 *loops->buckets);
}

struct bucketed_scatter {
  static constexpr const char* name = "buckets";

  static bool pays(const dense_call& d) noexcept { return d.is_large(); }
  static bool may(const dense_call& d) noexcept { return d.reachable.scatter->buckets != nullptr; }
  STREW_INLINE static bool run(const dense_call& d) { return try_buckets(d.ctx, d.call, *d.reachable.scatter, d.plan); }
};

// ---- Reductions, and scatters by multi-indices

// Makes the plan if one index addresses a target.
inline bool make_axis_plan(dense_call& d) noexcept {
  const erased::request& call = d.call;
  if (call.type.rules.by == addressing::numbers && call.output.layout->rank() != 1) return false;
  d.read = [](const dense_call& of, std::int64_t count, std::int64_t* buffer) noexcept {
    return read_rows(of.index(), 0, count, of.plan.extent, buffer);
  };
  const index_list first_axis(0);
  return plan_dense({!call.type.rules.names_rows(), call.type.rules.axis_may_exceed_data}, layouts_of(call),
                    call.axis != nullptr ? *call.axis : first_axis,
                    {call.type.element_size, call.indices[0].loops->size}, d.plan) &&
         are_apart(d.plan, call.output.data, call.data.data, call.indices[0].data, call.updates.data);
}

// Makes the plan for multi-indices that are equidistant in memory. Checks the shapes.
inline bool make_multi_index_plan(dense_call& d) noexcept {
  const erased::request& call = d.call;
  if (call.type.components == 0) return false;
  if (call.type.components == 1) return make_axis_plan(d);
  d.read = [](const dense_call& of, std::int64_t count, std::int64_t* buffer) noexcept {
    return read_rows(of.multi_indices, 0, count, of.plan.extent, buffer);
  };
  const scatter_layouts at = layouts_of(call);
  status unused;
  if (!at.data.is_row_major() || !at.output.is_row_major() || !at.updates.is_row_major() || at.output.empty() ||
      at.updates.empty() || call.type.components > at.output.rank() || !(at.data.extents() == at.output.extents()) ||
      !check_updates_extents(call.type.rules, at, {0, call.type.components}, unused)) {
    return false;
  }
  for (int j = 1; j < call.type.components; ++j) {
    if (!(call.indices[j].layout->extents() == at.indices.extents())) return false;
  }
  if (!find_multi_index_numbers(call, d.multi_indices)) return false;
  std::int64_t rows = 1;
  for (int j = 0; j < call.type.components; ++j) rows *= d.multi_indices.extent[j];
  const std::int64_t elements = at.output.size() / rows;
  d.plan = {1,
            rows,
            at.indices.size(),
            elements,
            call.type.element_size,
            at.output.size() * call.type.element_size,
            at.updates.size() * call.type.element_size,
            0};
  for (int j = 0; j < call.type.components; ++j) {
    const char* const first = d.multi_indices.lowest(j, at.indices.size());
    if (!are_apart(call.output.data, d.plan.output_bytes, first, d.multi_indices.bytes(j, at.indices.size())))
      return false;
  }
  return are_apart(d.plan, call.output.data, call.data.data, call.updates.data);
}

struct small_reduce {
  static constexpr const char* name = "small";
  static constexpr std::int64_t most_indices = tuning::positions / 2;

  static bool pays(const dense_call& d) noexcept { return d.is_small; }
  static bool may(const dense_call& d) noexcept {
    return d.reachable.reduce->grid == state_layout::none && d.call.indices[0].layout->size() <= most_indices;
  }
  static bool run(const dense_call& d) noexcept {
    STREW_RAN("small_reduce");
    const dense_plan& plan = d.plan;
    const reduce_loops& loops = *d.reachable.reduce;
    const bool has_lanes = !d.call.type.rules.names_rows();
    const std::int64_t row = plan.inner * plan.width;
    const std::int64_t count = d.call.indices[0].layout->size();
    std::int64_t offset[most_indices];
    const void* const targets = d.read(d, count, offset);
    if (targets == nullptr) return false;
    for (std::int64_t i = 0; i < count; ++i) {
      offset[i] = load<std::int64_t>(static_cast<const char*>(targets) + i * 8) * row;
    }
    char* const output = d.call.output.data;
    if (d.call.data.data != output) copy_small_data(output, d.call.data.data, plan.output_bytes);
    // Rows, of elements along the axes around if there are no others and more of these than updates; or lines of
    // elements: along the axis if there is no other one, otherwise across it.
    const bool is_across = has_lanes && plan.inner > 1;
    const bool is_around = !has_lanes && plan.inner == 1 && plan.outer > plan.count && !loops.keeps_order;
    if (is_around) STREW_RAN("small_reduce along the axes around");
    const std::int64_t block = plan.extent * row;
    const std::int64_t length = is_across ? plan.inner : plan.count;
    const row_run elements = is_around ? row_run{plan.outer, block, plan.count * row, 0, plan.width}
                                       : row_run{has_lanes ? 1 : plan.inner, plan.width, plan.width, 0, plan.width};
    const std::int64_t step = has_lanes ? plan.width : row;
    const std::int64_t outer = is_around ? 1 : plan.outer;
    const update_lines lines{is_across ? plan.count : outer, is_across ? 0 : block, length * step, 0,
                             has_lanes ? length : 0};
    update_run line{output,
                    is_across ? plan.width : 0,
                    d.call.updates.data,
                    step,
                    nullptr,
                    0,
                    offset,
                    nullptr,
                    nullptr,
                    length,
                    prefetched_elements(static_cast<std::uint64_t>(plan.output_bytes)),
                    &lines};
    const auto leaf = elements.extent == 1 ? loops.elements : loops.rows;
    for (std::int64_t o = is_across ? outer : 1;; line.to += block) {
      leaf(d.call.type.reduce, line, elements);
      if (--o == 0) return true;
      line.from += lines.count * lines.from;
      line.offset += lines.count * lines.offsets;
    }
  }
};

// ByTuples: whether several indices may address a target together.
template <bool ByTuples>
struct bucketed_reduce {
  static constexpr const char* name = "buckets";

  static bool pays(const dense_call& d) noexcept { return d.is_large(); }
  static bool may(const dense_call& d) noexcept { return d.reachable.reduce->buckets != nullptr; }
  static bool run(const dense_call& d) {
    const reduce_loops& loops = *d.reachable.reduce;
    const bucket_series series = series_of(d.call, d.plan);
    const bucket_loops* const buckets =
        d.plan.inner == 1 || !d.call.type.rules.names_rows() ? loops.buckets : loops.row_buckets;
    if (buckets == nullptr) return false;
    if constexpr (ByTuples) {
      if (d.call.type.components > 1) {
        return loops.multi_indices != nullptr &&
               loops.multi_indices(d.ctx, series, {d.call.output.data, d.data(), d.multi_indices, d.call.updates.data},
                                   *buckets);
      }
    }
    return buckets->scatter(d.ctx, series, {d.call.output.data, d.data(), d.index(), d.call.updates.data}, *buckets);
  }
};

}  // namespace strew::detail

#endif  // STREW_DETAIL_KERNELS_DENSE_KERNELS_HPP
