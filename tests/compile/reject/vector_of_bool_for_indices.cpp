// SPDX-License-Identifier: Apache-2.0
// Bits in the place of indices: bytes in their place would be refused, too.
// says first: strew: indices must be integers of 8 to 64 bits, signed or unsigned: not bool, char or floating point
#include <strew/strew.hpp>

#include <vector>

void f(std::vector<float>& data, const std::vector<bool>& indices) {
  strew::scatter_update(data, indices, data, 0);
}
