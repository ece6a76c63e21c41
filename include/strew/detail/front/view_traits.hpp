// SPDX-License-Identifier: Apache-2.0
// What a view is of.
#ifndef STREW_DETAIL_FRONT_VIEW_TRAITS_HPP
#define STREW_DETAIL_FRONT_VIEW_TRAITS_HPP

#include <strew/config.hpp>
#include <strew/tensor_view.hpp>

#include <type_traits>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// The element type of a view, const or not; void for anything else.
template <class Operand>
struct view_traits {
  using element_type = void;
};
template <class T>
struct view_traits<tensor_view<T>> {
  using element_type = T;
};
template <class Operand>
using view_element = typename view_traits<std::remove_cvref_t<Operand>>::element_type;
template <class Operand>
inline constexpr bool is_view = !std::is_void_v<view_element<Operand>>;

}  // namespace strew::detail

#endif  // STREW_DETAIL_FRONT_VIEW_TRAITS_HPP
