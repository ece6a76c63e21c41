// SPDX-License-Identifier: Apache-2.0
// How floating-point types are reduced, and the classes of elements.
#ifndef STREW_OPERATORS_FLOATING_HPP
#define STREW_OPERATORS_FLOATING_HPP

#include <strew/config.hpp>
#include <strew/detail/complex_product.hpp>
#include <strew/detail/half_formats.hpp>

#include <concepts>
#include <type_traits>

namespace strew::inline STREW_ABI {

namespace reduction {

// How a floating-point type that is not built into C++ is reduced. Specialise it for your own types:
//
//   template <>
//   struct strew::reduction::floating<bfloat16> {
//     using accumulator = float;  // converts to and from bfloat16; holds the sum of a mean
//     static constexpr bool is_nan(const bfloat16& value) noexcept { return value.is_nan(); }
//   };
//
// sum, sub and prod are computed in the accumulator and rounded at each step; min and max compare in the accumulator
// and propagate NaNs; mean sums and divides in the accumulator and is rounded once.
template <class T>
struct floating;

#if STREW_HAS_FLOAT16
template <>
struct floating<_Float16> {
  using accumulator = float;
  STREW_KEYED static constexpr bool is_nan(_Float16 value) noexcept { return value != value; }
};
#endif
#if defined(__STDCPP_BFLOAT16_T__)
template <>
struct floating<decltype(0.0bf16)> {
  using accumulator = float;
  STREW_KEYED static constexpr bool is_nan(decltype(0.0bf16) value) noexcept { return value != value; }
};
#endif

}  // namespace reduction

namespace detail::inline STREW_CODE {

// ---- The classes of elements

template <class T>
concept has_accumulator = requires {
  typename reduction::floating<T>::accumulator;
};
template <class T>
concept wrapping_integer = std::is_integral_v<T> && !std::is_same_v<T, bool>;
template <class T>
concept native_floating = std::is_floating_point_v<T> && !has_accumulator<T>;
// Unsigned arithmetic in which no product is promoted to a signed type.
template <class T>
struct modular_of {
  using type = typename std::make_unsigned<T>::type;
};
template <class T>
  requires(sizeof(T) < sizeof(unsigned))
struct modular_of<T> {
  using type = unsigned;
};

template <class T>
using accumulator_of = typename reduction::floating<T>::accumulator;
template <has_accumulator T>
constexpr accumulator_of<T> widen(const T& value) noexcept {
  if constexpr (half_element<T>) {
    return widen_half(value);
  } else {
    return static_cast<accumulator_of<T>>(value);
  }
}
template <has_accumulator T>
constexpr T narrow(const accumulator_of<T>& value) {
  if constexpr (half_element<T>) {
    return narrow_to_half<T>(value);
  } else {
    return static_cast<T>(value);
  }
}

template <class T>
constexpr bool is_nan(const T& value) noexcept {
  if constexpr (half_element<T>) {
    return is_nan_of_half(value);
  } else if constexpr (has_accumulator<T>) {
    return reduction::floating<T>::is_nan(value);
  } else if constexpr (std::is_floating_point_v<T>) {
    const T& same = value;  // a NaN is not equal to itself
    return value != same;
  } else if constexpr (complex_like<T>) {
    return is_nan(value.real()) || is_nan(value.imag());
  } else {
    return false;
  }
}
// Whether an element may be a NaN; a complex number is one if either part is.
template <class T>
constexpr bool has_nan() noexcept {
  if constexpr (complex_like<T>) {
    return has_nan<typename T::value_type>();
  } else {
    return has_accumulator<T> || std::is_floating_point_v<T>;
  }
}
// Whether a < b.
template <class T>
constexpr bool is_less(const T& a, const T& b) {
  if constexpr (has_accumulator<T>) {
    return widen(a) < widen(b);
  } else {
    return static_cast<bool>(a < b);
  }
}

template <class T>
concept comparable = has_accumulator<T> || requires(const T& value, const T& other) {
  { value < other } -> std::convertible_to<bool>;
};

template <class T>
concept averaged = !std::is_same_v<T, bool> && (has_accumulator<T> || std::is_arithmetic_v<T> || complex_like<T>);

}  // namespace detail
}  // namespace strew

#endif  // STREW_OPERATORS_FLOATING_HPP
