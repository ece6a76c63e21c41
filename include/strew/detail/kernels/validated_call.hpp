// SPDX-License-Identifier: Apache-2.0
// A validated request in the pipeline, with what all of its parts share.
#ifndef STREW_DETAIL_KERNELS_VALIDATED_CALL_HPP
#define STREW_DETAIL_KERNELS_VALIDATED_CALL_HPP

#include <strew/config.hpp>
#include <strew/detail/box.hpp>
#include <strew/detail/kernels/copy_loops.hpp>
#include <strew/detail/kernels/index_loops.hpp>
#include <strew/detail/kernels/loop_table.hpp>
#include <strew/detail/kernels/scatter_loops.hpp>
#include <strew/detail/kernels/stream.hpp>
#include <strew/detail/plan/copy_plan.hpp>
#include <strew/detail/plan/loop_nest.hpp>
#include <strew/detail/plan/partition.hpp>
#include <strew/detail/plan/scatter_plan.hpp>
#include <strew/detail/rules/check_operands.hpp>
#include <strew/detail/rules/check_scatter.hpp>
#include <strew/detail/rules/request.hpp>
#include <strew/detail/rules/target_axis.hpp>
#include <strew/detail/rules/targets.hpp>
#include <strew/detail/tuning.hpp>
#include <strew/view/integer.hpp>
#include <strew/view/layout.hpp>

#include <cstdint>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

struct call_kernels;
struct resolved_slice;

// The loops that a call can use, selected by its types; for scatters by indices also the rules and kernels.
struct reachable_loops {
  using validate_function = bool (*)(const erased::request& call, const shared_memory& shared, target_axes& axes,
                                     status& error) noexcept;

  const copy_loops* copy;
  const scatter_loops* scatter = nullptr;  // for plain scatters of rows or elements
  const reduce_loops* reduce = nullptr;    // for all other scatters by indices
  validate_function validate = nullptr;
  const call_kernels* kernels = nullptr;
  bool uses_slices = true;  // whether a kernel is faster if indices are a slice
};

// Bytes; a block on the stack holds some.
inline constexpr std::int64_t largest_converted_element = 4096;
// How updates of one type become elements of another.
struct conversion {
  // Converts `count` updates, each `from_stride` bytes after the one before, to contiguous elements.
  void (*convert)(char* to, const char* from, std::int64_t from_stride, std::int64_t count) noexcept;
};

// The overlap of an input with the output.
STREW_NOINLINE inline overlap_result overlaps_output(const erased::request& call, const char* data,
                                                     const strided_layout& layout, std::int64_t size) noexcept {
  return find_shared(distance_between(call.output.data, data), *call.output.layout,
                     static_cast<std::uint64_t>(call.type.element_size), layout, static_cast<std::uint64_t>(size));
}

// The overlap of each operand with the output.
STREW_INLINE shared_memory find_shared(const erased::request& call) noexcept {
  return find_shared(
      call.is_in_place() && *call.data.layout == *call.output.layout,
      [&] { return overlaps_output(call, call.data.data, *call.data.layout, call.type.element_size); },
      [&] { return overlaps_output(call, call.updates.data, *call.updates.layout, call.type.updates_size); },
      call.type.components,
      [&](int j) {
        const erased::index_operand& from = call.indices[j];
        return overlaps_output(call, from.data, *from.layout, from.loops->size);
      });
}

constexpr scatter_layouts layouts_of(const erased::request& call) noexcept {
  return {*call.data.layout, *call.indices[0].layout, *call.updates.layout, *call.output.layout};
}

template <addressing By>
constexpr bool validate(const erased::request& call, const shared_memory& shared, target_axes& axes,
                        status& error) noexcept {
  const auto extents_of = [&](int j) -> const index_list& { return call.indices[j].layout->extents(); };
  return check_scatter<By>(call.type.rules, layouts_of(call), shared,
                           target_addressing<decltype(extents_of)>{call.axis, call.type.components, extents_of}, axes,
                           error);
}

// What the parts of one call share: computed once a call.
struct validated_call {
  const erased::request& call;
  const reachable_loops& reachable;
  bool in_place = false;
  bool checks = false;  // whether the indices are checked while they are read, see private_copy.hpp
  call_facts facts{0, 0, 0};
  const resolved_slice* slice = nullptr;
  target_axes axes{};
  index_analysis indices{};

