// SPDX-License-Identifier: Apache-2.0
// The innermost loops of the scatter of elements: one run of updates, along the scattered axis or across it.
#ifndef STREW_KERNEL_SCATTER_RUN_HPP
#define STREW_KERNEL_SCATTER_RUN_HPP

#include <strew/box.hpp>
#include <strew/config.hpp>
#include <strew/index.hpp>
#include <strew/integer.hpp>
#include <strew/kernel/run.hpp>

#include <cstdint>
#include <type_traits>

namespace strew::detail {

// Where indices lead: to `to[element * stride]` for the element that an index names on an axis of `extent`. Only
// elements in `owned` are written; updates of others are for another part of the call.
struct target_axis {
  std::int64_t extent = 0;
  std::int64_t stride = 0;
  axis_range owned{0, 0};
  bool wraps = false;    // whether some index is negative and counts from the end
  bool has_own = false;  // whether all indices are known to name owned elements

  [[nodiscard]] constexpr bool is_whole() const noexcept { return owned.count == extent; }
  [[nodiscard]] constexpr bool owns_all() const noexcept { return has_own || is_whole(); }
};

// The numbers of those of `count` ascending indices that lie in a range. O(log count).
template <class I>
constexpr axis_range ascending_within(const I* indices, std::int64_t stride, std::int64_t count,
                                      const axis_range& range) noexcept {
  const auto below = [&](std::int64_t bound) {  // how many indices are less than the bound
    std::int64_t first = 0;
    for (std::int64_t left = count; left > 0;) {
      const std::int64_t half = left / 2;
      if (saturate(indices[(first + half) * stride]) < bound) {
        first += half + 1;
        left -= half + 1;
      } else {
        left = half;
      }
    }
    return first;
  };
  const std::int64_t begin = below(range.begin);
  return {begin, below(range.begin + range.count) - begin};
}

// to[i * to_stride + index[i * index_stride] * axis_stride] = from[i * from_stride] for each i < count, in this order.
template <class T, class I, class ToStride, class AxisStride, class Extent, class FromStride, class IndexStride>
STREW_VECTORISED constexpr void scatter_strided(T* to, ToStride to_stride, AxisStride axis_stride, Extent extent,
                                                const T* from, FromStride from_stride, const I* index,
                                                IndexStride index_stride,
                                                std::int64_t count) noexcept(assigns_without_throwing<T>) {
  std::int64_t i = 0;
  if constexpr (is_bytewise<T> && std::is_default_constructible_v<T> && sizeof(T) <= 16) {
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

// As above, where only some of the targets are owned.
template <class T, class I>
constexpr void scatter_owned(T* to, std::int64_t to_stride, const target_axis& shared_axis, const T* from,
                             std::int64_t from_stride, const I* index, std::int64_t index_stride,
                             std::int64_t count) noexcept(assigns_without_throwing<T>) {
  const target_axis axis = shared_axis;  // a copy, which no store below can change
  if constexpr (is_bytewise<T>) {
    // Every update is listed and the ones that are owned are kept: a branch on random targets would be guessed wrong
    // half the time.
    constexpr std::int64_t batch = 256;
    std::uint8_t owned[batch + 1] = {};
    for (std::int64_t begin = 0; begin < count; begin += batch) {
      const I* const batch_index = index + begin * index_stride;
      const std::int64_t size = count - begin < batch ? count - begin : batch;
      std::int64_t kept = 0;
      for (std::int64_t i = 0; i < size; ++i) {
        owned[kept] = static_cast<std::uint8_t>(i);
        kept += axis.owned.contains(element_of(batch_index[i * index_stride], axis.extent)) ? 1 : 0;
      }
      T* const batch_to = to + begin * to_stride;
      const T* const batch_from = from + begin * from_stride;
      for (std::int64_t k = 0; k < kept; ++k) {
        const std::int64_t i = owned[k];
        const std::int64_t element = element_of(batch_index[i * index_stride], axis.extent);
        batch_to[i * to_stride + element * axis.stride] = batch_from[i * from_stride];
      }
    }
  } else {
    for (std::int64_t i = 0; i < count; ++i) {
      const std::int64_t element = element_of(index[i * index_stride], axis.extent);
      if (axis.owned.contains(element)) to[i * to_stride + element * axis.stride] = from[i * from_stride];
    }
  }
}

// Whether the indices of a run are all equal. Almost always two looks tell that they are not.
template <class I>
constexpr bool all_equal(const I* index, std::int64_t stride, std::int64_t count) noexcept {
  if (stride == 0) return true;
  if (index[0] != index[(count - 1) * stride] || index[0] != index[count / 2 * stride]) return false;
  for (std::int64_t i = 0; i < count; ++i) {
    if (index[i * stride] != index[0]) return false;
  }
  return true;
}

// Scatters one run of updates that are `to_stride` apart in the output, or where that is 0 along the axis alone.
template <class T, class I>
constexpr void scatter_run(const target_axis& axis, T* to, std::int64_t to_stride, const T* from,
                           std::int64_t from_stride, const I* index, std::int64_t index_stride,
                           std::int64_t count) noexcept(assigns_without_throwing<T>) {
  if (to_stride != 0 && all_equal(index, index_stride, count)) {
    const std::int64_t element = element_of(*index, axis.extent);
    if (axis.owned.contains(element)) copy_run(to + element * axis.stride, to_stride, from, from_stride, count);
    return;
  }
  if (!axis.owns_all()) {
    scatter_owned(to, to_stride, axis, from, from_stride, index, index_stride, count);
    return;
  }
  const auto scatter = [&](auto output_stride, auto axis_stride, auto update_stride, auto stride_of_index) {
    const auto scatter_wrapping = [&](auto extent) {
      scatter_strided(to, output_stride, axis_stride, extent, from, update_stride, index, stride_of_index, count);
    };
    if (axis.wraps) {
      scatter_wrapping(axis.extent);
    } else {
      scatter_wrapping(std::integral_constant<std::int64_t, 0>{});  // adds nothing to an index
    }
  };
  constexpr std::integral_constant<std::int64_t, 0> none;
  constexpr std::integral_constant<std::int64_t, 1> unit;
  if (from_stride != 1 || index_stride != 1) {
    scatter(to_stride, axis.stride, from_stride, index_stride);
  } else if (to_stride == 0 && axis.stride == 1) {
    scatter(none, unit, unit, unit);
  } else if (to_stride == 1) {
    scatter(unit, axis.stride, unit, unit);
  } else {
    scatter(to_stride, axis.stride, unit, unit);
  }
}

}  // namespace strew::detail

#endif  // STREW_KERNEL_SCATTER_RUN_HPP
