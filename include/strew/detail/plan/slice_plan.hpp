// SPDX-License-Identifier: Apache-2.0
// The plan of the replacement of a slice: SliceScatter, and scatters whose indices are a slice.
#ifndef STREW_DETAIL_PLAN_SLICE_PLAN_HPP
#define STREW_DETAIL_PLAN_SLICE_PLAN_HPP

#include <strew/config.hpp>
#include <strew/detail/box.hpp>
#include <strew/detail/plan/copy_plan.hpp>
#include <strew/detail/plan/dense_plan.hpp>
#include <strew/detail/plan/loop_nest.hpp>
#include <strew/detail/rules/check_slice.hpp>
#include <strew/view/index.hpp>
#include <strew/view/index_list.hpp>
#include <strew/view/layout.hpp>
#include <strew/view/slice.hpp>
#include <strew/view/slice_spec.hpp>

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

// Makes the dense plan of the replacement of a slice of one axis, as plan_dense does; sets `slice`.
STREW_INLINE constexpr bool plan_dense_slice(const slice_layouts& at, const slice_spec& spec, std::int64_t element_size,
                                             dense_plan& plan, slice_range& slice) noexcept {
  const auto& [data, updates, output] = at;
  const int rank = data.rank();
  const bool has_step = is_single(spec.step);
  const std::int64_t step = has_step ? spec.step[0] : 1;
  if (!data.is_row_major() || !updates.is_row_major() || !output.is_row_major() || output.empty() || updates.empty() ||
      output.rank() != rank || updates.rank() != rank || !is_single(spec.start) || !is_single(spec.stop) ||
      !(has_step || spec.step.is_left_out()) || step == 0 || (!spec.axes.is_leading() && !is_single(spec.axes))) {
    return false;
  }
  const std::int64_t axis = normalize_axis(spec.axes.is_leading() ? 0 : spec.axes[0], rank);
  if (axis == out_of_bounds) return false;
  const auto k = static_cast<int>(axis);
  slice = clamp_slice(spec.start[0], spec.stop[0], step, data.extent(k));
  std::int64_t differences = updates.extent(k) ^ slice.count;
  plan.outer = 1;
  plan.inner = 1;
  for (int i = 0; i < rank; ++i) {
    const std::int64_t extent = data.extent(i);
    differences |= output.extent(i) ^ extent;
    if (i == k) continue;
    differences |= updates.extent(i) ^ extent;
    (i < k ? plan.outer : plan.inner) *= extent;
  }
  plan.extent = data.extent(k);
  plan.count = slice.count;
  plan.width = element_size;
  plan.output_bytes = output.size() * element_size;
  plan.updates_bytes = updates.size() * element_size;
  return differences == 0;
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_PLAN_SLICE_PLAN_HPP
