// SPDX-License-Identifier: Apache-2.0
// The output is a view of constant elements.
// says first: strew: output is written, so its elements must not be const
#include <strew/strew.hpp>

void update(strew::tensor_view<const float> output, strew::tensor_view<const float> data,
            strew::tensor_view<const int> indices, strew::tensor_view<const float> updates) {
  strew::scatter_update(data, indices, updates, 0, output);
}
