// SPDX-License-Identifier: Apache-2.0
// The width of the tiles of a scatter along an outer axis.
#ifndef STREW_DETAIL_PLAN_TILE_WIDTH_HPP
#define STREW_DETAIL_PLAN_TILE_WIDTH_HPP

#include <strew/config.hpp>
#include <strew/detail/tuning.hpp>
#include <strew/view/integer.hpp>

#include <cstdint>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// Whether elements of `size` bytes divide the rows of every tile: a power of two, at most the narrowest row.
constexpr bool divides_tiles(std::int64_t size) noexcept {
  return size >= 1 && (size & (size - 1)) == 0 && size <= tuning::narrowest_tile;
}

// Whether lines of tiles have enough updates for tiles to pay: `indices` of them in each column of `rows` elements.
constexpr bool fill_tiles(std::int64_t rows, std::int64_t columns, std::int64_t indices, std::int64_t size) noexcept {
  const std::int64_t of_line = tuning::cache_line / size < columns ? tuning::cache_line / size : columns;
  const auto least = static_cast<std::uint64_t>(tuning::limits().fewest_tiled_updates);
  return saturating_multiply(static_cast<std::uint64_t>(indices), static_cast<std::uint64_t>(of_line)) >=
         saturating_multiply(static_cast<std::uint64_t>(rows), least);
}

// The bytes of a row of a tile, for `rows` rows and `capacity` bytes of memory; 0 if the narrowest tile does not fit,
// in it or in L2. Rows use pairs of cache lines, which the prefetcher loads together; one line pays for elements of 1
// and 2 bytes only, of which it has many.
constexpr std::int64_t best_tile_width(std::int64_t rows, std::int64_t capacity,
                                       std::int64_t narrowest = tuning::narrowest_tile) noexcept {
  const std::int64_t largest = tuning::limits().largest_tile;
  const std::int64_t bytes = capacity < largest ? capacity : largest;
  for (std::int64_t width = tuning::limits().used_tile_row; width >= narrowest; width /= 2) {
    if (rows <= bytes / width) return width;
  }
  return 0;
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_PLAN_TILE_WIDTH_HPP
