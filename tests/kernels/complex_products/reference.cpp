// SPDX-License-Identifier: Apache-2.0
// What std::complex says, compiled without fused multiply-add.
#include "products.hpp"

template <class V>
void multiply(std::span<const std::complex<V>> a, std::span<const std::complex<V>> b, std::span<std::complex<V>> to) {
  for (std::size_t i = 0; i < to.size(); ++i) to[i] = a[i] * b[i];
}

template void multiply<float>(std::span<const std::complex<float>>, std::span<const std::complex<float>>,
                              std::span<std::complex<float>>);
template void multiply<double>(std::span<const std::complex<double>>, std::span<const std::complex<double>>,
                               std::span<std::complex<double>>);
template void multiply<long double>(std::span<const std::complex<long double>>,
                                    std::span<const std::complex<long double>>, std::span<std::complex<long double>>);
