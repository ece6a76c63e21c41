// SPDX-License-Identifier: Apache-2.0
// Integers of 128 bits are no indices.
// says first: strew: indices must be integers of 8 to 64 bits, signed or unsigned: not bool, char or floating point
#include <strew/strew.hpp>

#if defined(__SIZEOF_INT128__)
__extension__ typedef __int128 wide;
#else
using wide = bool;  // refused as well
#endif

void update(strew::tensor_view<float> data, strew::tensor_view<const wide> indices,
            strew::tensor_view<const float> updates) {
  strew::scatter_elements_update(data, indices, updates, 0);
}
