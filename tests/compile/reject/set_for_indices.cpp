// SPDX-License-Identifier: Apache-2.0
// The elements of a set are nowhere in a row.
// says first: strew: indices must be a strew::tensor_view: strew::tensor_view{pointer, {2, 3}}, or a tensor that
#include <strew/strew.hpp>

#include <set>
#include <vector>

void update(std::vector<float>& data, const std::set<int>& indices, const std::vector<float>& updates) {
  strew::scatter_elements_update(data, indices, updates, 0);
}
