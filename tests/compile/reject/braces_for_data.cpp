// SPDX-License-Identifier: Apache-2.0
// Braces have no element type.
// says first: strew: data must be a strew::tensor_view: strew::tensor_view{pointer, {2, 3}}
#include <strew/strew.hpp>

void update(float* data, strew::tensor_view<const int> indices, strew::tensor_view<const float> updates,
            strew::tensor_view<float> output) {
  strew::scatter_update({data, {2, 3}}, indices, updates, 0, output);
}
