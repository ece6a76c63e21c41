// SPDX-License-Identifier: Apache-2.0
// How many positions an update has follows from nothing.
// says first: strew: updates must be a strew::tensor_view: strew::tensor_view{pointer, {2, 3}}, or a tensor that
#include <strew/strew.hpp>

#include <cstdint>

void f(strew::tensor_view<float> cache, strew::tensor_view<const std::int64_t> at) {
  strew::onnx::tensor_scatter(cache, 1.0F, at, {});
}
