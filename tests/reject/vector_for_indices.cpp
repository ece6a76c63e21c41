// SPDX-License-Identifier: Apache-2.0
// A container of indices has no shape.
// says first: strew: indices must be a strew::tensor_view: strew::tensor_view{pointer, {2, 3}}
#include <strew/strew.hpp>

#include <vector>

void update(strew::tensor_view<const float> data, const std::vector<int>& indices,
            strew::tensor_view<const float> updates, strew::tensor_view<float> output) {
  strew::scatter_elements_update(data, indices, updates, 0, output);
}
