// SPDX-License-Identifier: Apache-2.0
// The scatter of elements along an axis that is not the innermost one: in tiles of a few columns, which are gathered
// into a small buffer, scattered into there and written out. Along such an axis neighbouring targets lie far apart, so
// that each would cost a cache line, and at widths of a power of two they would all fight for the same few.
#ifndef STREW_KERNEL_TILES_HPP
#define STREW_KERNEL_TILES_HPP

#include <strew/kernel/run.hpp>
#include <strew/kernel/scatter_run.hpp>
#include <strew/kernel/scratch.hpp>
#include <strew/kernel/stream.hpp>
#include <strew/loop_nest.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
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

  // Of ascending indices of a single lane, leaves those that name owned elements.
  template <class I>
  constexpr void keep_own(const I* indices) noexcept {
    const axis_range own = ascending_within(indices + first[index], index_stride, count, axis.owned);
    first[index] += own.begin * index_stride;
    first[updates] += own.begin * update_stride;
    count = own.count;
    axis.has_own = true;
  }

  // Whether tiles are possible and pay: contiguous columns, together more than the first-level cache holds, with
  // updates for all lanes, of which none is for another part of the call.
  [[nodiscard]] constexpr bool suits_tiles(std::int64_t element_size) const noexcept {
    constexpr std::int64_t first_level_cache = std::int64_t{32} * 1024;
    constexpr std::int64_t shortest_column = 8;
    const int rank = inner.rank();
    if (!covers_lanes || !axis.is_whole() || rank == 0) return false;
    const per_operand<4>& stride = inner.strides(rank - 1);
    return stride[output] == 1 && stride[updates] == 1 && stride[index] == 1 && stride[data] == 1 &&
           count >= shortest_column && block_size * element_size > first_level_cache;
  }
};

// One tile: `width` columns of the output, a compile-time constant if it is a whole one.
template <class T, class I, class Width, class Extent>
STREW_VECTORISED void scatter_tile(const elements_plan& plan, T* tile, T* output, const T* data, const I* index,
                                   const T* update, Width width, Extent extent) noexcept {
  // No prefetcher follows steps of a page. Lines a power of two apart share eight places in the first-level cache, so
  // asking for more rows than these would push out the first before it is used.
  constexpr std::int64_t ahead = 8;
  constexpr std::int64_t batch = 4;
  const auto bytes = static_cast<std::int64_t>(width) * static_cast<std::int64_t>(sizeof(T));
  const std::int64_t rows = plan.axis.extent;
  for (std::int64_t row = 0; row < rows; ++row) {
    if (row + ahead < rows) prefetch(data + (row + ahead) * plan.data_stride, bytes);
    std::memcpy(static_cast<void*>(tile + row * width), data + row * plan.data_stride, static_cast<std::size_t>(bytes));
  }
  for (std::int64_t i = 0; i < plan.count; ++i) {
    if (i + ahead < plan.count) {
      prefetch(index + ahead * plan.index_stride, width * static_cast<std::int64_t>(sizeof(I)));
      prefetch(update + ahead * plan.update_stride, bytes);
    }
    std::int64_t j = 0;
    for (; j + batch <= width; j += batch) {
      std::int64_t target[batch];
      T value[batch];
      for (std::int64_t k = 0; k < batch; ++k) {
        target[k] = element_of(index[j + k], extent) * width + j + k;
        value[k] = update[j + k];
      }
      for (std::int64_t k = 0; k < batch; ++k) tile[target[k]] = value[k];
    }
    for (; j < width; ++j) tile[element_of(index[j], extent) * width + j] = update[j];
    index += plan.index_stride;
    update += plan.update_stride;
  }
  for (std::int64_t row = 0; row < rows; ++row) {
    std::memcpy(static_cast<void*>(output + row * plan.axis.stride), tile + row * width,
                static_cast<std::size_t>(bytes));
  }
}

// Copies data to the output and scatters the updates in tiles of `Bytes` a row. The plan suits tiles.
template <std::size_t Bytes, class T, class I>
void run_in_tiles(const elements_plan& plan, T* tile, T* output, const T* data, const I* indices,
                  const T* updates) noexcept {
  using p = elements_plan;
  constexpr auto width = static_cast<std::int64_t>(Bytes / sizeof(T));
  plan.outer.for_each_position(0, plan.first, [&](const per_operand<4>& outer) {
    plan.inner.for_each_run(outer, [&](const per_operand<4>& at, std::int64_t count, const per_operand<4>&) {
      for (std::int64_t j = 0; j < count; j += width) {
        const auto scatter = [&](auto columns) {
          const auto scatter_wrapping = [&](auto extent) {
            scatter_tile(plan, tile, output + at[p::output] + j, data + at[p::data] + j, indices + at[p::index] + j,
                         updates + at[p::updates] + j, columns, extent);
          };
          if (plan.axis.wraps) {
            scatter_wrapping(plan.axis.extent);
          } else {
            scatter_wrapping(std::integral_constant<std::int64_t, 0>{});
          }
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

// Bytes a row of a tile for columns of so many rows: wide ones use whole lines and those next to them, which are
// fetched in pairs; but the tile should stay in the second-level cache.
constexpr std::int64_t best_tile_width(std::int64_t rows, std::int64_t capacity) noexcept {
  constexpr std::int64_t largest_tile = std::int64_t{256} * 1024;
  for (const std::int64_t width : {256, 128, 64}) {
    if (rows <= capacity / width && (rows <= largest_tile / width || width == 64)) return width;
  }
  return 0;
}

// As above, with the best width that the memory for a tile allows. Returns false, and does nothing, where a row of less
// than a cache line would be all.
template <class T, class I>
bool run_in_tiles(const elements_plan& plan, T* output, const T* data, const I* indices, const T* updates,
                  const scratch& memory) noexcept {
  constexpr std::int64_t bytes_on_stack = std::int64_t{64} * 1024;
  alignas(scratch::alignment) unsigned char on_stack[bytes_on_stack];
  const std::int64_t rows = plan.axis.extent;
  const std::int64_t best = best_tile_width(rows, int64_max);
  T* const granted = memory.take<T>(rows * best / static_cast<std::int64_t>(sizeof(T)));
  T* const tile = granted == nullptr ? reinterpret_cast<T*>(on_stack) : granted;
  switch (granted == nullptr ? best_tile_width(rows, bytes_on_stack) : best) {
    case 256:
      run_in_tiles<256>(plan, tile, output, data, indices, updates);
      return true;
    case 128:
      run_in_tiles<128>(plan, tile, output, data, indices, updates);
      return true;
    case 64:
      run_in_tiles<64>(plan, tile, output, data, indices, updates);
      return true;
    default:
      return false;
  }
}

}  // namespace strew::detail

#endif  // STREW_KERNEL_TILES_HPP
