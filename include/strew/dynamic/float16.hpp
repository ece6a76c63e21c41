// SPDX-License-Identifier: Apache-2.0
// Floating-point types of 16 bits, for compilers without built-in ones. Reductions support them.
#ifndef STREW_DYNAMIC_FLOAT16_HPP
#define STREW_DYNAMIC_FLOAT16_HPP

#include <strew/config.hpp>
#include <strew/operators/reduction.hpp>

#include <bit>
#include <cstdint>

namespace strew::inline STREW_ABI {

namespace dynamic {

// IEEE 754 binary16. Conversions from float round to the nearest, ties to even.
struct float16 {
  std::uint16_t bits = 0;

  float16() = default;
  STREW_KEYED constexpr explicit float16(float value) noexcept {
    const auto word = std::bit_cast<std::uint32_t>(value);
    const std::uint32_t sign = word >> 16 & 0x8000U;
    const std::uint32_t magnitude = word & 0x7fffffffU;
    std::uint32_t result = 0;
    if (magnitude > 0x7f800000U) {
      result = 0x7e00U | (magnitude >> 13 & 0x3ffU);  // NaN, its payload truncated
    } else if (magnitude >= 0x477ff000U) {
      result = 0x7c00U;  // rounds to infinity
    } else if (magnitude >= 0x38800000U) {
      const std::uint32_t rebiased = magnitude - 0x38000000U;
      result = (rebiased + 0xfffU + (rebiased >> 13 & 1U)) >> 13;
    } else if (magnitude >= 0x33000000U) {  // subnormal
      const std::uint32_t shift = 126U - (magnitude >> 23);
      const std::uint32_t mantissa = (magnitude & 0x7fffffU) | 0x800000U;
      const std::uint32_t half = std::uint32_t{1} << (shift - 1U);
      result = mantissa >> shift;
      const std::uint32_t rest = mantissa & (2U * half - 1U);
      if (rest > half || (rest == half && (result & 1U) != 0)) ++result;
    }
    bits = static_cast<std::uint16_t>(sign | result);
  }
  STREW_KEYED constexpr explicit operator float() const noexcept {
    const std::uint32_t sign = (bits & 0x8000U) << 16;
    const std::uint32_t exponent = bits >> 10 & 0x1fU;
    std::uint32_t mantissa = bits & 0x3ffU;
    if (exponent == 0x1fU) return std::bit_cast<float>(sign | 0x7f800000U | mantissa << 13);
    if (exponent != 0) return std::bit_cast<float>(sign | ((exponent + 112U) << 23) | mantissa << 13);
    if (mantissa == 0) return std::bit_cast<float>(sign);
    std::uint32_t scale = 113U;  // normalised
    while ((mantissa & 0x400U) == 0) {
      mantissa <<= 1;
      --scale;
    }
    return std::bit_cast<float>(sign | scale << 23 | (mantissa & 0x3ffU) << 13);
  }
};

// bfloat16: the upper 16 bits of a float. Conversions from float round to the nearest, ties to even.
struct bfloat16 {
  std::uint16_t bits = 0;

  bfloat16() = default;
  STREW_KEYED constexpr explicit bfloat16(float value) noexcept {
    const auto word = std::bit_cast<std::uint32_t>(value);
    const bool is_nan = (word & 0x7fffffffU) > 0x7f800000U;
    const std::uint32_t rounded = is_nan ? word | 0x400000U : word + 0x7fffU + (word >> 16 & 1U);
    bits = static_cast<std::uint16_t>(rounded >> 16);
  }
  STREW_KEYED constexpr explicit operator float() const noexcept {
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
  }
};

}  // namespace dynamic

namespace reduction {

template <>
struct floating<dynamic::float16> {
  using accumulator = float;
  STREW_KEYED static constexpr bool is_nan(const dynamic::float16& value) noexcept {
    return (value.bits & 0x7fffU) > 0x7c00U;
  }
};
template <>
struct floating<dynamic::bfloat16> {
  using accumulator = float;
  STREW_KEYED static constexpr bool is_nan(const dynamic::bfloat16& value) noexcept {
    return (value.bits & 0x7fffU) > 0x7f80U;
  }
};

}  // namespace reduction
}  // namespace strew

#endif  // STREW_DYNAMIC_FLOAT16_HPP
