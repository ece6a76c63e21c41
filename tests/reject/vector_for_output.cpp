// SPDX-License-Identifier: Apache-2.0
// A container of outputs has no shape.
// says first: strew: output must be a strew::tensor_view: strew::tensor_view{pointer, {2, 3}}
#include <strew/strew.hpp>

#include <vector>

void update(strew::tensor_view<const float> data, strew::tensor_view<const int> indices,
            strew::tensor_view<const float> updates, std::vector<float>& output) {
  strew::scatter_update(data, indices, updates, 0, output);
}
