// SPDX-License-Identifier: Apache-2.0
// Products of complex numbers: those of std::complex, compiled without fused multiply-add, and strew's.
#ifndef STREW_TESTS_KERNELS_COMPLEX_PRODUCTS_PRODUCTS_HPP
#define STREW_TESTS_KERNELS_COMPLEX_PRODUCTS_PRODUCTS_HPP

#include <complex>
#include <cstddef>
#include <span>

// to[i] = a[i] * b[i]
template <class V>
void multiply(std::span<const std::complex<V>> a, std::span<const std::complex<V>> b, std::span<std::complex<V>> to);

// The same by an operator of strew. Number `way` of ways(); its name for messages.
template <class V>
const char* multiply_by_strew(std::size_t way, std::span<const std::complex<V>> a, std::span<const std::complex<V>> b,
                              std::span<std::complex<V>> to);
std::size_t ways();

// to[i] = -0.0 + alpha * b[i], which is the product.
template <class V>
void scale_by_strew(const std::complex<V>& alpha, std::span<const std::complex<V>> b, std::span<std::complex<V>> to);

#endif  // STREW_TESTS_KERNELS_COMPLEX_PRODUCTS_PRODUCTS_HPP
