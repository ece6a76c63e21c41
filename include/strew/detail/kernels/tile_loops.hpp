// SPDX-License-Identifier: Apache-2.0
// The loops of tiles, see tiles.hpp, and how elements are moved to targets.
#ifndef STREW_DETAIL_KERNELS_TILE_LOOPS_HPP
#define STREW_DETAIL_KERNELS_TILE_LOOPS_HPP

#include <strew/config.hpp>
#include <strew/detail/kernel_counter.hpp>
#include <strew/detail/kernels/copy.hpp>
#include <strew/detail/kernels/copy_loops.hpp>
#include <strew/detail/kernels/index_loops.hpp>
#include <strew/detail/kernels/stream.hpp>
#include <strew/detail/tuning.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// The element that an index selects.
template <class Integer, bool Wraps>
STREW_INLINE std::int64_t target_at(const char* at, std::int64_t extent) noexcept {
  const auto index = static_cast<std::int64_t>(load<Integer>(at));
  if constexpr (Wraps) {
    return index < 0 ? index + extent : index;
  } else {
    return index;
  }
}

// Moves four elements to the addresses of target(k): all are read before the first is written, of which a compiler
// cannot know that it changes none of the others, nor their indices.
template <std::size_t Width, class Target>
STREW_INLINE void move_four(const Target& target, const char* from, std::int64_t from_stride) noexcept {
  static_assert(tuning::batch == 4);
  char* const to[] = {target(0), target(1), target(2), target(3)};
  word_of<Width> first;
  word_of<Width> second;
  word_of<Width> third;
  word_of<Width> fourth;
  std::memcpy(first.bytes, from, Width);
  std::memcpy(second.bytes, from + from_stride, Width);
  std::memcpy(third.bytes, from + 2 * from_stride, Width);
  std::memcpy(fourth.bytes, from + 3 * from_stride, Width);
  std::memcpy(to[0], first.bytes, Width);
  std::memcpy(to[1], second.bytes, Width);
  std::memcpy(to[2], third.bytes, Width);
  std::memcpy(to[3], fourth.bytes, Width);
}

// Some columns of a tile, see tiles.hpp. Rows of a tile are 2^shift elements apart.
struct tile_columns {
  char* tile;
  int shift;
  std::int64_t columns;
  const char* updates;
  std::int64_t update_stride;
  std::int64_t index_stride;
};

// Scatters `rows` rows of updates into a tile: the target of column j is column j of the row that its index selects.
template <std::size_t Width, class Integer>
void scatter_tile_rows(const tile_columns& into, const void* indices, std::int64_t rows) noexcept {
  static_assert(fits_register<Width>);
  STREW_EXPECT(into.columns <= std::int64_t{1} << into.shift);
  STREW_RAN("scatter_tile_rows", Width, sizeof(Integer));
  constexpr auto size = static_cast<std::int64_t>(Width);
  constexpr std::int64_t batch = tuning::batch;
  constexpr std::int64_t ahead = tuning::prefetched_tile_rows;
  const tile_columns t = into;
  const char* index = static_cast<const char*>(indices);
  const char* update = t.updates;
  // The target of column j.
  const auto target = [&](std::int64_t j) {
    const char* const at = index + j * static_cast<std::int64_t>(sizeof(Integer));
    return t.tile + (target_at<Integer, false>(at, 0) << t.shift) * size + j * size;
  };
  for (std::int64_t row = 0; row < rows; ++row, index += t.index_stride, update += t.update_stride) {
    if (row + ahead < rows) {
      prefetch(index + ahead * t.index_stride, t.columns * static_cast<std::int64_t>(sizeof(Integer)));
      prefetch(update + ahead * t.update_stride, t.columns * size);
    }
    std::int64_t j = 0;
    for (; j + batch <= t.columns; j += batch) {
      move_four<Width>([&](std::int64_t k) { return target(j + k); }, update + j * size, size);
    }
    for (; j < t.columns; ++j) std::memcpy(target(j), update + j * size, Width);
  }
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_KERNELS_TILE_LOOPS_HPP
