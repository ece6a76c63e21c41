// SPDX-License-Identifier: Apache-2.0
// The scatters with reductions, tuples and policies, and the copies into a part, in constant evaluation, where
// undefined behaviour does not compile, and again at run time.
#include "support/catch.hpp"
#include "support/constify.hpp"

#include <strew/strew.hpp>

#include <array>
#include <complex>
#include <cstdint>
#include <limits>
#include <tuple>

namespace strew::test {
namespace {

namespace red = strew::reduction;

template <class T, std::size_t N>
constexpr bool equal(const std::array<T, N>& a, const std::array<T, N>& b) {
  for (std::size_t k = 0; k < N; ++k) {
    if (!(a[k] == b[k])) return false;
  }
  return true;
}

// Split-complex numbers: the square of their unit is 1. The base makes them look like std::complex.
template <class V>
struct split_number : std::complex<V> {
  using std::complex<V>::complex;
  friend constexpr split_number operator*(const split_number& a, const split_number& b) {
    return {a.real() * b.real() + a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
  }
  friend constexpr split_number operator/(const split_number& a, const split_number&) { return a; }
};

// Four elements, and six updates of them.
template <class T, class R>
constexpr std::array<T, 4> reduced(R reduction) {
  std::array<T, 4> data{1, 2, 3, 4};
  const std::array<std::int64_t, 6> at{0, 1, 0, 1, -2, 1};
  const std::array<T, 6> updates{1, 2, 3, 4, 5, 6};
  v12::scatter_elements_update(tensor_view<T>{data.data(), {4}}, tensor_view<const std::int64_t>{at.data(), {6}},
                               tensor_view<const T>{updates.data(), {6}}, 0, reduction);
  return data;
}

TEST_CASE("elements with every reduction") {
  constify([](auto& expect) {
    expect(equal(reduced<float>(red::none), {3, 6, 5, 4}));
    expect(equal(reduced<int>(red::sum), {5, 14, 8, 4}));
    expect(equal(reduced<double>(red::prod), {3, 96, 15, 4}));
    expect(equal(reduced<unsigned char>(red::max), {3, 6, 5, 4}));
    expect(equal(reduced<long>(red::min), {1, 2, 3, 4}));
    expect(equal(reduced<float>(red::mean), {5.0F / 3, 3.5F, 4, 4}));
    expect(equal(reduced<int>(red::mean), {1, 3, 4, 4}));
    expect(equal(reduced<int>(red::without_init(red::sum)), {4, 12, 5, 4}));
    expect(equal(reduced<float>(red::without_init(red::mean)), {2, 4, 5, 4}));
    expect(equal(reduced<int>([](int a, int b) { return 10 * a + b; }), {113, 2246, 35, 4}));
  });
}

TEST_CASE("integers wrap without undefined behaviour, means do not") {
  constify([](auto& expect) {
    const std::int64_t zero = 0;
    const auto one = [&](auto data, auto update, auto reduction) {
      using T = decltype(data);
      v12::scatter_elements_update(tensor_view<T>{&data, {1}}, tensor_view<const std::int64_t>{&zero, {1}},
                                   tensor_view<const T>{&update, {1}}, 0, reduction);
      return data;
    };
    expect(one(std::uint16_t{65535}, std::uint16_t{65535}, red::prod) == 1);
    expect(one(std::numeric_limits<int>::max(), 1, red::sum) == std::numeric_limits<int>::min());
    expect(one(int64_min, std::int64_t{-1}, red::prod) == int64_min);
    expect(one(int64_max, int64_max, red::mean) == int64_max);
    expect(one(int64_min, std::int64_t{int64_min + 1}, red::mean) == int64_min);
    expect(one(std::uint64_t{~std::uint64_t{0}}, std::uint64_t{~std::uint64_t{0}}, red::mean) == ~std::uint64_t{0});
    expect(one(-1, -2, red::mean) == -2);
  });
}

TEST_CASE("products of complex numbers are rounded at each step, and infinite where an operand is") {
  constify([](auto& expect) {
    using number = std::complex<double>;
    constexpr double infinity = std::numeric_limits<double>::infinity();
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    const std::int64_t zero = 0;
    const auto product = [&](number data, const number& update) {
      v12::scatter_elements_update(tensor_view<number>{&data, {1}}, tensor_view<const std::int64_t>{&zero, {1}},
                                   tensor_view<const number>{&update, {1}}, 0, red::prod);
      return data;
    };
    const auto is_nan = [](double value) { return !(value <= 0) && !(value >= 0); };
    // The exact product rounds to other bits, and so does one with a fused multiply-add.
    expect(product({1.1, 1.1}, {2.3, 2.5}) == number(-0x1.c28f5c28f5c30p-3, 0x1.51eb851eb851ep+2));
    number sum = 0;
    const number update{2.3, 2.5};
    index_add(tensor_view<number>{&sum, {1}}, 0, tensor_view<const std::int64_t>{&zero, {1}},
              tensor_view<const number>{&update, {1}}, scaled_by{number{1.1, 1.1}});
    expect(sum == number(-0x1.c28f5c28f5c30p-3, 0x1.51eb851eb851ep+2));
    index_reduce(tensor_view<number>{&sum, {1}}, 0, tensor_view<const std::int64_t>{&zero, {1}},
                 tensor_view<const number>{&update, {1}}, red::mean);
    expect(sum == number((-0x1.c28f5c28f5c30p-3 + 2.3) / 2, (0x1.51eb851eb851ep+2 + 2.5) / 2));
    expect(product({infinity, infinity}, {0, 1}) == number(-infinity, infinity));
    expect(product({0, 1}, {infinity, -infinity}) == number(infinity, infinity));
    expect(product({infinity, nan}, {1, 2}) == number(infinity, infinity));
    const number half = product({infinity, nan}, {1, 0});
    expect(half.real() == infinity && is_nan(half.imag()));
    const number none = product({nan, 1}, {1, 1});
    expect(is_nan(none.real()) && is_nan(none.imag()));
    const number zeros = product({0, 0}, {infinity, 0});
    expect(is_nan(zeros.real()) && is_nan(zeros.imag()));
  });
}

TEST_CASE("complex types that are not std::complex keep their own product") {
  constify([](auto& expect) {
    split_number<double> data{1, 2};
    const split_number<double> update{3, 5};
    const std::int64_t zero = 0;
    scatter_reduce(tensor_view<split_number<double>>{&data, {1}}, 0, tensor_view<const std::int64_t>{&zero, {1}},
                   tensor_view<const split_number<double>>{&update, {1}}, red::prod);
    expect(data.real() == 13 && data.imag() == 11);
  });
}

TEST_CASE("tuples: slices, no numbers at all, several tensors, row-major numbers") {
  constify([](auto& expect) {
    std::array<int, 6> data{0, 1, 2, 3, 4, 5};
    const tensor_view<int> view{data.data(), {2, 3}};
    const std::array<std::int64_t, 4> at{1, -1, 0, 0};
    const std::array<int, 2> two{10, 20};
    v15::scatter_nd_update(view, tensor_view<const std::int64_t>{at.data(), {2, 2}},
                           tensor_view<const int>{two.data(), {2}}, red::sub);
    expect(equal(data, {-20, 1, 2, 3, 4, -5}));
    const std::array<int, 3> row{7, 8, 9};
    const std::array<signed char, 1> one{-1};
    onnx::scatter_nd(view, tensor_view<const signed char>{one.data(), {1, 1}},
                     tensor_view<const int>{row.data(), {1, 3}});
    expect(equal(data, {-20, 1, 2, 7, 8, 9}));
    onnx::scatter_nd(view, tensor_view<const std::int64_t>{nullptr, {1, 0}},
                     tensor_view<const int>{row.data(), {1, 2, 3}, {0, 0, 1}}, red::max);
    expect(equal(data, {7, 8, 9, 7, 8, 9}));
    const tensor_view<const std::int64_t> rows{at.data(), {2}};
    const tensor_view<const signed char> columns{one.data(), {2}, {0}};
    index_put(view, std::tuple{rows, columns}, tensor_view<const int>{two.data(), {2}}, red::sum);
    expect(equal(data, {7, 8, 9, 7, 8, 39}));
    put(transpose(view), rows, tensor_view<const int>{two.data(), {2}});
    expect(equal(data, {7, 8, 9, 10, 8, 20}));
  });
}

TEST_CASE("rows: sums, scaled ones, means, fills, policies") {
  constify([](auto& expect) {
    std::array<float, 4> data{1, 2, 3, 4};
    const tensor_view<float> view{data.data(), {2, 2}};
    const std::array<int, 3> at{1, 1, 5};
    const std::array<float, 6> source{1, 2, 3, 4, 5, 6};
    const tensor_view<const int> index{at.data(), {3}};
    const tensor_view<const float> rows{source.data(), {3, 2}};
    index_add(view, 0, drop(index), rows);
    expect(equal(data, {1, 2, 7, 10}));
    index_add(view, 0, clip(index), rows, scaled_by{-1});
    expect(equal(data, {1, 2, -2, -2}));
    index_reduce(view, 0, wrap(index), rows, red::without_init(red::mean));
    expect(equal(data, {1, 2, 3, 4}));
    index_fill(view, -1, tensor_view<const int>{at.data(), {1}}, 9);
    expect(equal(data, {1, 9, 3, 9}));
    expect(try_index_copy(view, 0, index, rows).code() == errc::index_out_of_bounds);
    expect(equal(data, {1, 9, 3, 9}));
    expect(try_scatter_update(view, clip(index), rows, 0).ok());
    expect(equal(data, {1, 9, 5, 6}));
  });
}

TEST_CASE("parts: select, diagonal, mask, cache") {
  constify([](auto& expect) {
    std::array<int, 6> data{0, 1, 2, 3, 4, 5};
    const tensor_view<int> view{data.data(), {2, 3}};
    const std::array<int, 3> source{7, 8, 9};
    select_scatter(view, tensor_view<const int>{source.data(), {3}}, 0, -1);
    expect(equal(data, {0, 1, 2, 7, 8, 9}));
    diagonal_scatter(view, tensor_view<const int>{source.data(), {2}}, 1, 0, 1);
    expect(equal(data, {0, 7, 2, 7, 8, 8}));
    const std::array<bool, 6> mask{true, false, false, false, true, false};
    masked_scatter(view, tensor_view<const bool>{mask.data(), {2, 3}}, tensor_view<const int>{source.data(), {3}});
    expect(equal(data, {7, 7, 2, 7, 8, 8}));
    masked_fill(view, tensor_view<const bool>{mask.data(), {2, 3}}, 1);
    expect(equal(data, {1, 7, 2, 7, 1, 8}));
    std::array<int, 8> cache{};
    const std::array<int, 4> update{1, 2, 3, 4};
    const std::array<std::int64_t, 2> first{3, 2};
    onnx::tensor_scatter(tensor_view<int>{cache.data(), {2, 4, 1}}, tensor_view<const int>{update.data(), {2, 2, 1}},
                         tensor_view<const std::int64_t>{first.data(), {2}}, {.mode = onnx::cache_mode::circular});
    expect(equal(cache, {2, 0, 0, 1, 0, 0, 3, 4}));
  });
}

TEST_CASE("shapes that follow from others") {
  constify([](auto& expect) {
    expect(updates_extents(v15::scatter_nd_update, {4, 5, 6}, {2, 3, 2}) == index_list{2, 3, 6});
    expect(updates_extents(onnx::scatter_nd, {4, 5, 6}, {0}) == index_list{4, 5, 6});
    expect(updates_extents(index_add, {4, 5, 6}, -1, {7}) == index_list{4, 5, 7});
    expect(updates_extents(select_scatter, {4, 5, 6}, 1) == index_list{4, 6});
    expect(updates_extents(diagonal_scatter, {4, 5, 6}, -1, 0, 2) == index_list{5, 3});
    index_list unchanged{9};
    expect(try_updates_extents(onnx::scatter_nd, {4}, {2, 2}, unchanged).code() == errc::extent_mismatch);
    expect(unchanged == index_list{9});
  });
}

}  // namespace
}  // namespace strew::test
