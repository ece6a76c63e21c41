// SPDX-License-Identifier: Apache-2.0
// What the operators' documents say, written down as plainly as it goes: loops over coordinates, no strides, no clever
// arithmetic, nothing of the library. An answer is not values but provenance: for each element of the output, in
// row-major order, the position of the update that ends there, or `kept` where data shows through. So one oracle
// serves every element type.
#ifndef STREW_TESTS_SUPPORT_ORACLE_HPP
#define STREW_TESTS_SUPPORT_ORACLE_HPP

#include "coordinates.hpp"
#include "python_slice.hpp"
#include "wide.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace oracle {

using strew::test::for_each_coordinate;
using strew::test::python_slice;
using shape = strew::test::coordinate;  // extents are written like a coordinate

// Row-major positions into updates.
using provenance = std::vector<std::int64_t>;
inline constexpr std::int64_t kept = -1;

inline std::int64_t count_of(const shape& extents) {
  std::int64_t count = 1;
  for (const std::int64_t extent : extents) count *= extent;
  return count;
}

// The row-major position of a coordinate.
inline std::size_t position_of(const shape& coordinate, const shape& extents) {
  std::int64_t position = 0;
  for (std::size_t k = 0; k < extents.size(); ++k) position = position * extents[k] + coordinate[k];
  return static_cast<std::size_t>(position);
}

// An axis in [-rank, rank - 1], counted from the beginning.
inline std::size_t axis_of(std::int64_t axis, std::size_t rank) {
  return static_cast<std::size_t>(axis < 0 ? axis + static_cast<std::int64_t>(rank) : axis);
}

// One slice of SliceScatter, on one axis. Wide enough for the bounds of every type.
struct slice {
  strew::test::wide start;
  strew::test::wide stop;
  strew::test::wide step;
  std::int64_t axis;
};

// For each axis of data the elements that the slices select: all of them where there is no slice.
inline std::vector<shape> selected_on_each_axis(const shape& data, const std::vector<slice>& slices) {
  std::vector<shape> result;
  for (const std::int64_t extent : data) result.push_back(python_slice(0, extent, 1, extent));
  for (const slice& s : slices) {
    const std::size_t axis = axis_of(s.axis, data.size());
    result[axis] = python_slice(s.start, s.stop, s.step, data[axis]);
  }
  return result;
}

inline shape slice_scatter_updates(const shape& data, const std::vector<slice>& slices) {
  shape extents;
  for (const shape& elements : selected_on_each_axis(data, slices)) {
    extents.push_back(static_cast<std::int64_t>(elements.size()));
  }
  return extents;
}

// out = np.copy(data); out[slices] = updates
inline provenance slice_scatter(const shape& data, const std::vector<slice>& slices) {
  const std::vector<shape> elements = selected_on_each_axis(data, slices);
  const shape updates = slice_scatter_updates(data, slices);
  provenance result(static_cast<std::size_t>(count_of(data)), kept);
  for_each_coordinate(updates, [&](const shape& update) {
    shape target = update;
    for (std::size_t k = 0; k < data.size(); ++k) target[k] = elements[k][static_cast<std::size_t>(update[k])];
    result[position_of(target, data)] = static_cast<std::int64_t>(position_of(update, updates));
  });
  return result;
}

inline shape scatter_update_updates(const shape& data, const shape& indices, std::int64_t axis) {
  const auto a = static_cast<std::ptrdiff_t>(axis_of(axis, data.size()));
  shape extents(data.begin(), data.begin() + a);
  extents.insert(extents.end(), indices.begin(), indices.end());
  extents.insert(extents.end(), data.begin() + a + 1, data.end());
  return extents;
}

// data[.., indices[m, .., p], ..] = updates[.., m, .., p, ..], the updates one after the other in row-major order.
template <class I>
provenance scatter_update(const shape& data, const shape& indices_extents, const std::vector<I>& indices,
                          std::int64_t axis) {
  const std::size_t a = axis_of(axis, data.size());
  const std::size_t q = indices_extents.size();
  const shape updates = scatter_update_updates(data, indices_extents, axis);
  provenance result(static_cast<std::size_t>(count_of(data)), kept);
  for_each_coordinate(updates, [&](const shape& update) {
    shape at_index;
    shape target;
    for (std::size_t k = 0; k < q; ++k) at_index.push_back(update[a + k]);
    for (std::size_t k = 0; k < a; ++k) target.push_back(update[k]);
    target.push_back(static_cast<std::int64_t>(indices[position_of(at_index, indices_extents)]));
    for (std::size_t k = a + q; k < updates.size(); ++k) target.push_back(update[k]);
    result[position_of(target, data)] = static_cast<std::int64_t>(position_of(update, updates));
  });
  return result;
}

// output[i][indices[i][j][k]][k] = updates[i][j][k] if axis = 1, and likewise for every axis and rank. A negative
// index, where the operator takes one, counts from the end.
template <class I>
provenance scatter_elements(const shape& data, const shape& indices_extents, const std::vector<I>& indices,
                            std::int64_t axis) {
  const std::size_t a = axis_of(axis, data.size());
  provenance result(static_cast<std::size_t>(count_of(data)), kept);
  for_each_coordinate(indices_extents, [&](const shape& update) {
    const std::size_t position = position_of(update, indices_extents);
    const auto index = static_cast<std::int64_t>(indices[position]);
    shape target = update;
    target[a] = index < 0 ? index + data[a] : index;
    result[position_of(target, data)] = static_cast<std::int64_t>(position);
  });
  return result;
}

// Whether an index lies in [0, extent - 1] or, where negatives are allowed, in [-extent, extent - 1]. std::cmp_less
// compares as mathematics does, whatever the types.
template <class I>
bool is_legal(I index, std::int64_t extent, bool negatives_allowed) {
  return std::cmp_less(index, extent) && std::cmp_greater_equal(index, negatives_allowed ? -extent : 0);
}

// The coordinate of the first illegal index in row-major order.
template <class I>
std::optional<shape> first_illegal(const shape& indices_extents, const std::vector<I>& indices, std::int64_t extent,
                                   bool negatives_allowed) {
  std::optional<shape> found;
  for_each_coordinate(indices_extents, [&](const shape& coordinate) {
    if (!found && !is_legal(indices[position_of(coordinate, indices_extents)], extent, negatives_allowed)) {
      found = coordinate;
    }
  });
  return found;
}

}  // namespace oracle

#endif  // STREW_TESTS_SUPPORT_ORACLE_HPP
