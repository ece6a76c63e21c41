// SPDX-License-Identifier: Apache-2.0
// The axis is missing.
// says first: strew: the order is executor (if any), data, axis (an integer), index, source
#include <strew/strew.hpp>

#include <vector>

void f(std::vector<float>& bins, const std::vector<int>& samples) {
  strew::index_add(bins, samples, 1);
}
