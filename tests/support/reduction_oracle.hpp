// SPDX-License-Identifier: Apache-2.0
// What reductions come to, written down as plainly as it goes: a list of pairs (place, update) in the order of the
// updates, and for each place a list of what meets there. Nothing of the library; integers in 128 bits.
#ifndef STREW_TESTS_SUPPORT_REDUCTION_ORACLE_HPP
#define STREW_TESTS_SUPPORT_REDUCTION_ORACLE_HPP

#include "oracle.hpp"
#include "wide.hpp"

#include <strew/operators/reduction.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <map>
#include <string>
#include <type_traits>
#include <vector>

namespace strew::test {

// The upper half of a float, as users write such a type: all it has are conversions. Rounds to nearest even.
struct bfloat16 {
  std::uint16_t bits = 0;

  bfloat16() = default;
  constexpr explicit bfloat16(float value) noexcept {
    const auto word = __builtin_bit_cast(std::uint32_t, value);
    const bool is_nan = (word & 0x7fffffffU) > 0x7f800000U;
    const std::uint32_t rounded = word + 0x7fffU + (word >> 16 & 1U);
    bits = static_cast<std::uint16_t>((is_nan ? word | 0x400000U : rounded) >> 16);
  }
  constexpr explicit operator float() const noexcept {
    return __builtin_bit_cast(float, static_cast<std::uint32_t>(bits) << 16);
  }
};

}  // namespace strew::test

template <>
struct strew::reduction::floating<strew::test::bfloat16> {
  using accumulator = float;
  static constexpr bool is_nan(const strew::test::bfloat16& value) noexcept { return (value.bits & 0x7fffU) > 0x7f80U; }
};

