// SPDX-License-Identifier: Apache-2.0
// A mask of bits.
// says first: strew: std::vector<bool> holds bits, to which no view can point
#include <strew/strew.hpp>

#include <vector>

void f(std::vector<float>& data, const std::vector<bool>& mask) {
  strew::masked_fill(data, mask, 1.0F);
}
