// SPDX-License-Identifier: Apache-2.0
// Indices of one type and updates of another in each other's place.
// says first: strew: indices and updates are swapped: indices stand before updates
#include <strew/strew.hpp>

void update(strew::tensor_view<const float> data, strew::tensor_view<const long> indices,
            strew::tensor_view<const float> updates, strew::tensor_view<float> output) {
  strew::scatter_update(data, updates, indices, 0, output);
}
