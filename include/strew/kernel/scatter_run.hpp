// SPDX-License-Identifier: Apache-2.0
// The scatter of elements along one axis: the plan of ScatterElementsUpdate and ONNX Scatter, and its innermost loops.
#ifndef STREW_KERNEL_SCATTER_RUN_HPP
#define STREW_KERNEL_SCATTER_RUN_HPP

#include <strew/index.hpp>
#include <strew/kernel/run.hpp>
#include <strew/loop_nest.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace strew::detail {

// For each position of `outer` and `block`, in row-major order: output[position + index * axis_stride] = update. The
// output does not move along the scattered axis by itself (its stride there is 0): the index alone moves it. Off that
// axis no two positions share a target; along it the order is kept, so the last of equal indices wins.
struct elements_plan {
  static constexpr std::size_t output = 0;
  static constexpr std::size_t updates = 1;
  static constexpr std::size_t index = 2;

  loop_nest<3> outer;            // the axes before the scattered one
  loop_nest<3> block;            // the scattered axis and those after it
  std::int64_t axis_stride = 0;  // output elements from one index to the next
  std::int64_t axis_extent = 0;
  std::int64_t block_size = 1;  // elements of data from one position of the axes before the scattered one to the next,
                                // where data is row-major

  [[nodiscard]] constexpr bool empty() const noexcept { return outer.empty() || block.empty(); }
};

// to[i * to_stride + index[i * index_stride] * axis_stride] = from[i * from_stride] for each i < count, in this order.
template <class T, class I, class ToStride, class AxisStride, class FromStride, class IndexStride>
STREW_VECTORISED constexpr void scatter_strided(T* to, ToStride to_stride, AxisStride axis_stride, std::int64_t extent,
                                                const T* from, FromStride from_stride, const I* index,
                                                IndexStride index_stride,
                                                std::int64_t count) noexcept(assigns_without_throwing<T>) {
  std::int64_t i = 0;
  if constexpr (is_bytewise<T> && std::is_default_constructible_v<T>) {
    // Four indices and updates are loaded before the first is stored: the compiler cannot know that a store leaves the
    // other operands alone, and waiting for each makes the loop 1.7 times as long.
    constexpr std::int64_t batch = 4;
    for (; i + batch <= count; i += batch) {
      std::int64_t target[batch] = {};
      T value[batch];
      for (std::int64_t k = 0; k < batch; ++k) {
        target[k] = (i + k) * to_stride + element_of(index[(i + k) * index_stride], extent) * axis_stride;
        value[k] = from[(i + k) * from_stride];
      }
      for (std::int64_t k = 0; k < batch; ++k) to[target[k]] = value[k];
    }
  }
  for (; i < count; ++i) {
    to[i * to_stride + element_of(index[i * index_stride], extent) * axis_stride] = from[i * from_stride];
  }
}

// Scatters one run of the innermost axis.
template <class T, class I>
constexpr void scatter_run(const elements_plan& plan, T* to, const T* from, const I* index, std::int64_t count,
                           const per_operand<3>& stride) noexcept(assigns_without_throwing<T>) {
  using p = elements_plan;
  using unit = std::integral_constant<std::int64_t, 1>;
  const std::int64_t to_stride = stride[p::output];
  if (stride[p::index] == 0 && to_stride != 0) {
    // One index, broadcast: the run is a copy.
    copy_run(to + element_of(*index, plan.axis_extent) * plan.axis_stride, to_stride, from, stride[p::updates], count);
    return;
  }
  const auto scatter = [&](auto from_stride, auto index_stride) {
    const auto along = [&](auto output_stride, auto axis_stride) {
      scatter_strided(to, output_stride, axis_stride, plan.axis_extent, from, from_stride, index, index_stride, count);
    };
    if (to_stride == 0 && plan.axis_stride == 1) {
      along(std::integral_constant<std::int64_t, 0>{}, unit{});
    } else if (to_stride == 1) {
      along(unit{}, plan.axis_stride);
    } else {
      along(to_stride, plan.axis_stride);
    }
  };
  if (stride[p::updates] == 1 && stride[p::index] == 1) {
    scatter(unit{}, unit{});
  } else {
    scatter(stride[p::updates], stride[p::index]);
  }
}

}  // namespace strew::detail

#endif  // STREW_KERNEL_SCATTER_RUN_HPP
