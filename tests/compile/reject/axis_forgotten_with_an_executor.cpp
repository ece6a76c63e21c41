// SPDX-License-Identifier: Apache-2.0
// Only ONNX has a default for the axis, on an executor too.
// says first: strew: no axis in its place; the order is executor (if any), data, indices, updates, axis,
#include <strew/strew.hpp>

void update(strew::tensor_view<const float> data, strew::tensor_view<const int> indices,
            strew::tensor_view<const float> updates, strew::tensor_view<float> output) {
  strew::scatter_elements_update(strew::serial, data, indices, updates, output);
}
