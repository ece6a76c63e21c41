// SPDX-License-Identifier: Apache-2.0
// The plan of a scatter of elements: each index selects the target of one update in its own lane.
#ifndef STREW_DETAIL_PLAN_ELEMENTS_PLAN_HPP
#define STREW_DETAIL_PLAN_ELEMENTS_PLAN_HPP

#include <strew/config.hpp>
#include <strew/detail/box.hpp>
#include <strew/detail/plan/loop_nest.hpp>
#include <strew/detail/rules/check_scatter.hpp>
#include <strew/detail/rules/target_axis.hpp>
#include <strew/view/layout.hpp>

#include <cstddef>
#include <cstdint>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// For each position of `outer`, each i < count and each position of `inner`, in row-major order: the element of the
// output that the index selects on `axis` is replaced by the update. Off that axis no two positions have the same
// target, so their order is free; along it the order is kept, so the last of equal indices wins.
struct elements_plan {
  static constexpr std::size_t output = 0;
  static constexpr std::size_t updates = 1;
  static constexpr std::size_t index = 2;
  static constexpr std::size_t data = 3;

  loop_nest<4> outer;  // the axes before the scattered one
  loop_nest<4> inner;  // the axes after it
  per_operand<4> first{};
  target_axis axis;
  std::int64_t count = 0;  // updates along the axis
  std::int64_t update_stride = 0;
  std::int64_t index_stride = 0;
  std::int64_t data_stride = 0;
  std::int64_t unit = 1;        // offsets that make an element
  std::int64_t index_unit = 1;  // offsets that make an index
  std::int64_t block_size = 1;  // of the axis and those after it
  bool covers_lanes = true;     // whether all lanes have updates, not only the first ones of some axis

  [[nodiscard]] constexpr bool empty() const noexcept { return outer.empty() || inner.empty() || count == 0; }

  // Keeps only the indices in a range of their numbers, all of which select owned elements. The plan has a single lane.
  constexpr void keep(const axis_range& own) noexcept {
    first[index] += own.begin * index_stride;
    first[updates] += own.begin * update_stride;
    count = own.count;
    axis.has_own = true;
  }
};

// Plans the scatter of the elements in the box. The plan's units are set before.
constexpr void plan_elements(const scatter_layouts& at, int axis, const box& part, elements_plan& plan) noexcept {
  const auto& [data, indices, updates, output] = at;
  plan.axis = {output.extent(axis), scaled(step_along(output, axis), plan.unit), part[axis], false, false};
  plan.count = indices.extent(axis);
  plan.update_stride = scaled(step_along(updates, axis), plan.unit);
  plan.index_stride = scaled(step_along(indices, axis), plan.index_unit);
  plan.data_stride = scaled(step_along(data, axis), plan.unit);
  plan.block_size = plan.unit;
  for (int k = 0; k < output.rank(); ++k) {
    if (k >= axis) plan.block_size *= part[k].count;
    if (k == axis) continue;
    // If indices are shorter than data, the box may extend beyond them, or not intersect them.
    const std::int64_t rest = indices.extent(k) - part[k].begin;
    const std::int64_t count = rest < 0 ? 0 : rest < part[k].count ? rest : part[k].count;
    plan.covers_lanes = plan.covers_lanes && count == part[k].count;
    const per_operand<4> stride{scaled(output.stride(k), plan.unit), scaled(updates.stride(k), plan.unit),
                                scaled(indices.stride(k), plan.index_unit), scaled(data.stride(k), plan.unit)};
    (k < axis ? plan.outer : plan.inner).add_inner(count, stride);
    if (count == 0) continue;
    for (std::size_t i = 0; i < 4; ++i) plan.first[i] += scaled(stride[i], part[k].begin);
  }
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_PLAN_ELEMENTS_PLAN_HPP
