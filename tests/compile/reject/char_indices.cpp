// SPDX-License-Identifier: Apache-2.0
// Characters are no indices.
// says first: strew: indices must be integers of 8 to 64 bits, signed or unsigned: not bool, char or floating point
#include <strew/strew.hpp>

void update(strew::tensor_view<float> data, strew::tensor_view<const char> indices,
            strew::tensor_view<const float> updates) {
  strew::onnx::scatter(data, indices, updates);
}
