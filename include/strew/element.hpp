// SPDX-License-Identifier: Apache-2.0
// What may be the element of a view.
#ifndef STREW_ELEMENT_HPP
#define STREW_ELEMENT_HPP

#include <strew/config.hpp>

#include <type_traits>

namespace strew::inline STREW_ABI {

// Satisfied by the element types of views: objects that can be assigned by copy.
template <class T>
concept element = std::is_object_v<T> && !std::is_array_v<T> && !std::is_volatile_v<T> &&
                  std::is_copy_assignable_v<std::remove_const_t<T>>;

namespace detail::inline STREW_CODE {

// Whether copying the bytes is the assignment from a const T&.
template <class T>
inline constexpr bool is_bytewise =
    std::is_trivially_copyable_v<T>&& std::is_trivially_copy_assignable_v<T> && !std::is_empty_v<T>;

}  // namespace detail::inline STREW_CODE
}  // namespace strew::inline STREW_ABI

#endif  // STREW_ELEMENT_HPP
