// SPDX-License-Identifier: Apache-2.0
// The tables of kernels of reductions and of scatters by multi-indices, each in the order in which kernels are tried,
// and their kernels of calls on dense operands.
#ifndef STREW_DETAIL_KERNELS_REDUCE_KERNELS_HPP
#define STREW_DETAIL_KERNELS_REDUCE_KERNELS_HPP

#include <strew/config.hpp>
#include <strew/detail/kernel_counter.hpp>
#include <strew/detail/kernels/bucket_loops.hpp>
#include <strew/detail/kernels/crossed_components.hpp>
#include <strew/detail/kernels/dense_call.hpp>
#include <strew/detail/kernels/index_loops.hpp>
#include <strew/detail/kernels/kernel_table.hpp>
#include <strew/detail/kernels/multi_index_buckets.hpp>
#include <strew/detail/kernels/private_copy.hpp>
#include <strew/detail/kernels/reduce.hpp>
#include <strew/detail/kernels/reduce_few.hpp>
#include <strew/detail/kernels/reduce_in_steps.hpp>
#include <strew/detail/kernels/reduce_table.hpp>
#include <strew/detail/kernels/scatter_part.hpp>
#include <strew/detail/kernels/small_scatter.hpp>
#include <strew/detail/kernels/stream.hpp>
#include <strew/detail/kernels/validated_call.hpp>
#include <strew/detail/kernels/workspace_buckets.hpp>
#include <strew/detail/plan/bucket_plan.hpp>
#include <strew/detail/plan/dense_plan.hpp>
#include <strew/detail/plan/scatter_plan.hpp>
#include <strew/detail/rules/check_scatter.hpp>
#include <strew/detail/rules/request.hpp>
#include <strew/detail/tuning.hpp>
#include <strew/view/index_list.hpp>

#include <cstdint>
#include <type_traits>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// A call on dense operands that is not plain.
struct dense_reduction : dense_call {
  struct plan_type : dense_plan {
    multi_index_numbers multi_indices;
  };

  dense_reduction(const execution_context& in, const erased::request& request, const reachable_loops& reached,
                  plan_type& made) noexcept
      : dense_call{in, request, reached, made}, multi_indices{made.multi_indices} {}

  multi_index_numbers& multi_indices;  // if several indices address a target together
  // Reads the rows or elements that all indices select, see workspace_buckets.hpp.
  const void* (*read)(const dense_reduction& d, std::int64_t count, std::int64_t* buffer) noexcept = nullptr;
};

// Makes the plan if one index addresses a target.
inline bool make_axis_plan(dense_reduction& d) noexcept {
  const erased::request& call = d.call;
  if (call.type.rules.by == addressing::numbers && call.output.layout->rank() != 1) return false;
  d.read = [](const dense_reduction& of, std::int64_t count, std::int64_t* buffer) noexcept {
    return read_rows(of.index(), 0, count, of.plan.extent, buffer);
  };
  const index_list first_axis(0);
  return plan_dense({!call.type.rules.names_rows(), call.type.rules.axis_may_exceed_data}, layouts_of(call),
                    call.axis != nullptr ? *call.axis : first_axis,
                    {call.type.element_size, call.indices[0].loops->size}, d.plan) &&
         are_apart(d.plan, call.output.data, call.data.data, call.indices[0].data, call.updates.data);
}

// Makes the plan for multi-indices that are equidistant in memory. Checks the shapes.
inline bool make_multi_index_plan(dense_reduction& d) noexcept {
  const erased::request& call = d.call;
  if (call.type.components == 0) return false;
  if (call.type.components == 1) return make_axis_plan(d);
  d.read = [](const dense_reduction& of, std::int64_t count, std::int64_t* buffer) noexcept {
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

  static bool pays(const dense_reduction& d) noexcept { return d.is_small; }
  static bool may(const dense_reduction& d) noexcept {
    return d.reachable.reduce->grid == state_layout::none && d.call.indices[0].layout->size() <= most_indices;
  }
  static bool run(const dense_reduction& d) noexcept {
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
    if (!d.call.is_in_place()) copy_small_data(output, d.call.data.data, plan.output_bytes);
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

  static bool pays(const dense_reduction& d) noexcept { return d.is_large(); }
  static bool may(const dense_reduction& d) noexcept {
    return d.reachable.reduce->buckets != nullptr && d.ctx.memory().bytes() > 0;
  }
  static bool run(const dense_reduction& d) {
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

// ---- Tables

// ByTuples: whether several indices may address a target together.
template <bool ByTuples>
using dense_reduce_kernels = kernel_table<small_reduce, bucketed_reduce<ByTuples>>;
using private_copies_first = kernel_table<private_copy>;
using reduce_kernels = kernel_table<reduce_in_tiles, one_after_the_other>;
using reduce_kernels_of_rows = kernel_table<one_after_the_other>;
using reduce_kernels_by_tuples = kernel_table<crossed_components, one_after_the_other>;
using reduce_kernels_with_states = kernel_table<reduce_in_steps, reduce_few, reduce_with_states>;
template <class Kernels>
using calls_that_reduce = kernel_table<scatter_in_parts<scatter_part, Kernels>>;

// The tables of kernels of reductions: of those with states, and of all others.
template <bool HasStates, bool HasLanes, bool ByTuples>
constexpr call_kernels make_reduce_kernels() noexcept {
  if constexpr (HasStates) {
    return {nullptr, run_table<calls_that_reduce<reduce_kernels_with_states>>, nullptr};
  } else if constexpr (HasLanes) {
    return {run_dense<dense_reduction, make_axis_plan, dense_reduce_kernels<false>>,
            run_table<calls_that_reduce<reduce_kernels>>, run_table<private_copies_first>};
  } else {
    constexpr auto make_plan = ByTuples ? make_multi_index_plan : make_axis_plan;
    using of_parts = std::conditional_t<ByTuples, reduce_kernels_by_tuples, reduce_kernels_of_rows>;
    return {run_dense<dense_reduction, make_plan, dense_reduce_kernels<ByTuples>>,
            run_table<calls_that_reduce<of_parts>>, run_table<private_copies_first>};
  }
}
template <bool HasStates, bool HasLanes, bool ByTuples>
inline constexpr call_kernels reduce_kernels_by = make_reduce_kernels<HasStates, HasLanes, ByTuples>();

}  // namespace strew::detail

#endif  // STREW_DETAIL_KERNELS_REDUCE_KERNELS_HPP
