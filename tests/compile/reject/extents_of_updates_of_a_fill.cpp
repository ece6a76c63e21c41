// SPDX-License-Identifier: Apache-2.0
// A value has no extents.
// says first: strew: this operator has no updates whose extents follow from other operands: masked_scatter
#include <strew/strew.hpp>

strew::index_list extents() {
  return strew::updates_extents(strew::index_fill, {3, 5}, 1, {2});
}
