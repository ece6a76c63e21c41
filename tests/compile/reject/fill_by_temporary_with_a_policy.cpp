// SPDX-License-Identifier: Apache-2.0
// The policy would outlive the indices.
// says first: strew: this temporary owns its elements: give the tensor a name, and view that
#include <strew/strew.hpp>

#include <vector>

void f(std::vector<float>& data) {
  strew::index_fill(data, 0, strew::drop(std::vector{1, 7}), 1.0F);
}
