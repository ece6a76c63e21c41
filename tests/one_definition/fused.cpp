// SPDX-License-Identifier: Apache-2.0
// Reductions whose products could be fused with sums, built for a processor that can; see check_fused.py.
#include <strew/strew.hpp>

#include <complex>
#include <cstdint>
#include <span>

namespace {

template <class T>
strew::status reduce(const strew::tensor_view<T>& data, const strew::tensor_view<const std::int64_t>& rows,
                     const strew::tensor_view<const T>& updates, std::span<std::byte> memory) {
  strew::status found = strew::try_index_add(data, 0, rows, updates, strew::scaled_by{T{3}});
  found = strew::try_index_reduce(data, 0, rows, updates, strew::reduction::prod);
  found = strew::try_index_reduce(data, 0, rows, updates, strew::reduction::mean);
  found = strew::v15::try_scatter_nd_update(strew::workspace{memory}, data, rows, updates, strew::reduction::prod);
  return strew::onnx::try_scatter_elements(data, rows, updates, 0, strew::reduction::prod);
}

}  // namespace

// Something that is fused: without it the test sees nothing.
float multiply_and_add(float a, float b, float c) {
  return a * b + c;
}

strew::status reduce_all(const strew::tensor_view<float>& a, const strew::tensor_view<double>& b,
                         const strew::tensor_view<std::complex<float>>& c,
                         const strew::tensor_view<const std::int64_t>& rows, std::span<std::byte> memory) {
  strew::status found = reduce<float>(a, rows, a, memory);
  found = reduce<double>(b, rows, b, memory);
  return reduce<std::complex<float>>(c, rows, c, memory);
}
