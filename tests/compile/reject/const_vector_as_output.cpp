// SPDX-License-Identifier: Apache-2.0
// A container that may not be written.
// says first: strew: output is written, so its elements must not be const
#include <strew/strew.hpp>

#include <vector>

void update(strew::tensor_view<const float> data, strew::tensor_view<const int> indices,
            strew::tensor_view<const float> updates, const std::vector<float>& output) {
  strew::scatter_update(data, indices, updates, 0, output);
}
