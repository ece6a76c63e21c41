// SPDX-License-Identifier: Apache-2.0
// Characters are no indices.
// g++ says: satisfaction of 'index_integer<I>' [with I = const char]
// clang says: because 'const char' does not satisfy 'index_integer'
#include <strew/strew.hpp>

void update(strew::tensor_view<float> data, strew::tensor_view<const char> indices,
            strew::tensor_view<const float> updates) {
  strew::onnx::scatter(data, indices, updates);
}
