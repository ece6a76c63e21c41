// SPDX-License-Identifier: Apache-2.0
// Numbers of one type as elements of another, as docs/extensions.md says it: the nearest of all floating-point numbers
// is searched among their bits.
#ifndef STREW_TESTS_SUPPORT_CONVERSION_ORACLE_HPP
#define STREW_TESTS_SUPPORT_CONVERSION_ORACLE_HPP

#include "reduction_oracle.hpp"
#include "with_oracle_type.hpp"

#include <strew/dynamic/element_type.hpp>

#include <bit>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

namespace oracle {

// The bits of a format: of the exponent and of the mantissa.
struct float_format {
  int exponent = 0;
  int mantissa = 0;
};
template <class T>
constexpr float_format format_of() {
  if constexpr (std::is_same_v<T, strew::test::bfloat16>) return {8, 7};
  if constexpr (sizeof(T) == 2) return {5, 10};
  if constexpr (sizeof(T) == 4) return {8, 23};
  return {11, 52};
}
// The value of the bits of a positive number; infinity and what is beyond it as if exponents had one more.
inline long double value_of_bits(std::uint64_t bits, float_format format) {
  const std::uint64_t exponent = bits >> format.mantissa;
  const auto mantissa = static_cast<long double>(bits & ((std::uint64_t{1} << format.mantissa) - 1));
  const int bias = (1 << (format.exponent - 1)) - 1;
  if (exponent == 0) return std::ldexp(mantissa, 1 - bias - format.mantissa);
  const long double one = std::ldexp(1.0L, format.mantissa);
  return std::ldexp(one + mantissa, static_cast<int>(exponent) - bias - format.mantissa);
}
template <class T>
std::uint64_t bits_of_number(const T& value) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof value);
  if constexpr (std::endian::native == std::endian::big) bits >>= 64 - 8 * sizeof value;
  return bits;
}

template <class T>
inline constexpr bool is_float = !std::is_integral_v<T> && !is_complex<T>;

// Any real number; a NaN and infinities as such.
template <class U>
long double real_number(const U& value) {
  if constexpr (is_float<U>) {
    const float_format format = format_of<U>();
    const std::uint64_t bits = bits_of_number(value);
    const std::uint64_t infinity = ((std::uint64_t{1} << format.exponent) - 1) << format.mantissa;
    const std::uint64_t sign = std::uint64_t{1} << (8 * sizeof value - 1);
    const std::uint64_t magnitude = bits & ~sign;
    const long double number = magnitude > infinity    ? std::numeric_limits<long double>::quiet_NaN()
                               : magnitude == infinity ? std::numeric_limits<long double>::infinity()
                                                       : value_of_bits(magnitude, format);
    return (bits & sign) != 0 ? -number : number;
  } else {
    return static_cast<long double>(value);
  }
}
// The number of T that is nearest to a real one, ties to even.
template <class T>
T nearest(long double value) {
  const float_format format = format_of<T>();
  const std::uint64_t infinity = ((std::uint64_t{1} << format.exponent) - 1) << format.mantissa;
  const long double magnitude = std::fabs(value);
  std::uint64_t bits = 0;
  if (std::isnan(value)) {
    bits = infinity + (std::uint64_t{1} << (format.mantissa - 1));
  } else {
    std::uint64_t above = infinity;  // the first number that is larger, or infinity
    std::uint64_t at_most = 0;
    while (above - at_most > 1) {
      const std::uint64_t middle = at_most + (above - at_most) / 2;
      (value_of_bits(middle, format) <= magnitude ? at_most : above) = middle;
    }
    const long double to_lower = magnitude - value_of_bits(at_most, format);
    const long double to_upper = value_of_bits(above, format) - magnitude;
    bits = to_lower < to_upper || (!(to_upper < to_lower) && at_most % 2 == 0) ? at_most : above;
    if (std::isinf(magnitude)) bits = infinity;
  }
  if (std::signbit(value)) bits |= std::uint64_t{1} << (8 * sizeof(T) - 1);
  if constexpr (std::endian::native == std::endian::big) bits <<= 64 - 8 * sizeof(T);
  T result;
  std::memcpy(static_cast<void*>(&result), &bits, sizeof result);
  return result;
}

template <class T, class U>
constexpr bool is_converted_to() {
  if (std::is_same_v<T, U>) return false;
  if (is_complex<U>) return is_complex<T>;
  return std::is_same_v<T, bool> || !std::is_integral_v<T> || std::is_integral_v<U>;
}

// An element of the bytes of an update.
template <class T, class U>
T convert(const char* from) {
  if constexpr (is_complex<T>) {
    using part = typename T::value_type;
    if constexpr (is_complex<U>) {
      using from_part = typename U::value_type;
      return T(convert<part, from_part>(from), convert<part, from_part>(from + sizeof(from_part)));
    } else {
      return T(convert<part, U>(from), part{});
    }
  } else if constexpr (std::is_same_v<U, bool>) {
    const unsigned char one = *from != 0 ? 1 : 0;
    return convert<T, unsigned char>(reinterpret_cast<const char*>(&one));
  } else {
    U value;
    std::memcpy(&value, from, sizeof value);
    if constexpr (std::is_same_v<T, U>) {
      return value;
    } else if constexpr (std::is_same_v<T, bool>) {
      return !(real_number(value) == 0.0L);
    } else if constexpr (std::is_integral_v<T>) {
      std::uint64_t bits = static_cast<std::uint64_t>(value);
      if constexpr (sizeof(T) < 8) bits &= (std::uint64_t{1} << (8 * sizeof(T))) - 1;
      return static_cast<T>(bits);
    } else {
      return nearest<T>(real_number(value));
    }
  }
}

}  // namespace oracle

#endif  // STREW_TESTS_SUPPORT_CONVERSION_ORACLE_HPP
