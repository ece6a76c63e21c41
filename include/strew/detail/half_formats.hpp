// SPDX-License-Identifier: Apache-2.0
// The formats of 16-bit floating-point numbers, and their conversions by integer arithmetic: compilers inline them, and
// vectorise those without branches, where a conversion of their own is a call of 11 to 30 ns without F16C.
#ifndef STREW_DETAIL_HALF_FORMATS_HPP
#define STREW_DETAIL_HALF_FORMATS_HPP

#include <strew/config.hpp>
#include <strew/detail/constant_evaluation.hpp>

#include <bit>
#include <cstdint>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

enum class half_format { none, float16, bfloat16 };

// The format of a type whose arithmetic is that of float, rounded once, to the nearest, ties to even. Types of users
// are none of these: their own conversions define their results.
template <class T>
inline constexpr half_format half_format_of = half_format::none;
#if STREW_HAS_FLOAT16
template <>
inline constexpr half_format half_format_of<_Float16> = half_format::float16;
#endif
#if defined(__STDCPP_BFLOAT16_T__)
template <>
inline constexpr half_format half_format_of<decltype(0.0bf16)> = half_format::bfloat16;
#endif
template <class T>
concept half_element = (half_format_of<T> != half_format::none);

// `one` is for single numbers, with branches, which most numbers predict: 4 ns a sum, without 7. `many` is for loops:
// of cases that are all computed masks select one, since compilers vectorise no branch.
enum class converted { one, many };
template <converted How>
STREW_INLINE constexpr std::int32_t select_word(bool condition, std::int32_t selected, std::int32_t other) noexcept {
  if constexpr (How == converted::one) {
    return condition ? selected : other;
  } else {
    return other ^ ((selected ^ other) & -static_cast<std::int32_t>(condition));
  }
}

// In words of 32 bits: exponents and mantissas move to their places. All are signed, as SSE2 compares no others. No
// operand of what a reduction of halves computes is a subnormal float: those cost 100 cycles, or are read as 0.
template <converted How>
STREW_INLINE constexpr float float16_to_float(std::uint16_t bits) noexcept {
  constexpr std::int32_t rebias = 112 << 23;
  const std::int32_t magnitude = bits & 0x7fff;
  const std::int32_t moved = (magnitude << 13) + rebias;
  const auto subnormal = std::bit_cast<std::int32_t>(static_cast<float>(magnitude) * 0x1p-24F);
  std::int32_t result = select_word<How>(magnitude < 0x400, subnormal, moved);
  result += select_word<How>(magnitude < 0x7c00, 0, rebias);  // infinity and NaNs
  return std::bit_cast<float>(static_cast<std::uint32_t>(result) | (bits & 0x8000U) << 16);
}
// NaNs stay NaNs, become quiet and keep the upper bits of their payload, as by F16C.
template <converted How>
STREW_INLINE constexpr std::uint16_t float_to_float16(float value) noexcept {
  const auto word = std::bit_cast<std::uint32_t>(value);
  const auto magnitude = static_cast<std::int32_t>(word & 0x7fffffffU);
  const std::int32_t moved = magnitude >> 13;
  const std::int32_t normal = (magnitude - 0x38000000 + 0xfff + (moved & 1)) >> 13;
  // Of a sum with 0.5 the last bit is that of subnormals, 2^-24.
  const float shifted = std::bit_cast<float>(magnitude) + 0.5F;
  const std::int32_t subnormal = std::bit_cast<std::int32_t>(shifted) - 0x3f000000;
  std::int32_t result = select_word<How>(magnitude < 0x38800000, subnormal, normal);
  result = select_word<How>(magnitude >= 0x47800000, 0x7c00, result);
  result = select_word<How>(magnitude > 0x7f800000, 0x7e00 | (moved & 0x3ff), result);
  return static_cast<std::uint16_t>(static_cast<std::uint32_t>(result) | (word >> 16 & 0x8000U));
}

STREW_INLINE constexpr float bfloat16_to_float(std::uint16_t bits) noexcept {
  return std::bit_cast<float>(std::uint32_t{bits} << 16);
}
STREW_INLINE constexpr std::uint16_t float_to_bfloat16(float value) noexcept {
  const auto word = std::bit_cast<std::uint32_t>(value);
  const bool is_nan = static_cast<std::int32_t>(word & 0x7fffffffU) > 0x7f800000;
  const std::uint32_t rounded = is_nan ? word | 0x400000U : word + 0x7fffU + (word >> 16 & 1U);
  return static_cast<std::uint16_t>(rounded >> 16);
}

// The value of a half, by an instruction if the unit is compiled for a processor that has one.
template <half_element T, converted How = converted::one>
STREW_INLINE constexpr float widen_half(const T& value) noexcept {
  const auto bits = std::bit_cast<std::uint16_t>(value);
  if constexpr (half_format_of<T> == half_format::float16) {
#if STREW_CONVERTS_FLOAT16
    if (!is_constant_evaluated()) return static_cast<float>(std::bit_cast<_Float16>(bits));
#endif
    return float16_to_float<How>(bits);
  } else {
    return bfloat16_to_float(bits);
  }
}
template <half_element T, converted How = converted::one>
STREW_INLINE constexpr T narrow_to_half(float value) noexcept {
  if constexpr (half_format_of<T> == half_format::float16) {
#if STREW_CONVERTS_FLOAT16
    if (!is_constant_evaluated()) return std::bit_cast<T>(static_cast<_Float16>(value));
#endif
    return std::bit_cast<T>(float_to_float16<How>(value));
  } else {
    return std::bit_cast<T>(float_to_bfloat16(value));
  }
}

template <half_element T>
inline constexpr std::int16_t half_infinity = half_format_of<T> == half_format::float16 ? 0x7c00 : 0x7f80;
template <half_element T>
STREW_INLINE constexpr bool is_nan_of_half(const T& value) noexcept {
  return (std::bit_cast<std::uint16_t>(value) & 0x7fff) > half_infinity<T>;
}
// Integers in the order of the values, the same one for both zeros: comparisons without a conversion, of twice as many
// elements a vector. All NaNs are `nan`.
template <half_element T>
STREW_INLINE constexpr std::int16_t order_of_half(const T& value, std::int16_t nan) noexcept {
  const auto bits = std::bit_cast<std::int16_t>(value);
  const auto sign = static_cast<std::int16_t>(bits >> 15);  // 0 or -1
  const auto magnitude = static_cast<std::int16_t>(bits & 0x7fff);
  const auto order = static_cast<std::int16_t>((magnitude ^ sign) - sign);
  return magnitude > half_infinity<T> ? nan : order;
}
// min and max. A NaN comes before all numbers, so that the first one remains.
template <half_element T>
STREW_INLINE constexpr T lesser_half(const T& current, const T& update) noexcept {
  return order_of_half(update, INT16_MIN) < order_of_half(current, INT16_MIN) ? update : current;
}
template <half_element T>
STREW_INLINE constexpr T greater_half(const T& current, const T& update) noexcept {
  return order_of_half(current, INT16_MAX) < order_of_half(update, INT16_MAX) ? update : current;
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_HALF_FORMATS_HPP
