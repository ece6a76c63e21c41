// SPDX-License-Identifier: Apache-2.0
// ONNX has no mean.
// says first: strew: this operator's specification does not have this reduction
#include <strew/strew.hpp>

#include <cstdint>

auto f(strew::tensor_view<float> data, strew::tensor_view<const int> indices) {
  return strew::prepare<float, int>(strew::onnx::scatter_nd, {data.layout(), indices.layout(), data.layout()},
                                    strew::reduction::mean);
}
