// SPDX-License-Identifier: Apache-2.0
// The plan of the replacement of a slice: SliceScatter, and scatters whose indices are a slice.
#ifndef STREW_DETAIL_PLAN_SLICE_PLAN_HPP
#define STREW_DETAIL_PLAN_SLICE_PLAN_HPP

#include <strew/config.hpp>
#include <strew/detail/box.hpp>
#include <strew/detail/plan/copy_plan.hpp>
#include <strew/detail/plan/loop_nest.hpp>
#include <strew/view/index_list.hpp>
#include <strew/view/layout.hpp>
#include <strew/view/slice.hpp>

#include <cstdint>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// The elements that are replaced: on axis k the count[k] coordinates first[k], first[k] + step[k], ..
struct resolved_slice {
  index_list first;
  index_list step;
  index_list count;

  // The whole tensor.
  constexpr explicit resolved_slice(const index_list& extents) noexcept
      : first{extents}, step{extents}, count{extents} {
    for (int k = 0; k < extents.size(); ++k) {
      first[k] = 0;
      step[k] = 1;
    }
  }

  constexpr void narrow(int axis, const slice_range& range) noexcept {
    first[axis] = range.first;
    step[axis] = range.step;
    count[axis] = range.count;
  }

  // The coordinates of the slice that are in a box of data's coordinates.
  [[nodiscard]] constexpr box coordinates_within(const box& part) const noexcept {
    box result(count);
    if (part.is_whole()) return result;
    for (int k = 0; k < count.size(); ++k) {
      result.narrow(k, elements_within({first[k], step[k], count[k]}, part[k]));
    }
    return result;
  }
};

// Plans the copy of the updates at the given coordinates of the slice to their targets in the output. The slice of the
// output is itself a strided view. The plan's unit is set before.
constexpr void plan_slice(const strided_layout& updates, const resolved_slice& slice, const strided_layout& output,
                          const box& coordinates, copy_plan& plan) noexcept {
  for (int k = 0; k < output.rank(); ++k) {
    const slice_range range{slice.first[k], slice.step[k], slice.count[k]};
    const per_operand<2> stride{scaled(sliced_stride(output.stride(k), range), plan.unit),
                                scaled(updates.stride(k), plan.unit)};
    plan.first[copy_plan::target] += scaled(scaled(output.stride(k), plan.unit), range.first);
    for (std::size_t i = 0; i < 2; ++i) plan.first[i] += scaled(stride[i], coordinates[k].begin);
    plan.nest.add_inner(coordinates[k].count, stride);
  }
  plan.finish();
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_PLAN_SLICE_PLAN_HPP
