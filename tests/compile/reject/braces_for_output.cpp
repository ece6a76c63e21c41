// SPDX-License-Identifier: Apache-2.0
// Braces have no element type, for the output either.
// says first: strew: output must be a strew::tensor_view: strew::tensor_view{pointer, {2, 3}}
#include <strew/strew.hpp>

void update(strew::tensor_view<const float> data, strew::tensor_view<const int> indices,
            strew::tensor_view<const float> updates, float* output) {
  strew::scatter_elements_update(strew::serial, data, indices, updates, 0, {output, {2, 3}});
}
