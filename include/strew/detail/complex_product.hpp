// SPDX-License-Identifier: Apache-2.0
// The product of two std::complex numbers, each step rounded: the same bits in every translation unit and in constant
// evaluation. The standard library's operator* differs on processors with fused multiply-add, which GCC's vectoriser
// uses despite -ffp-contract=off, and in constant evaluation, where GCC rounds the exact product once.
#ifndef STREW_DETAIL_COMPLEX_PRODUCT_HPP
#define STREW_DETAIL_COMPLEX_PRODUCT_HPP

#include <strew/config.hpp>
#include <strew/detail/constant_evaluation.hpp>

#include <concepts>
#include <limits>
#include <type_traits>
#include <utility>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// Satisfied by std::complex and types with its interface; <complex> is not included.
template <class T>
concept complex_like =
    !std::is_integral_v<T> && !std::is_floating_point_v<T> && requires(const T& value, const T& other) {
  typename T::value_type;
  requires std::is_floating_point_v<typename T::value_type>;
  { value.real() } -> std::convertible_to<typename T::value_type>;
  { value.imag() } -> std::convertible_to<typename T::value_type>;
  { value / other } -> std::convertible_to<T>;
};

// Whether a type is std::complex of a floating-point type, without <complex>. Argument-dependent lookup searches the
// namespace of a template template argument, but not that of its bases; no other template of std is complex_like.
template <template <class> class Template>
struct member_of {};
template <class T>
inline constexpr bool is_std_complex = false;
template <template <class> class Template, class V>
  requires complex_like<Template<V>> && requires(const member_of<Template>& argument) {
    move_if_noexcept(argument);
  }
inline constexpr bool is_std_complex<Template<V>> = std::is_same_v<typename Template<V>::value_type, V>;

// ---- Arithmetic on the parts. In constant evaluation compilers reject operations whose result is a NaN, and clang
// those with a NaN operand too, so these cases are computed without arithmetic there.

template <class V>
constexpr bool is_nan_part(V value) noexcept {
  const V& same = value;  // a NaN is not equal to itself
  return value != same;
}
template <class V>
constexpr bool is_infinite_part(V value) noexcept {
  return value > (std::numeric_limits<V>::max)() || value < -(std::numeric_limits<V>::max)();
}

template <class V>
STREW_INLINE V rounded_product(V a, V b) noexcept {
  V product = a * b;
  if constexpr (sizeof(V) <= sizeof(double)) STREW_ROUND(product);  // no processor fuses wider types
  return product;
}
template <class V>
STREW_INLINE constexpr V multiply_parts(V a, V b) noexcept {
  if (!is_constant_evaluated()) return rounded_product(a, b);
  const bool is_invalid = (is_infinite_part(a) && b == V{}) || (a == V{} && is_infinite_part(b));
  return is_nan_part(a) || is_nan_part(b) || is_invalid ? std::numeric_limits<V>::quiet_NaN() : a * b;
}
template <class V>
STREW_INLINE constexpr V add_parts(V a, V b) noexcept {
  if (!is_constant_evaluated()) return a + b;
  const bool is_invalid = is_infinite_part(a) && is_infinite_part(b) && (a < V{}) != (b < V{});
  return is_nan_part(a) || is_nan_part(b) || is_invalid ? std::numeric_limits<V>::quiet_NaN() : a + b;
}

// ---- The product

template <class V>
struct complex_parts {
  V real;
  V imag;
};

// Maps a part of an operand for recover_infinity: a NaN becomes 0; in an infinite operand an infinity becomes 1 with
// its sign, and any other value 0.
template <class V>
constexpr void box_infinities(V& part, bool is_infinite) noexcept {
  if (is_nan_part(part)) part = V{};
  if (is_infinite) part = is_infinite_part(part) ? (part < V{} ? V{-1} : V{1}) : V{};
}

// The product (a + b i) (c + d i) if both of its parts are NaN, by Annex G of C: infinite if an operand is infinite or
// products of parts overflowed. The signs of zeros have no effect here: infinity times a zero sum is NaN.
template <class V>
STREW_COLD constexpr complex_parts<V> recover_infinity(V a, V b, V c, V d) noexcept {
  const bool is_left_infinite = is_infinite_part(a) || is_infinite_part(b);
  const bool is_right_infinite = is_infinite_part(c) || is_infinite_part(d);
  const bool overflows = is_infinite_part(multiply_parts(a, c)) || is_infinite_part(multiply_parts(b, d)) ||
                         is_infinite_part(multiply_parts(a, d)) || is_infinite_part(multiply_parts(b, c));
  constexpr V nan = std::numeric_limits<V>::quiet_NaN();
  if (!is_left_infinite && !is_right_infinite && !overflows) return {nan, nan};
  box_infinities(a, is_left_infinite);
  box_infinities(b, is_left_infinite);
  box_infinities(c, is_right_infinite);
  box_infinities(d, is_right_infinite);
  constexpr V infinity = std::numeric_limits<V>::infinity();
  return {multiply_parts(infinity, add_parts(multiply_parts(a, c), -multiply_parts(b, d))),
          multiply_parts(infinity, add_parts(multiply_parts(a, d), multiply_parts(b, c)))};
}

template <class V>
STREW_INLINE constexpr complex_parts<V> multiply_complex(V a, V b, V c, V d) noexcept {
  const complex_parts<V> product{add_parts(multiply_parts(a, c), -multiply_parts(b, d)),
                                 add_parts(multiply_parts(a, d), multiply_parts(b, c))};
  if (is_nan_part(product.real)) [[unlikely]] {
    if (is_nan_part(product.imag)) return recover_infinity(a, b, c, d);
  }
  return product;
}

// For other types, by their own operator*. GCC fuses none of its products if it is inlined here.
template <class T>
STREW_NOT_FUSED constexpr T multiply_unfused(const T& a, const T& b) {
  return static_cast<T>(a * b);
}

template <complex_like T>
STREW_INLINE constexpr T complex_product(const T& a, const T& b) {
  if constexpr (is_std_complex<T>) {
    const auto product = multiply_complex(a.real(), a.imag(), b.real(), b.imag());
    return T(product.real, product.imag);
  } else {
    return multiply_unfused(a, b);
  }
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_COMPLEX_PRODUCT_HPP
