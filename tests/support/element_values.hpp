// SPDX-License-Identifier: Apache-2.0
// Values for every element type of the tests: the n-th value of a type, different from its neighbours, and whether two
// values are the same to the bit.
#ifndef STREW_TESTS_SUPPORT_ELEMENT_VALUES_HPP
#define STREW_TESTS_SUPPORT_ELEMENT_VALUES_HPP

#include <complex>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>

namespace strew::test {

// Three bytes, so that no element but every fourth is aligned to a word.
struct colour {
  std::uint8_t red = 0;
  std::uint8_t green = 0;
  std::uint8_t blue = 0;
  friend bool operator==(const colour&, const colour&) = default;
};

// Forty bytes: more than any register holds.
struct record {
  std::uint64_t words[5] = {};
  friend bool operator==(const record&, const record&) = default;
};

template <class T>
T nth_value(std::uint64_t n) {
  if constexpr (std::is_same_v<T, bool>) {
    return (n * 0x9E3779B97F4A7C15U >> 63) != 0;
  } else if constexpr (std::is_same_v<T, colour>) {
    return {static_cast<std::uint8_t>(n), static_cast<std::uint8_t>(n >> 8), static_cast<std::uint8_t>(~n)};
  } else if constexpr (std::is_same_v<T, record>) {
    return {{n, ~n, n << 32, n + 1, n * n}};
  } else if constexpr (std::is_same_v<T, std::string>) {
    return "element number " + std::to_string(n) + ", too long for the buffer inside a string";
  } else if constexpr (std::is_same_v<T, std::complex<float>> || std::is_same_v<T, std::complex<double>>) {
    using part = typename T::value_type;
    return {static_cast<part>(n), -static_cast<part>(n) / 4};
  } else if constexpr (std::is_integral_v<T> || std::is_floating_point_v<T>) {
    return static_cast<T>(n);
  } else if constexpr (std::is_pointer_v<T>) {
    static std::remove_pointer_t<T> pointees[4096];
    return &pointees[n % 4096];
  } else {
    return static_cast<T>(static_cast<float>(n % 2048));  // a 16-bit float: exact to 2048
  }
}

// Equal to the last bit where bits are all there is to a value: it tells -0.0 from 0.0, and NaNs by their payload.
template <class T>
bool same(const T& a, const T& b) {
  if constexpr (std::is_trivially_copyable_v<T> && !std::is_same_v<T, long double>) {
    return std::memcmp(&a, &b, sizeof(T)) == 0;
  } else {
    return a == b;  // ten of a long double's sixteen bytes count
  }
}

}  // namespace strew::test

#endif  // STREW_TESTS_SUPPORT_ELEMENT_VALUES_HPP
