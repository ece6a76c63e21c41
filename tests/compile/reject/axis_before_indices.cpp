// SPDX-License-Identifier: Apache-2.0
// The axis stands where other libraries have it.
// says first: strew: no axis in its place; the order is executor (if any), data, indices, updates, axis,
#include <strew/strew.hpp>

void update(strew::tensor_view<float> data, strew::tensor_view<const int> indices,
            strew::tensor_view<const float> updates) {
  strew::scatter_update(data, 0, indices, updates);
}
