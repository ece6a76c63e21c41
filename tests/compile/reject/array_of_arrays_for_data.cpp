// SPDX-License-Identifier: Apache-2.0
// The rows of an array of arrays are objects of their own.
// says first: strew: an array of arrays is no tensor: give as_view a pointer and extents
#include <strew/strew.hpp>

#include <vector>

void f(float (&data)[2][3], const std::vector<int>& at, const std::vector<float>& updates) {
  strew::scatter_update(data, at, updates, 0);
}
