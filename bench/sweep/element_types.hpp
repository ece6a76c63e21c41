// SPDX-License-Identifier: Apache-2.0
// Arithmetic of the elements that are drawn, as their users write it.
#ifndef STREW_BENCH_SWEEP_ELEMENT_TYPES_HPP
#define STREW_BENCH_SWEEP_ELEMENT_TYPES_HPP

#include "drawn_call.hpp"

#include <bit>
#include <complex>
#include <cstdint>
#include <type_traits>

namespace strew::bench::sweep {

// bfloat16, rounded to nearest even. What is drawn has no NaN.
struct brain_float {
  std::uint16_t bits = 0;

  brain_float() = default;
  explicit brain_float(float value) {
    const auto all = std::bit_cast<std::uint32_t>(value);
    bits = static_cast<std::uint16_t>((all + 0x7fffU + (all >> 16 & 1U)) >> 16);
  }
  explicit operator float() const { return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16); }
};

// float16, rounded to nearest even, by bits: the compiler's own conversion is a call where the processor has none.
struct half {
  std::uint16_t bits = 0;

  half() = default;
  explicit half(float value) {
    const auto all = std::bit_cast<std::uint32_t>(value);
    const std::uint32_t magnitude = all & 0x7fffffffU;
    std::uint32_t rounded = 0;
    if (magnitude >= 0x47800000U) {  // 65536 and more
      rounded = magnitude > 0x7f800000U ? 0x7e00U : 0x7c00U;
    } else if (magnitude < 0x38800000U) {  // subnormal: the addition rounds at the last bit of 0.5, 2^-24
      rounded = std::bit_cast<std::uint32_t>(std::bit_cast<float>(magnitude) + 0.5F) - 0x3f000000U;
    } else {
      rounded = (magnitude - 0x38000000U + 0xfffU + (magnitude >> 13 & 1U)) >> 13;
    }
    bits = static_cast<std::uint16_t>(rounded | (all >> 16 & 0x8000U));
  }
  explicit operator float() const {
    const std::uint32_t magnitude = (bits & 0x7fffU) << 13;
    // The exponent is biased by 15 in place of 127; exact for subnormals too.
    const float scaled = std::bit_cast<float>(magnitude) * 0x1p112F;
    const std::uint32_t finite = std::bit_cast<std::uint32_t>(scaled);
    const std::uint32_t found = magnitude >= 0x0f800000U ? magnitude | 0x7f800000U : finite;
    return std::bit_cast<float>(found | (bits & 0x8000U) << 16);
  }
};

template <class T>
inline constexpr bool is_small_float = std::is_same_v<T, brain_float> || std::is_same_v<T, half>;
template <class T>
inline constexpr bool is_complex_number =
    std::is_same_v<T, std::complex<float>> || std::is_same_v<T, std::complex<double>>;

// Integers wrap around.
template <class T, class Wide>
T plain(const T& a, const T& b, const Wide& operate) {
  if constexpr (is_small_float<T>) {
    return T(operate(static_cast<float>(a), static_cast<float>(b)));
  } else if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(operate(static_cast<std::uint64_t>(a), static_cast<std::uint64_t>(b)));
  } else {
    return operate(a, b);
  }
}
template <class T>
inline T plus(const T& a, const T& b) {
  return plain(a, b, [](const auto& x, const auto& y) { return x + y; });
}
template <class T>
inline T minus(const T& a, const T& b) {
  return plain(a, b, [](const auto& x, const auto& y) { return x - y; });
}
template <class T>
inline T times(const T& a, const T& b) {
  if constexpr (is_complex_number<T>) {
    return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
  } else {
    return plain(a, b, [](const auto& x, const auto& y) { return x * y; });
  }
}
template <class T>
inline bool is_less(const T& a, const T& b) {
  if constexpr (is_complex_number<T>) {
    return a.real() < b.real();  // not drawn
  } else if constexpr (is_small_float<T>) {
    return static_cast<float>(a) < static_cast<float>(b);
  } else {
    return a < b;
  }
}
template <class T>
inline T divided(const T& a, std::int32_t count) {
  if constexpr (is_small_float<T>) {
    return T(static_cast<float>(a) / static_cast<float>(count));
  } else if constexpr (is_complex_number<T>) {
    return a / static_cast<typename T::value_type>(count);
  } else {
    return static_cast<T>(a / static_cast<T>(count));
  }
}

// body.operator()<T>() for the type of the elements.
template <class Body>
auto with_type(element type, const Body& body) {
  switch (type) {
    case element::uint8:
      return body.template operator()<std::uint8_t>();
    case element::int8:
      return body.template operator()<std::int8_t>();
    case element::int16:
      return body.template operator()<std::int16_t>();
    case element::int32:
      return body.template operator()<std::int32_t>();
    case element::int64:
      return body.template operator()<std::int64_t>();
    case element::float16:
      return body.template operator()<half>();
    case element::bfloat16:
      return body.template operator()<brain_float>();
    case element::float32:
      return body.template operator()<float>();
    case element::float64:
      return body.template operator()<double>();
    case element::complex64:
      return body.template operator()<std::complex<float>>();
    default:
      return body.template operator()<std::complex<double>>();
  }
}

}  // namespace strew::bench::sweep

#endif  // STREW_BENCH_SWEEP_ELEMENT_TYPES_HPP
