// SPDX-License-Identifier: Apache-2.0
// The axis stands where other libraries have it, out of place.
// g++ says first: strew: axis must be an integer or a list of one integer; the order is executor (if any), data,
// clang says first: strew: indices must be a strew::tensor_view: strew::tensor_view{pointer, {2, 3}}
#include <strew/strew.hpp>

void update(strew::tensor_view<const float> data, strew::tensor_view<const int> indices,
            strew::tensor_view<const float> updates, strew::tensor_view<float> output) {
  strew::scatter_update(data, 0, indices, updates, output);
}
