// SPDX-License-Identifier: Apache-2.0
// The same where updates are integers that may be indices.
// says first: strew: indices and updates are swapped: indices stand before updates
#include <strew/strew.hpp>

void update(strew::tensor_view<int> data, strew::tensor_view<const long> indices,
            strew::tensor_view<const int> updates) {
  strew::onnx::scatter(data, updates, indices);
}
