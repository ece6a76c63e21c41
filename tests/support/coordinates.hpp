// SPDX-License-Identifier: Apache-2.0
// All coordinates of a shape, one after the other: how the oracles walk a tensor.
#ifndef STREW_TESTS_SUPPORT_COORDINATES_HPP
#define STREW_TESTS_SUPPORT_COORDINATES_HPP

#include <cstddef>
#include <cstdint>
#include <vector>

namespace strew::test {

using coordinate = std::vector<std::int64_t>;

namespace detail {

template <class Body>
void for_each_coordinate_from(std::size_t axis, const coordinate& extents, coordinate& at, Body& body) {
  if (axis == extents.size()) {
    body(static_cast<const coordinate&>(at));
    return;
  }
  for (at[axis] = 0; at[axis] < extents[axis]; ++at[axis]) for_each_coordinate_from(axis + 1, extents, at, body);
}

}  // namespace detail

// Calls body(coordinate) for each coordinate, in row-major order.
template <class Body>
void for_each_coordinate(const coordinate& extents, Body body) {
  coordinate at(extents.size());
  detail::for_each_coordinate_from(0, extents, at, body);
}

// Calls body(extents) for each shape of `rank` axes with extents from 0 to `largest`.
template <class Body>
void for_each_shape(std::size_t rank, std::int64_t largest, Body body) {
  for_each_coordinate(coordinate(rank, largest + 1), body);
}

// The sum of the coordinate's entries times the strides.
inline std::int64_t offset_of(const coordinate& at, const coordinate& strides) {
  std::int64_t offset = 0;
  for (std::size_t k = 0; k < at.size(); ++k) offset += at[k] * strides[k];
  return offset;
}

}  // namespace strew::test

#endif  // STREW_TESTS_SUPPORT_COORDINATES_HPP
