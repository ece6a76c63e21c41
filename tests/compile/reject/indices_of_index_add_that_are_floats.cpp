// SPDX-License-Identifier: Apache-2.0
// Indices are integers, of every operator.
// says first: strew: indices must be integers of 8 to 64 bits, signed or unsigned
#include <strew/strew.hpp>

#include <vector>

void f(std::vector<float>& bins, const std::vector<float>& samples) {
  strew::index_add(bins, 0, samples, 1);
}
