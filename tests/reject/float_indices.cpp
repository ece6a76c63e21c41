// SPDX-License-Identifier: Apache-2.0
// Floating-point numbers are no indices.
// g++ says: satisfaction of 'index_integer<I>' [with I = const float]
// clang says: because 'const float' does not satisfy 'index_integer'
#include <strew/strew.hpp>

void update(strew::tensor_view<float> data, strew::tensor_view<const float> indices,
            strew::tensor_view<const float> updates) {
  strew::scatter_elements_update(data, indices, updates, 0);
}
