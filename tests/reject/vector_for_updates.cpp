// SPDX-License-Identifier: Apache-2.0
// A container of updates has no shape.
// says first: strew: updates must be a strew::tensor_view: strew::tensor_view{pointer, {2, 3}}
#include <strew/strew.hpp>

#include <vector>

void update(strew::tensor_view<const float> data, strew::tensor_view<const int> indices,
            const std::vector<float>& updates, strew::tensor_view<float> output) {
  strew::scatter_update(data, indices, updates, 0, output);
}
