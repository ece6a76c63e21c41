// SPDX-License-Identifier: Apache-2.0
// The elements of a list are nowhere in a row.
// says first: strew: updates must be a strew::tensor_view: strew::tensor_view{pointer, {2, 3}}, or a tensor that
#include <strew/strew.hpp>

#include <list>
#include <vector>

void update(std::vector<float>& data, const std::vector<int>& indices, const std::list<float>& updates) {
  strew::scatter_update(data, indices, updates, 0);
}
