// SPDX-License-Identifier: Apache-2.0
// An axis is an integer, out of place too.
// says first: strew: axis must be an integer or a list of one integer; the order is executor (if any), data,
#include <strew/strew.hpp>

void update(strew::tensor_view<const float> data, strew::tensor_view<const int> indices,
            strew::tensor_view<const float> updates, strew::tensor_view<float> output) {
  strew::scatter_elements_update(data, indices, updates, 1.0, output);
}
