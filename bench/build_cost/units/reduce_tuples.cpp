// SPDX-License-Identifier: Apache-2.0
#include <strew/strew.hpp>

#include <cstdint>

void reduce_tuples(strew::tensor_view<const float> data, strew::tensor_view<const std::int64_t> indices,
                   strew::tensor_view<const float> updates, strew::tensor_view<float> output) {
  strew::onnx::scatter_nd(data, indices, updates, strew::reduction::max, output);
}
