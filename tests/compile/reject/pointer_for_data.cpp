// SPDX-License-Identifier: Apache-2.0
// A pointer where a tensor is expected.
// says first: strew: data must be a strew::tensor_view: strew::tensor_view{pointer, {2, 3}}
#include <strew/strew.hpp>

#include <vector>

void update(float* data, const std::vector<int>& indices, const std::vector<float>& updates) {
  strew::scatter_update(data, indices, updates, 0, data);
}