namespace oracle {

enum class kind { none, sum, sub, prod, min, max, mean };

template <class T>
inline constexpr bool is_half = std::is_same_v<T, strew::test::bfloat16>
#if STREW_HAS_FLOAT16
                                || std::is_same_v<T, _Float16>
#endif
    ;
template <class T>
inline constexpr bool is_complex = false;
template <class T>
inline constexpr bool is_complex<std::complex<T>> = true;
template <class T>
inline constexpr bool is_integer = std::is_integral_v<T> && !std::is_same_v<T, bool>;

template <class T>
bool is_nan(const T& value) {
  if constexpr (is_half<T>) {
    return std::isnan(static_cast<float>(value));
  } else if constexpr (std::is_floating_point_v<T>) {
    return std::isnan(value);
  } else if constexpr (is_complex<T>) {
    return std::isnan(value.real()) || std::isnan(value.imag());
  } else {
    return false;
  }
}

// Stops a compiler that fuses a product and a sum.
template <class T>
T stored(T value) {
  volatile T memory = value;
  return memory;
}

// f(what is there, update).
template <class T>
T reduce(kind how, const T& a, const T& b) {
  if (how == kind::none) return b;
  if constexpr (std::is_same_v<T, bool>) {
    if (how == kind::sum || how == kind::max) return a || b;
    return how == kind::sub ? a != b : a && b;
  } else if constexpr (is_integer<T>) {
    const strew::test::wide x(a);
    const strew::test::wide y(b);
    if (how == kind::sum) return static_cast<T>(x + y);
    if (how == kind::sub) return static_cast<T>(x - y);
    if (how == kind::prod) return static_cast<T>(x * y);
    return how == kind::min ? std::min(a, b) : std::max(a, b);
  } else if constexpr (is_half<T>) {
    const auto x = static_cast<float>(a);
    const auto y = static_cast<float>(b);
    if (how == kind::sum) return static_cast<T>(stored(x + y));
    if (how == kind::sub) return static_cast<T>(stored(x - y));
    if (how == kind::prod) return static_cast<T>(stored(x * y));
    if (is_nan(a) || is_nan(b)) return is_nan(a) ? a : b;
    return (how == kind::min ? y < x : x < y) ? b : a;
  } else if constexpr (std::is_floating_point_v<T>) {
    if (how == kind::sum) return stored<T>(a + b);
    if (how == kind::sub) return stored<T>(a - b);
    if (how == kind::prod) return stored<T>(a * b);
    if (is_nan(a) || is_nan(b)) return is_nan(a) ? a : b;
    return (how == kind::min ? b < a : a < b) ? b : a;
  } else if constexpr (is_complex<T>) {
    if (how == kind::sum) return a + b;
    if (how == kind::sub) return a - b;
    // Where both parts are NaN, as C's Annex G says, to which * keeps; else the compiler might fuse its sums.
    using part = typename T::value_type;
    const T product{stored<part>(a.real() * b.real()) - stored<part>(a.imag() * b.imag()),
                    stored<part>(a.real() * b.imag()) + stored<part>(a.imag() * b.real())};
    return std::isnan(product.real()) && std::isnan(product.imag()) ? a * b : product;
  } else {
    if (how == kind::sum) return a + b;
    return (how == kind::min ? b < a : a < b) ? b : a;
  }
}

// The integer q with q * n <= sum < (q + 1) * n, found by halving the range of T.
template <class T>
T floor_quotient(const strew::test::wide& sum, std::int64_t n) {
  strew::test::wide low(std::numeric_limits<T>::min());
  strew::test::wide high(std::numeric_limits<T>::max());
  while (low < high) {
    const strew::test::wide middle = (low + high + strew::test::wide(1)).half();
    if (middle * strew::test::wide(n) <= sum) {
      low = middle;
    } else {
      high = middle - strew::test::wide(1);
    }
  }
  return static_cast<T>(low);
}

template <class T>
T mean(const std::vector<T>& values) {
  const auto n = static_cast<std::int64_t>(values.size());
  if constexpr (is_integer<T>) {
    strew::test::wide sum;
    for (const T& value : values) sum += strew::test::wide(value);
    return floor_quotient<T>(sum, n);
  } else if constexpr (is_half<T>) {
    auto sum = static_cast<float>(values[0]);
    for (std::size_t i = 1; i < values.size(); ++i) sum = stored(sum + static_cast<float>(values[i]));
    return static_cast<T>(sum / static_cast<float>(n));
  } else if constexpr (is_complex<T>) {
    T sum = values[0];
    for (std::size_t i = 1; i < values.size(); ++i) sum += values[i];
    const auto count = static_cast<typename T::value_type>(n);
    return {sum.real() / count, sum.imag() / count};
  } else if constexpr (std::is_floating_point_v<T>) {
    T sum = values[0];
    for (std::size_t i = 1; i < values.size(); ++i) sum = stored<T>(sum + values[i]);
    return sum / static_cast<T>(n);
  } else {
    return values[0];  // no type of the tests that has a mean
  }
}

// Updates in their order and where each goes: row-major positions.
template <class T>
struct update_of {
  std::size_t place;
  T value;
};

// The output for `data` in row-major order.
template <class T>
std::vector<T> reduce_all(const std::vector<T>& data, const std::vector<update_of<T>>& updates, kind how, bool init,
                          bool skips_nan = false) {
  std::map<std::size_t, std::vector<T>> met;
  for (const auto& update : updates) {
    if (!skips_nan || !is_nan(update.value)) met[update.place].push_back(update.value);
  }
  std::vector<T> output(data);
  for (const auto& [place, all] : met) {
    std::vector<T> values;
    if (init && how != kind::none) values.push_back(data[place]);
    for (const auto& value : all) values.push_back(value);
    if (how == kind::mean) {
      output[place] = mean(values);
      continue;
    }
    T result = values[0];
    for (std::size_t i = 1; i < values.size(); ++i) result = reduce<T>(how, result, values[i]);
    output[place] = result;
  }
  return output;
}

// Whether two results are the same: to the bit, but for NaNs that arithmetic makes.
template <class T>
bool agrees(kind how, const T& a, const T& b) {
  const bool is_arithmetic = how != kind::none && how != kind::min && how != kind::max;
  if constexpr (is_complex<T>) {
    if (is_arithmetic && (is_nan(a) || is_nan(b))) return is_nan(a) && is_nan(b);
  }
  if (is_arithmetic && is_nan(a) && is_nan(b)) return true;
  if constexpr (std::is_trivially_copyable_v<T> && !std::is_same_v<T, long double>) {
    return std::memcmp(&a, &b, sizeof(T)) == 0;
  } else {
    return a == b || (is_nan(a) && is_nan(b));
  }
}

}  // namespace oracle

#endif  // STREW_TESTS_SUPPORT_REDUCTION_ORACLE_HPP
