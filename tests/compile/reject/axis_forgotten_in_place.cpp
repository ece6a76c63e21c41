// SPDX-License-Identifier: Apache-2.0
// Only ONNX has a default for the axis, in place too.
// says first: strew: no axis in its place; the order is executor (if any), data, indices, updates, axis,
#include <strew/strew.hpp>

void update(strew::tensor_view<float> data, strew::tensor_view<const int> indices,
            strew::tensor_view<const float> updates) {
  static_cast<void>(strew::try_scatter_elements_update(data, indices, updates));
}
