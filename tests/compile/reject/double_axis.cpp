// SPDX-License-Identifier: Apache-2.0
// An axis is an integer.
// says first: strew: axis must be an integer or a list of one integer; the order is executor (if any), data,
#include <strew/strew.hpp>

void update(strew::tensor_view<float> data, strew::tensor_view<const int> indices,
            strew::tensor_view<const float> updates) {
  strew::scatter_update(data, indices, updates, 1.0);
}
