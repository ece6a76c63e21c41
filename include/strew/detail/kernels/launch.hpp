// SPDX-License-Identifier: Apache-2.0
// A request on its way through the pipeline: what is known of it so far, for all of its parts.
#ifndef STREW_DETAIL_KERNELS_LAUNCH_HPP
#define STREW_DETAIL_KERNELS_LAUNCH_HPP

#include <strew/config.hpp>
#include <strew/detail/box.hpp>
#include <strew/detail/kernels/copy_loops.hpp>
#include <strew/detail/kernels/index_loops.hpp>
#include <strew/detail/kernels/reduce_table.hpp>
#include <strew/detail/kernels/scatter_loops.hpp>
#include <strew/detail/kernels/stream.hpp>
#include <strew/detail/plan/copy_plan.hpp>
#include <strew/detail/plan/partition.hpp>
#include <strew/detail/plan/scatter_plan.hpp>
#include <strew/detail/plan/slice_plan.hpp>
#include <strew/detail/rules/check_operands.hpp>
#include <strew/detail/rules/check_scatter.hpp>
#include <strew/detail/rules/request.hpp>
#include <strew/detail/rules/target_axis.hpp>
#include <strew/detail/rules/targets.hpp>
#include <strew/view/integer.hpp>
#include <strew/view/layout.hpp>

#include <cstdint>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

struct call_kernels;

// What a call can reach, chosen where its types are known: its loops, and of scatters by indices the rules and kernels.
struct reachable_loops {
  using validate_function = bool (*)(const erased::request& call, const shared_memory& shared, target_axes& axes,
                                     status& error) noexcept;

  const copy_loops* copy;
  const scatter_loops* scatter = nullptr;  // of plain scatters of rows or elements
  const reduce_loops* reduce = nullptr;    // of all others by indices
  validate_function validate = nullptr;
  const call_kernels* kernels = nullptr;
  bool uses_slices = true;  // whether a kernel is faster by indices that are a slice
};

// Whether an input shares memory with the output.
STREW_NOINLINE inline overlap_result overlaps_output(const erased::request& call, const char* data,
                                                     const strided_layout& layout, std::int64_t size) noexcept {
  return find_shared(distance_between(call.output.data, data), *call.output.layout,
                     static_cast<std::uint64_t>(call.type.element_size), layout, static_cast<std::uint64_t>(size));
}

// Which operands share memory with the output.
inline shared_memory find_shared(const erased::request& call) noexcept {
  return find_shared(
      call.data.data == call.output.data && *call.data.layout == *call.output.layout,
      [&] { return overlaps_output(call, call.data.data, *call.data.layout, call.type.element_size); },
      [&] { return overlaps_output(call, call.updates.data, *call.updates.layout, call.type.element_size); },
      call.type.components,
      [&](int j) {
        const erased::index_operand& from = call.indices[j];
        return overlaps_output(call, from.data, *from.layout, from.loops->size);
      });
}

inline scatter_layouts layouts_of(const erased::request& call) noexcept {
  return {*call.data.layout, *call.indices[0].layout, *call.updates.layout, *call.output.layout};
}

template <addressing By>
bool validate(const erased::request& call, const shared_memory& shared, target_axes& axes, status& error) noexcept {
  const auto extents_of = [&](int j) -> const index_list& { return call.indices[j].layout->extents(); };
  return check_scatter<By>(call.type.rules, layouts_of(call), shared,
                           target_addressing<decltype(extents_of)>{call.axis, call.type.components, extents_of}, axes,
                           error);
}

// What the parts of one call have in common. What is found of a call stands here once.
struct launch {
  const erased::request& call;
  const reachable_loops& reachable;
  bool in_place = false;
  launch_info facts{0, 0};
  const resolved_slice* slice = nullptr;
  target_axes axes{};
  index_analysis indices{};

  launch(const erased::request& request, const reachable_loops& reached) noexcept : call{request}, reachable{reached} {}

  void set_in_place(bool is_in_place) noexcept {
    in_place = is_in_place;
    facts.output_bytes = call.output.layout->size() * call.type.element_size;
    facts.streamed_from = is_in_place ? int64_max : streamed_from(facts.output_bytes);
  }

  [[nodiscard]] index_source index() const noexcept { return {call.indices[0].data, *call.indices[0].loops}; }
  [[nodiscard]] index_constraint demand() const noexcept {
    return {call.type.rules, call.type.policy, axes, *call.output.layout, reachable.uses_slices};
  }
  [[nodiscard]] scatter_operands operands(const scatter_loops& loops) const noexcept {
    return {call.output.data, call.data.data, index(), call.updates.data, *reachable.copy, loops};
  }
  [[nodiscard]] scatter_space space() const noexcept {
    return {call.type.rules.names_rows(),
            indices.wraps && call.type.rules.rule == index_rule::wrapping,
            axes,
            *call.indices[0].layout,
            *call.updates.layout,
            *call.output.layout};
  }
  // Of indices that are a slice: the bytes from one target to the next.
  [[nodiscard]] std::int64_t step() const noexcept {
    const std::int64_t weight = call.type.components == 1 ? call.output.layout->stride(axes.first) : 1;
    return scaled(scaled(indices.step, weight), call.type.element_size);
  }
  // Roughly how many elements are moved.
  [[nodiscard]] std::int64_t moved() const noexcept {
    return call.updates.layout->size() + (in_place ? 0 : call.output.layout->size());
  }
  // The copy of data within a box; out of place only.
  STREW_NOINLINE void plan_data(const box& part, copy_plan& plan) const noexcept {
    plan.unit = call.type.element_size;
    plan_data_copy(*call.data.layout, *call.output.layout, part, plan);
  }
};

// A scatter by indices that is validated, on its way to parts.
struct scatter_job {
  const execution_context& ctx;
  launch& c;
};

// Whether the indices of a call choose one after the other on the first target axis, so that facts about their run are
// facts about the call.
inline bool has_one_lane(const launch& c) noexcept {
  const strided_layout& indices = *c.call.indices[0].layout;
  if (c.call.type.rules.by == addressing::numbers) return c.axes.count == 1;
  return c.call.type.rules.names_rows() || indices.size() == indices.extent(c.axes.first);
}

// The kernels of a call, as functions that run the first one of a table: of those that run before the checks of any
// call, if there are any, and after them.
struct call_kernels {
  bool (*run_dense)(const execution_context& ctx, const erased::request& call, const reachable_loops& reachable);
  bool (*run)(const scatter_job& job);
};

}  // namespace strew::detail

#endif  // STREW_DETAIL_KERNELS_LAUNCH_HPP
