// SPDX-License-Identifier: Apache-2.0
// The options are always given.
// says first: strew: options are missing, which may be {}
#include <strew/strew.hpp>

#include <cstdint>

void f(strew::tensor_view<float> cache, strew::tensor_view<const float> update,
       strew::tensor_view<const std::int64_t> at) {
  strew::onnx::tensor_scatter(cache, update, at);
}
