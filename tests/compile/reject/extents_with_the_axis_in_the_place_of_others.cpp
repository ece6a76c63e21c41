// SPDX-License-Identifier: Apache-2.0
// index_add takes the axis before the indices, and so do their extents.
// says first: strew: an integer (axis, offset, number of tensors) is expected here; see strew/operators/extents.hpp
#include <strew/strew.hpp>

strew::index_list extents() {
  return strew::updates_extents(strew::index_add, {3, 5}, {2}, 1);
}
