// SPDX-License-Identifier: Apache-2.0
// The integer types of indices, and saturating arithmetic of 64 bits.
#ifndef STREW_VIEW_INTEGER_HPP
#define STREW_VIEW_INTEGER_HPP

#include <strew/config.hpp>

#include <cstdint>
#include <limits>
#include <type_traits>

namespace strew::inline STREW_ABI {

namespace detail::inline STREW_CODE {

template <class T, class... Candidates>
inline constexpr bool is_one_of = (std::is_same_v<T, Candidates> || ...);

}  // namespace detail

// Satisfied by the signed and unsigned integer types of 8 to 64 bits, const or not, but not by bool and the character
// types.
template <class Integer>
concept index_integer = detail::is_one_of < std::remove_cv_t<Integer>,
signed char, short, int, long, long long, unsigned char, unsigned short, unsigned int, unsigned long,
    unsigned long long > ;

// The largest and the smallest 64-bit signed integer.
inline constexpr std::int64_t int64_max = (std::numeric_limits<std::int64_t>::max)();
inline constexpr std::int64_t int64_min = (std::numeric_limits<std::int64_t>::min)();

namespace detail::inline STREW_CODE {

// Whether a type has values that a 64-bit signed integer cannot represent.
template <class Integer>
inline constexpr bool can_saturate = std::is_unsigned_v<Integer> && sizeof(Integer) == 8;

}  // namespace detail

// The value as a 64-bit signed integer; an unsigned value of 2^63 or more becomes the largest one.
template <index_integer Integer>
STREW_KEYED [[nodiscard]] constexpr std::int64_t saturate(Integer value) noexcept {
  if constexpr (detail::can_saturate<Integer>) {
    return value > static_cast<Integer>(int64_max) ? int64_max : static_cast<std::int64_t>(value);
  } else {
    return static_cast<std::int64_t>(value);
  }
}

namespace detail::inline STREW_CODE {

// |value|, which an unsigned integer can represent even for the smallest value.
[[nodiscard]] constexpr std::uint64_t magnitude(std::int64_t value) noexcept {
  return value < 0 ? std::uint64_t{0} - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value);
}

// a * b, or 2^64 - 1 if that is less.
[[nodiscard]] constexpr std::uint64_t saturating_multiply(std::uint64_t a, std::uint64_t b) noexcept {
  constexpr std::uint64_t most = (std::numeric_limits<std::uint64_t>::max)();
  // The division is slow and almost never needed: factors below 2^32 cannot overflow.
  if (((a | b) >> 32) != 0 && a != 0 && b > most / a) return most;
  return a * b;
}

// a + b, or 2^64 - 1 if that is less.
[[nodiscard]] constexpr std::uint64_t saturating_add(std::uint64_t a, std::uint64_t b) noexcept {
  const std::uint64_t sum = a + b;
  return sum < a ? (std::numeric_limits<std::uint64_t>::max)() : sum;
}

}  // namespace detail
}  // namespace strew

#endif  // STREW_VIEW_INTEGER_HPP
