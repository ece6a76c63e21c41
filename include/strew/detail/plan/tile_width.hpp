// SPDX-License-Identifier: Apache-2.0
// The width of the tiles of a scatter along an outer axis.
#ifndef STREW_DETAIL_PLAN_TILE_WIDTH_HPP
#define STREW_DETAIL_PLAN_TILE_WIDTH_HPP

#include <strew/config.hpp>
#include <strew/detail/tuning.hpp>

#include <cstdint>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// Whether elements of `size` bytes divide the rows of every tile: a power of two, at most the narrowest row.
constexpr bool divides_tiles(std::int64_t size) noexcept {
  return size >= 1 && (size & (size - 1)) == 0 && size <= tuning::narrowest_tile;
}

// The bytes of a row of a tile, for `rows` rows and `capacity` bytes of memory; 0 if the narrowest tile does not fit.
// Wide rows use pairs of cache lines, which the prefetcher loads together, but the tile should stay in L2.
constexpr std::int64_t best_tile_width(std::int64_t rows, std::int64_t capacity) noexcept {
  for (std::int64_t width = tuning::widest_tile; width >= tuning::narrowest_tile; width /= 2) {
    const bool is_cached = rows <= tuning::limits().largest_tile / width || width == tuning::narrowest_tile;
    if (rows <= capacity / width && is_cached) return width;
  }
  return 0;
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_PLAN_TILE_WIDTH_HPP
