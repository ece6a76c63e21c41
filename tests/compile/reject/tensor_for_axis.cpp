// SPDX-License-Identifier: Apache-2.0
// A tensor is no axis, of one integer either.
// says first: strew: axis must be an integer or a list of one integer; the order is executor (if any), data,
#include <strew/strew.hpp>

void update(strew::tensor_view<float> data, strew::tensor_view<const int> indices,
            strew::tensor_view<const float> updates, strew::tensor_view<const int> axis,
            strew::tensor_view<float> output) {
  strew::scatter_update(data, indices, updates, axis, output);
}
