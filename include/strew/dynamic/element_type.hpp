// SPDX-License-Identifier: Apache-2.0
// Element types that are known at run time only.
#ifndef STREW_DYNAMIC_ELEMENT_TYPE_HPP
#define STREW_DYNAMIC_ELEMENT_TYPE_HPP

#include <strew/config.hpp>
#include <strew/detail/mistakes.hpp>
#include <strew/view/element.hpp>

#include <cstdint>
#include <limits>
#include <type_traits>

namespace strew::inline STREW_ABI::dynamic {

// What the bytes of an element mean. Operators that only move elements require the same type of all operands; `opaque`
// matches any kind of the same size.
enum class element_kind : unsigned char {
  opaque,
  boolean,  // every byte but 0 is true
  signed_integer,
  unsigned_integer,
  floating_point,  // IEEE 754, of 2 to 16 bytes
  brain_float,     // bfloat16
  complex,         // two floating-point numbers
};

// An element type: kind and size in bytes.
struct element_type {
  element_kind kind = element_kind::opaque;
  std::int64_t size = 1;  // bytes, at least 1

  // A mistake: the type of a C++ type is element_type_of<T>.
  template <class T, bool IsNever = true>
  static constexpr element_type of() noexcept {
    strew::detail::explain<strew::detail::none_if(!IsNever, strew::detail::mistake::element_type_of_type)>();
    return {};
  }

  friend constexpr bool operator==(const element_type&, const element_type&) = default;
};

namespace detail::inline STREW_CODE {

// That of a number type which is a class.
template <class T>
inline constexpr element_kind kind_of_class = element_kind::opaque;

template <class T>
constexpr element_kind kind_of() noexcept {
#if STREW_HAS_FLOAT16
  if (std::is_same_v<T, _Float16>) return element_kind::floating_point;  // C++20 does not count it among them
#endif
  if constexpr (std::is_same_v<T, bool>) {
    return element_kind::boolean;
  } else if constexpr (std::is_floating_point_v<T>) {
    constexpr bool is_brain_float = sizeof(T) == 2 && std::numeric_limits<T>::digits == 8;
    return is_brain_float ? element_kind::brain_float : element_kind::floating_point;
  } else if constexpr (std::is_integral_v<T>) {
    return std::is_signed_v<T> ? element_kind::signed_integer : element_kind::unsigned_integer;
  } else if constexpr (requires(const T& number) {
                         typename T::value_type;
                         number.real();
                         number.imag();
                       }) {
    constexpr bool is_complex =
        std::is_floating_point_v<typename T::value_type> && sizeof(T) == 2 * sizeof(typename T::value_type);
    return is_complex ? element_kind::complex : element_kind::opaque;
  } else {
    return kind_of_class<T>;
  }
}

// Whether elements of a type that is known at run time only have named reductions.
constexpr bool is_number(const element_type& type) noexcept {
  const std::int64_t size = type.size;
  switch (type.kind) {
    case element_kind::boolean:
      return size == 1;
    case element_kind::signed_integer:
    case element_kind::unsigned_integer:
      return size == 1 || size == 2 || size == 4 || size == 8;
    case element_kind::floating_point:
      return size == 2 || size == 4 || size == 8;
    case element_kind::brain_float:
      return size == 2;
    case element_kind::complex:
      return size == 8 || size == 16;
    default:
      return false;
  }
}

// Whether a number of a type may be a NaN.
constexpr bool may_be_nan(const element_type& type) noexcept {
  return type.kind == element_kind::floating_point || type.kind == element_kind::brain_float ||
         type.kind == element_kind::complex;
}

}  // namespace detail

// The element_type of a C++ type; opaque for types that are none of the kinds.
template <element T>
  requires strew::detail::is_bytewise<std::remove_const_t<T>>
inline constexpr element_type element_type_of{detail::kind_of<std::remove_const_t<T>>(),
                                              static_cast<std::int64_t>(sizeof(T))};

}  // namespace strew::dynamic

#endif  // STREW_DYNAMIC_ELEMENT_TYPE_HPP
