// SPDX-License-Identifier: Apache-2.0
// Complex numbers have no order.
// says first: strew: this element type lacks the operation of this reduction
#include <strew/strew.hpp>

#include <complex>
#include <cstdint>

void f(strew::tensor_view<std::complex<float>> data, strew::tensor_view<const std::int64_t> indices) {
  strew::onnx::scatter_nd(data, indices, data, strew::reduction::min);
}
