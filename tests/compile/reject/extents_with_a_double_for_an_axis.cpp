// SPDX-License-Identifier: Apache-2.0
// An axis is an integer.
// says first: strew: an integer (axis, offset, number of tensors) is expected here; see strew/operators/extents.hpp
#include <strew/strew.hpp>

strew::index_list extents() {
  return strew::updates_extents(strew::scatter_add, {3, 5}, 1.0, {2});
}
