// SPDX-License-Identifier: Apache-2.0
// Ranges of axes and boxes of coordinates: the parts that one call is cut into.
#ifndef STREW_BOX_HPP
#define STREW_BOX_HPP

#include <strew/index_list.hpp>

#include <cstdint>

namespace strew::detail {

// A range of one axis: `count` coordinates from `begin` on.
struct axis_range {
  std::int64_t begin;
  std::int64_t count;

  [[nodiscard]] constexpr bool contains(std::int64_t coordinate) const noexcept {
    return static_cast<std::uint64_t>(coordinate) - static_cast<std::uint64_t>(begin) <
           static_cast<std::uint64_t>(count);
  }
};

// A box of a tensor's coordinates: a range of each axis.
struct box {
  index_list begin;
  index_list count;

  // All coordinates of a tensor.
  [[nodiscard]] static constexpr box whole(const index_list& extents) noexcept {
    box result{extents, extents};
    for (int k = 0; k < extents.size(); ++k) result.begin[k] = 0;
    return result;
  }

  [[nodiscard]] constexpr axis_range operator[](int axis) const noexcept { return {begin[axis], count[axis]}; }
};

}  // namespace strew::detail

#endif  // STREW_BOX_HPP
