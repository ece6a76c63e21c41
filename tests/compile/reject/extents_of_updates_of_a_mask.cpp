// SPDX-License-Identifier: Apache-2.0
// A source has as many elements as the mask selects, or more.
// says first: strew: this operator has no updates whose extents follow from other operands: masked_scatter
#include <strew/strew.hpp>

strew::index_list extents() {
  return strew::updates_extents(strew::masked_scatter, {3, 5});
}
