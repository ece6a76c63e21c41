// SPDX-License-Identifier: Apache-2.0
// ONNX has no mean.
// says first: strew: this operator's specification does not have this reduction
#include <strew/strew.hpp>

#include <cstdint>

void f(strew::tensor_view<float> data, strew::tensor_view<const std::int64_t> indices) {
  strew::onnx::scatter_elements(data, indices, data, 0, strew::reduction::mean);
}
