// SPDX-License-Identifier: Apache-2.0
// Products by operators of strew, built with the flags of a user's unit.
#include "products.hpp"

#include <strew/strew.hpp>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

namespace {

namespace red = strew::reduction;

template <class V>
using numbers = std::span<const std::complex<V>>;

template <class V>
struct product_call {
  const char* name;
  void (*run)(const strew::tensor_view<std::complex<V>>& data, const strew::tensor_view<const std::int64_t>& all,
              const strew::tensor_view<const std::complex<V>>& updates);
};

template <class V>
constexpr product_call<V> calls[] = {
    {"one long row",
     [](const auto& data, const auto& all, const auto& updates) {
       const std::int64_t size = data.size();
       const strew::tensor_view<std::complex<V>> row(data.data(), {1, size});
       strew::index_reduce(row, 0, strew::tensor_view<const std::int64_t>(all.data(), {1}),
                           strew::tensor_view<const std::complex<V>>(updates.data(), {1, size}), red::prod);
     }},
    {"rows of two",
     [](const auto& data, const auto& all, const auto& updates) {
       const std::int64_t half = data.size() / 2;
       strew::index_reduce(strew::tensor_view<std::complex<V>>(data.data(), {half, 2}), 0,
                           strew::tensor_view<const std::int64_t>(all.data(), {half}),
                           strew::tensor_view<const std::complex<V>>(updates.data(), {half, 2}), red::prod);
     }},
    {"rows with strides",
     [](const auto& data, const auto& all, const auto& updates) {
       const std::int64_t half = data.size() / 2;
       strew::index_reduce(strew::tensor_view<std::complex<V>>(data.data(), {2, half}, {1, 2}), 0,
                           strew::tensor_view<const std::int64_t>(all.data(), {2}),
                           strew::tensor_view<const std::complex<V>>(updates.data(), {2, half}, {1, 2}), red::prod);
     }},
    {"elements", [](const auto& data, const auto& all,
                    const auto& updates) { strew::scatter_reduce(data, 0, all, updates, red::prod); }},
    {"a callable that may throw, by loops over the type",
     [](const auto& data, const auto& all, const auto& updates) {
       const auto f = [](const std::complex<V>& a, const std::complex<V>& b) { return red::prod(a, b); };
       strew::scatter_reduce(data, 0, all, updates, f);
     }},
};

}  // namespace

std::size_t ways() {
  return std::size(calls<double>);
}

template <class V>
const char* multiply_by_strew(std::size_t way, numbers<V> a, numbers<V> b, std::span<std::complex<V>> to) {
  const auto size = static_cast<std::int64_t>(to.size());
  std::copy(a.begin(), a.end(), to.begin());
  std::vector<std::int64_t> all(to.size());
  std::iota(all.begin(), all.end(), 0);
  calls<V>[way].run({to.data(), {size}}, {all.data(), {size}}, {b.data(), {size}});
  return calls<V>[way].name;
}

template <class V>
void scale_by_strew(const std::complex<V>& alpha, numbers<V> b, std::span<std::complex<V>> to) {
  const auto size = static_cast<std::int64_t>(to.size());
  std::fill(to.begin(), to.end(), std::complex<V>(-V{}, -V{}));
  const std::int64_t first = 0;
  strew::index_add(strew::tensor_view<std::complex<V>>(to.data(), {1, size}), 0,
                   strew::tensor_view<const std::int64_t>(&first, {1}),
                   strew::tensor_view<const std::complex<V>>(b.data(), {1, size}), strew::scaled_by{alpha});
}

template const char* multiply_by_strew<float>(std::size_t, numbers<float>, numbers<float>,
                                              std::span<std::complex<float>>);
template const char* multiply_by_strew<double>(std::size_t, numbers<double>, numbers<double>,
                                               std::span<std::complex<double>>);
template const char* multiply_by_strew<long double>(std::size_t, numbers<long double>, numbers<long double>,
                                                    std::span<std::complex<long double>>);
template void scale_by_strew<float>(const std::complex<float>&, numbers<float>, std::span<std::complex<float>>);
template void scale_by_strew<double>(const std::complex<double>&, numbers<double>, std::span<std::complex<double>>);
template void scale_by_strew<long double>(const std::complex<long double>&, numbers<long double>,
                                          std::span<std::complex<long double>>);
