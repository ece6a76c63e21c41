// SPDX-License-Identifier: Apache-2.0
// The replacement of a slice: all of SliceScatter once its arguments are checked, and of any scatter whose indices turn
// out to be a slice.
#ifndef STREW_SLICE_COPY_HPP
#define STREW_SLICE_COPY_HPP

#include <strew/box.hpp>
#include <strew/index_list.hpp>
#include <strew/kernel/copy.hpp>
#include <strew/kernel/overlay.hpp>
#include <strew/layout.hpp>
#include <strew/operands.hpp>
#include <strew/partition.hpp>
#include <strew/slice.hpp>
#include <strew/tensor_view.hpp>

#include <cstdint>

namespace strew::detail {

// The elements that are replaced: on axis k those at first[k], first[k] + step[k], .., count[k] of them.
struct resolved_slice {
  index_list first;
  index_list step;
  index_list count;

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

  // Which of the slice's own coordinates lie in a box of data's.
  [[nodiscard]] constexpr box coordinates_within(const box& part) const noexcept {
    box result(count);
    if (part.is_whole()) return result;
    for (int k = 0; k < count.size(); ++k) {
      result.narrow(k, elements_within({first[k], step[k], count[k]}, part[k]));
    }
    return result;
  }
};

// Plans the copy of the updates at the given coordinates of the slice to their places in the output.
constexpr void plan_slice(const strided_layout& updates, const resolved_slice& slice, const strided_layout& output,
                          const box& coordinates, copy_plan& plan) noexcept {
  for (int k = 0; k < output.rank(); ++k) {
    const slice_range range{slice.first[k], slice.step[k], slice.count[k]};
    const std::int64_t stride = sliced_stride(output.stride(k), range);
    plan.first[copy_plan::target] += range.first * output.stride(k) + coordinates[k].begin * stride;
    plan.first[copy_plan::source] += coordinates[k].begin * updates.stride(k);
    plan.nest.add_inner(coordinates[k].count, {stride, updates.stride(k)});
  }
  plan.finish();
}

// output = data; output[slice] = updates. The slice of the output is itself a strided view, so these are two copies.
template <class T, class Ex, class D, class U>
constexpr void copy_with_slice(Ex& ex, const tensor_view<D>& data, const tensor_view<U>& updates,
                               const resolved_slice& slice, const tensor_view<T>& output,
                               bool in_place) noexcept(assigns_without_throwing<T>) {
  if (in_place) {
    for_each_part<T>(ex, {slice.count, updates.size()}, [&](const box& part, const scratch&) {
      copy_plan plan;
      plan_slice(updates.layout(), slice, output.layout(), part, plan);
      run<T>(plan, output.data(), updates.data());
    });
  } else {
    for_each_part<T>(ex, {data.extents(), data.size()}, [&](const box& part, const scratch&) {
      copy_plan data_plan;
      copy_plan updates_plan;
      plan_data_copy(data.layout(), output.layout(), part, data_plan);
      plan_slice(updates.layout(), slice, output.layout(), slice.coordinates_within(part), updates_plan);
      run<T>(data_plan, updates_plan, output.data(), data.data(), updates.data());
    });
  }
}

}  // namespace strew::detail

#endif  // STREW_SLICE_COPY_HPP
