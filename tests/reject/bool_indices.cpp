// SPDX-License-Identifier: Apache-2.0
// A mask is no tensor of indices.
// g++ says: satisfaction of 'index_integer<I>' [with I = const bool]
// clang says: because 'const bool' does not satisfy 'index_integer'
#include <strew/strew.hpp>

void update(strew::tensor_view<float> data, strew::tensor_view<const bool> indices,
            strew::tensor_view<const float> updates) {
  strew::scatter_update(data, indices, updates, 0);
}
