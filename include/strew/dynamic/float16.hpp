// SPDX-License-Identifier: Apache-2.0
// Floating-point types of 16 bits, for compilers without built-in ones. Reductions support them.
#ifndef STREW_DYNAMIC_FLOAT16_HPP
#define STREW_DYNAMIC_FLOAT16_HPP

#include <strew/config.hpp>
#include <strew/detail/half_formats.hpp>
#include <strew/dynamic/element_type.hpp>
#include <strew/operators/reduction.hpp>

#include <cstdint>

namespace strew::inline STREW_ABI {

namespace dynamic {

// IEEE 754 binary16. Conversions from float round to the nearest, ties to even.
struct float16 {
  std::uint16_t bits = 0;

  float16() = default;
  STREW_KEYED constexpr explicit float16(float value) noexcept
      : bits{strew::detail::float_to_float16<strew::detail::converted::one>(value)} {}
  STREW_KEYED constexpr explicit operator float() const noexcept {
    return strew::detail::float16_to_float<strew::detail::converted::one>(bits);
  }
};

// bfloat16: the upper 16 bits of a float. Conversions from float round to the nearest, ties to even.
struct bfloat16 {
  std::uint16_t bits = 0;

  bfloat16() = default;
  STREW_KEYED constexpr explicit bfloat16(float value) noexcept : bits{strew::detail::float_to_bfloat16(value)} {}
  STREW_KEYED constexpr explicit operator float() const noexcept { return strew::detail::bfloat16_to_float(bits); }
};

namespace detail::inline STREW_CODE {

template <>
inline constexpr element_kind kind_of_class<float16> = element_kind::floating_point;
template <>
inline constexpr element_kind kind_of_class<bfloat16> = element_kind::brain_float;

}  // namespace detail
}  // namespace dynamic

namespace detail::inline STREW_CODE {

template <>
inline constexpr half_format half_format_of<dynamic::float16> = half_format::float16;
template <>
inline constexpr half_format half_format_of<dynamic::bfloat16> = half_format::bfloat16;

}  // namespace detail

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
