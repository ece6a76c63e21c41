// SPDX-License-Identifier: Apache-2.0
// What the operands of a call may be, and what the compiler says where they are something else.
#ifndef STREW_DETAIL_FRONT_OPERANDS_HPP
#define STREW_DETAIL_FRONT_OPERANDS_HPP

#include <strew/config.hpp>
#include <strew/integer.hpp>
#include <strew/tensor_view.hpp>

#include <type_traits>

namespace strew::inline STREW_ABI {

// Satisfied when Output can be written and all inputs hold its element type. No operator converts elements.
template <class Output, class... Inputs>
concept scatters_into =
    element<Output> && !std::is_const_v<Output> && (std::is_same_v<std::remove_const_t<Inputs>, Output> && ...);

namespace detail::inline STREW_CODE {

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

template <class T>
inline constexpr bool assigns_without_throwing = std::is_nothrow_copy_assignable_v<T>;
template <>
inline constexpr bool assigns_without_throwing<void> = true;

// Whether data, updates and output can be operands of one call; otherwise the compiler's first error line says what to
// change.
template <class Data, class Updates, class Output>
constexpr bool check_operand_types() noexcept {
  using data = std::remove_const_t<view_element<Data>>;
  using updates = std::remove_const_t<view_element<Updates>>;
  using output = view_element<Output>;
  if constexpr (!is_view<Data>) {
    static_assert(is_view<Data>, "strew: data must be a strew::tensor_view, such as tensor_view{pointer, {2, 3}}");
    return false;
  } else if constexpr (!is_view<Updates>) {
    static_assert(is_view<Updates>,
                  "strew: updates must be a strew::tensor_view, such as tensor_view{pointer, {2, 3}}");
    return false;
  } else if constexpr (!is_view<Output>) {
    static_assert(is_view<Output>, "strew: output must be a strew::tensor_view, such as tensor_view{pointer, {2, 3}}");
    return false;
  } else if constexpr (std::is_const_v<output>) {
    static_assert(!std::is_const_v<output>,
                  "strew: output must have elements that are not const, since it is written; without output, data is");
    return false;
  } else if constexpr (!std::is_same_v<data, output> || !std::is_same_v<updates, output>) {
    static_assert(std::is_same_v<data, output> && std::is_same_v<updates, output>,
                  "strew: data, updates and output must have one element type: operators convert no elements");
    return false;
  } else {
    return true;
  }
}

// The same with indices.
template <class Data, class Indices, class Updates, class Output>
constexpr bool check_scatter_types() noexcept {
  if constexpr (!is_view<Indices>) {
    static_assert(is_view<Indices>,
                  "strew: indices must be a strew::tensor_view, such as tensor_view{pointer, {2, 3}}");
    return false;
  } else if constexpr (!index_integer<view_element<Indices>>) {
    static_assert(
        index_integer<view_element<Indices>>,
        "strew: indices must be integers of 8 to 64 bits, signed or unsigned: not bool, char or floating point");
    return false;
  } else {
    return check_operand_types<Data, Updates, Output>();
  }
}

}  // namespace detail::inline STREW_CODE
}  // namespace strew::inline STREW_ABI

#endif  // STREW_DETAIL_FRONT_OPERANDS_HPP
