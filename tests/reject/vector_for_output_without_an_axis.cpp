// SPDX-License-Identifier: Apache-2.0
// A container of outputs has no shape, where the axis may be left out too.
// says first: strew: output must be a strew::tensor_view: strew::tensor_view{pointer, {2, 3}}
#include <strew/strew.hpp>

#include <vector>

void update(strew::tensor_view<const float> data, strew::tensor_view<const int> indices,
            strew::tensor_view<const float> updates, std::vector<float>& output) {
  strew::onnx::scatter(data, indices, updates, output);
}
