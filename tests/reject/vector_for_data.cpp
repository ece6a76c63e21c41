// SPDX-License-Identifier: Apache-2.0
// A container has no shape.
// says first: strew: data must be a strew::tensor_view: strew::tensor_view{pointer, {2, 3}}
#include <strew/strew.hpp>

#include <vector>

void update(std::vector<float>& data, strew::tensor_view<const int> indices, strew::tensor_view<const float> updates,
            strew::tensor_view<float> output) {
  strew::scatter_update(data, indices, updates, 0, output);
}