  validated_call(const erased::request& request, const reachable_loops& reached) noexcept
      : call{request}, reachable{reached} {}

  void set_in_place(bool is_in_place) noexcept {
    in_place = is_in_place;
    facts.output_bytes = call.output.layout->size() * call.type.element_size;
    facts.streamed_from = is_in_place ? int64_max : streamed_from(facts.output_bytes);
  }

  [[nodiscard]] index_source index() const noexcept { return {call.indices[0].data, *call.indices[0].loops}; }
  [[nodiscard]] index_constraint constraint() const noexcept {
    return {call.type.rules, call.type.policy, axes, *call.output.layout, reachable.uses_slices};
  }
  [[nodiscard]] scatter_operands operands(const scatter_loops& loops) const noexcept {
    return {call.output.data, call.data.data, index(), call.updates.data, *reachable.copy, loops};
  }
  [[nodiscard]] scatter_space space() const noexcept {
    return {call.type.rules.names_rows(),  indices.wraps && call.type.rules.rule == index_rule::wrapping,
            reachable.reduce->keeps_order, axes,
            *call.indices[0].layout,       *call.updates.layout,
            *call.output.layout,           nullptr,
            call.type.components > 1};
  }
  // For indices that are a slice: the bytes from one target to the next.
  [[nodiscard]] std::int64_t step() const noexcept {
    const std::int64_t weight = call.type.components == 1 ? call.output.layout->stride(axes.first) : 1;
    return scaled(scaled(indices.step, weight), call.type.element_size);
  }
  // The approximate number of elements that are moved.
  [[nodiscard]] std::int64_t moved() const noexcept {
    return call.updates.layout->size() + (in_place ? 0 : call.output.layout->size());
  }
  // Whether parts cut rows rather than the scatter axis: in place, where only updates are moved, if rows are long.
  [[nodiscard]] bool cuts_rows() const noexcept {
    const strided_layout& output = *call.output.layout;
    const std::int64_t longest = tuning::limits().longest_kept_row;
    return in_place && !output.empty() &&
           bytes_inside(output.extents(), axes.end() - 1, call.type.element_size, longest) > longest;
  }
  // Plans the copy of data within a box; out of place only.
  STREW_SMALL void plan_data(const box& part, copy_plan& plan) const noexcept {
    plan.unit = call.type.element_size;
    plan_data_copy(*call.data.layout, *call.output.layout, part, plan);
  }
};

// A validated scatter by indices, and its execution context.
struct scatter_job {
  const execution_context& ctx;
  validated_call& c;
};

// Whether the positions of a call are one run in the updates; those of elements always are.
STREW_SMALL inline bool have_one_run(const validated_call& c) noexcept {
  if (!c.call.type.rules.names_rows()) return true;
  const strided_layout& positions = *c.call.indices[0].layout;
  loop_nest<1> nest;
  for (int k = 0; k < positions.rank(); ++k) {
    nest.add_inner(positions.extent(k), {c.call.updates.layout->stride(c.axes.first + k)});
  }
  return nest.rank() <= 1;
}
// Whether all indices of a call are one run on the first target axis, so that the analysis of the run applies to the
// call.
inline bool has_one_lane(const validated_call& c) noexcept {
  const strided_layout& indices = *c.call.indices[0].layout;
  if (c.call.type.rules.by == addressing::numbers) return c.axes.count == 1;
  return c.call.type.rules.names_rows() || indices.size() == indices.extent(c.axes.first);
}

// What became of a call before the general checks.
enum class dense_outcome : unsigned char {
  valid,  // it has a dense plan, so that all but its indices is legal; no kernel ran, and nothing was written
  ran,
  unknown,  // it has no such plan, or an error
};
using run_dense_function = dense_outcome (*)(const execution_context& ctx, const erased::request& call,
                                             const reachable_loops& reachable);
// The tables of kernels of a call, as functions: the one that runs before the general checks (or null), the one that
// runs last, and the one that runs before the indices are checked (or null), see private_copy.hpp.
struct call_kernels {
  run_dense_function run_dense;
  bool (*run)(const scatter_job& job);
  bool (*run_privately)(const scatter_job& job);
};

}  // namespace strew::detail

#endif  // STREW_DETAIL_KERNELS_VALIDATED_CALL_HPP
