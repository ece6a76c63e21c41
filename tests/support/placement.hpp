// SPDX-License-Identifier: Apache-2.0
// Where the elements of a tensor lie, in every arrangement that a caller may have: contiguous, padded, permuted,
// reversed, broadcast, interleaved.
#ifndef STREW_TESTS_SUPPORT_PLACEMENT_HPP
#define STREW_TESTS_SUPPORT_PLACEMENT_HPP

#include "oracle.hpp"
#include "random_source.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <utility>
#include <vector>

namespace strew::test {

using oracle::shape;

enum class arrangement { contiguous, padded, permuted, reversed, interleaved, mixed, broadcast };

// Where the elements of a tensor lie, in elements from the lowest one.
struct placement {
  shape extents;
  shape strides;
  std::int64_t first = 0;  // the element at coordinate 0
  std::int64_t span = 0;   // from the lowest to the highest, both included; 0 when there are none
};

// Fills in `first` and `span`.
inline placement place(shape extents, shape strides) {
  placement result{std::move(extents), std::move(strides), 0, 0};
  if (oracle::count_of(result.extents) == 0) return result;
  result.span = 1;
  for (std::size_t k = 0; k < result.extents.size(); ++k) {
    const std::int64_t distance = (result.extents[k] - 1) * result.strides[k];
    result.span += std::abs(distance);
    if (distance < 0) result.first -= distance;
  }
  return result;
}

inline placement place_contiguous(const shape& extents) {
  shape strides(extents.size());
  std::int64_t stride = 1;
  for (std::size_t k = extents.size(); k-- > 0;) {
    strides[k] = stride;
    stride *= extents[k] > 0 ? extents[k] : 1;
  }
  return place(extents, strides);
}

// A random placement of the given kind. Only `broadcast` repeats elements.
inline placement place(arrangement kind, const shape& extents, random_source& random) {
  if (kind == arrangement::contiguous) return place_contiguous(extents);
  const bool anything = kind == arrangement::mixed || kind == arrangement::broadcast;
  const std::size_t rank = extents.size();
  std::vector<std::size_t> order = random.order(rank);
  if (kind != arrangement::permuted && (!anything || random.one_in(2))) {
    for (std::size_t k = 0; k < rank; ++k) order[k] = k;
  }
  shape strides(rank);
  std::int64_t stride = kind == arrangement::interleaved || (anything && random.one_in(3)) ? random.between(2, 3) : 1;
  for (std::size_t k = rank; k-- > 0;) {
    const std::size_t axis = order[k];
    const std::int64_t extent = extents[axis] > 0 ? extents[axis] : 1;
    const bool padded = kind == arrangement::padded || (anything && random.one_in(3));
    const bool reversed = (kind == arrangement::reversed || anything) && random.one_in(2);
    strides[axis] = reversed ? -stride : stride;
    stride *= extent + (padded ? random.between(1, 2) : 0);
    if (kind == arrangement::broadcast && random.one_in(2)) strides[axis] = 0;
    // No element takes this stride, so it may be anything.
    if (anything && extent == 1) strides[axis] = random.pick<std::int64_t>({-1000003, -1, 0, 1, 7, 1000003});
  }
  return place(extents, strides);
}

}  // namespace strew::test

#endif  // STREW_TESTS_SUPPORT_PLACEMENT_HPP
