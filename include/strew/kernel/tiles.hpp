// SPDX-License-Identifier: Apache-2.0
// The scatter of elements along an axis that is not the innermost one: in tiles of a few columns, which are gathered
// into a small buffer, scattered into there and written out. Along such an axis neighbouring targets lie far apart, so
// that each would cost a cache line, and at widths of a power of two they would all fight for the same few.
#ifndef STREW_KERNEL_TILES_HPP
#define STREW_KERNEL_TILES_HPP

#include <strew/kernel/run.hpp>
#include <strew/kernel/scatter_run.hpp>
#include <strew/kernel/stream.hpp>
#include <strew/loop_nest.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace strew::detail {

// For each position of `outer`, each i < count and each position of `inner`, in row-major order: the element of the
// output that the index names on `axis` becomes the update. Off that axis no two positions share a target, so their
// order is free; along it the order is kept, so the last of equal indices wins.
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
  std::int64_t block_size = 1;  // elements of the axis and those after it
  bool covers_lanes = true;     // whether all elements off the axis have updates, not only the first ones of some axis

  [[nodiscard]] constexpr bool empty() const noexcept { return outer.empty() || inner.empty() || count == 0; }

  // Whether tiles are possible and pay: contiguous columns, more of them than fit in the first-level cache, each as
  // long as its buffer at most.
  [[nodiscard]] constexpr bool suits_tiles(std::size_t element_size) const noexcept {
    const int rank = inner.rank();
    if (!covers_lanes || rank == 0) return false;
    const auto size = static_cast<std::int64_t>(element_size);
    const per_operand<4>& stride = inner.strides(rank - 1);
    return stride[output] == 1 && stride[updates] == 1 && stride[index] == 1 && stride[data] == 1 && axis.owns_all() &&
           axis.extent <= tile_rows && block_size * size > first_level_cache && count >= shortest_column;
  }

  static constexpr std::int64_t tile_bytes = 64;   // a row of a tile: a cache line
  static constexpr std::int64_t tile_rows = 1024;  // 64 KiB of stack
  static constexpr std::int64_t first_level_cache = 32 * 1024;
  static constexpr std::int64_t shortest_column = 8;
};

// One tile: `width` columns of the output, a compile-time constant if it is a whole one.
template <class T, class I, class Width>
STREW_VECTORISED void scatter_tile(const elements_plan& plan, T* tile, T* output, const T* data, const I* index,
                                   const T* update, Width width) noexcept {
  constexpr std::int64_t ahead = 16;  // rows to ask for early: no prefetcher follows steps of a page
  constexpr std::int64_t batch = 4;
  constexpr auto line = static_cast<std::int64_t>(elements_plan::tile_bytes / sizeof(I));
  const std::int64_t rows = plan.axis.extent;
  const std::size_t bytes = static_cast<std::size_t>(width) * sizeof(T);
  for (std::int64_t row = 0; row < rows; ++row) {
    if (row + ahead < rows) prefetch(data + (row + ahead) * plan.data_stride);
    std::memcpy(static_cast<void*>(tile + row * width), data + row * plan.data_stride, bytes);
  }
  for (std::int64_t i = 0; i < plan.count; ++i) {
    if (i + ahead < plan.count) {
      for (std::int64_t k = 0; k < width; k += line) prefetch(index + ahead * plan.index_stride + k);
      prefetch(update + ahead * plan.update_stride);
    }
    std::int64_t j = 0;
    for (; j + batch <= width; j += batch) {
      std::int64_t target[batch];
      T value[batch];
      for (std::int64_t k = 0; k < batch; ++k) {
        target[k] = element_of(index[j + k], rows) * width + j + k;
        value[k] = update[j + k];
      }
      for (std::int64_t k = 0; k < batch; ++k) tile[target[k]] = value[k];
    }
    for (; j < width; ++j) tile[element_of(index[j], rows) * width + j] = update[j];
    index += plan.index_stride;
    update += plan.update_stride;
  }
  for (std::int64_t row = 0; row < rows; ++row) {
    std::memcpy(static_cast<void*>(output + row * plan.axis.stride), tile + row * width, bytes);
  }
}

// Copies data to the output and scatters the updates. The plan suits tiles.
template <class T, class I>
void run_in_tiles(const elements_plan& plan, T* output, const T* data, const I* indices, const T* updates) noexcept {
  using p = elements_plan;
  constexpr auto width = static_cast<std::int64_t>(p::tile_bytes / sizeof(T));
  alignas(64) unsigned char buffer[p::tile_rows * p::tile_bytes];
  T* const tile = reinterpret_cast<T*>(buffer);
  plan.outer.for_each_position(0, plan.first, [&](const per_operand<4>& outer) {
    plan.inner.for_each_run(outer, [&](const per_operand<4>& at, std::int64_t count, const per_operand<4>&) {
      for (std::int64_t j = 0; j < count; j += width) {
        const auto scatter = [&](auto columns) {
          scatter_tile(plan, tile, output + at[p::output] + j, data + at[p::data] + j, indices + at[p::index] + j,
                       updates + at[p::updates] + j, columns);
        };
        if (count - j >= width) {
          scatter(std::integral_constant<std::int64_t, width>{});
        } else {
          scatter(count - j);
        }
      }
    });
  });
}

}  // namespace strew::detail

#endif  // STREW_KERNEL_TILES_HPP
