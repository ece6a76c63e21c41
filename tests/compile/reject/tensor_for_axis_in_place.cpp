// SPDX-License-Identifier: Apache-2.0
// A tensor is no axis, of one integer either; in its place an output is assumed.
// says first: strew: no axis in its place; the order is executor (if any), data, indices, updates, axis,
#include <strew/strew.hpp>

void update(strew::tensor_view<float> data, strew::tensor_view<const int> indices,
            strew::tensor_view<const float> updates, strew::tensor_view<const int> axis) {
  strew::scatter_update(data, indices, updates, axis);
}
