// SPDX-License-Identifier: Apache-2.0
// In place on a view of constant elements: an output is missing.
// says first: strew: without an output data is written, so its elements must not be const, nor be owned by a
#include <strew/strew.hpp>

void update(strew::tensor_view<const float> data, strew::tensor_view<const int> indices,
            strew::tensor_view<const float> updates) {
  strew::scatter_elements_update(data, indices, updates, 0);
}
