// SPDX-License-Identifier: Apache-2.0
// The element types of views, and how elements are copied.
#ifndef STREW_VIEW_ELEMENT_HPP
#define STREW_VIEW_ELEMENT_HPP

#include <strew/config.hpp>
#include <strew/detail/constant_evaluation.hpp>

#include <type_traits>

namespace strew::inline STREW_ABI {

// Satisfied by the element types of views: object types with copy assignment. Elements are only assigned from a const
// T&, so an element may be a base or a member of a larger object, also of one with members in the element's tail
// padding.
template <class T>
concept element = std::is_object_v<T> && !std::is_array_v<T> && !std::is_volatile_v<T> &&
                  std::is_copy_assignable_v<std::remove_const_t<T>>;

namespace detail::inline STREW_CODE {

// As large as T if `next` is in T's tail padding, or T is empty: then not all bytes of a T belong to it. Compilers
// reuse the tail padding of a class unless it is an aggregate of C++03, and lay out bases as they do this member.
template <class T>
struct followed_by_char {
  STREW_NO_UNIQUE_ADDRESS T first;
  char next;
};

template <class T>
constexpr bool assigns_all_its_bytes() noexcept {
  if constexpr (!std::is_trivially_copyable_v<T> || !std::is_trivially_assignable_v<T&, const T&>) {
    return false;
  } else if constexpr (std::is_class_v<T> || std::is_union_v<T>) {
    return !std::is_empty_v<T> && sizeof(followed_by_char<T>) > sizeof(T);
  } else {
    return true;
  }
}

// Whether copying sizeof(T) bytes is the same as assigning a T from a const T&, also where the T is part of another
// object.
template <class T>
inline constexpr bool is_bytewise = assigns_all_its_bytes<T>();

// Other libraries write booleans whose byte is neither 0 nor 1; to load one as a bool is undefined behaviour. Every
// byte but 0 counts as true, and assignment copies the byte.
constexpr bool is_true(const bool& element) noexcept {
  if (is_constant_evaluated()) return element;
  return *reinterpret_cast<const unsigned char*>(&element) != 0;
}
template <class T>
constexpr void assign(T& to, const T& from) {
  if constexpr (std::is_same_v<T, bool>) {
    if (!is_constant_evaluated()) {
      *reinterpret_cast<unsigned char*>(&to) = *reinterpret_cast<const unsigned char*>(&from);
      return;
    }
  }
  to = from;
}

}  // namespace detail
}  // namespace strew

#endif  // STREW_VIEW_ELEMENT_HPP
