// SPDX-License-Identifier: Apache-2.0
// One value in the place of many updates: a scalar, or a view of rank 0, as a view whose strides are 0.
#ifndef STREW_DETAIL_FRONT_FILL_HPP
#define STREW_DETAIL_FRONT_FILL_HPP

#include <strew/config.hpp>
#include <strew/detail/front/general.hpp>
#include <strew/detail/front/operands.hpp>
#include <strew/index_list.hpp>
#include <strew/layout.hpp>
#include <strew/status.hpp>
#include <strew/tensor_view.hpp>

#include <cstddef>
#include <type_traits>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// Whether an argument can be the value for elements of a view: what converts to one, or a view of such elements, which
// alone will do where their type is known at run time only.
template <class Value, class Data>
inline constexpr bool is_value_for =
    is_view<Data> &&
    (is_view<Value> ? std::is_same_v<std::remove_const_t<view_element<Value>>, std::remove_const_t<view_element<Data>>>
                    : std::is_convertible_v<const Value&, std::remove_const_t<view_element<Data>>>);

// The layout of a value that stands at each coordinate.
constexpr bool make_repeated(const char* operation, int value_rank, const index_list& extents, std::size_t element_size,
                             strided_layout& layout, status& error) noexcept {
  if (value_rank != 0) {
    return refuse(error, errc::rank_mismatch, operation, "value", " has rank {0}, expected 0", {value_rank});
  }
  index_list strides = extents;
  for (int k = 0; k < strides.size(); ++k) strides[k] = 0;
  return make_layout({operation}, extents, strides, element_size, layout, error);
}

// This has an overload in dynamic.hpp.
template <class T>
constexpr bool repeat(const char* operation, const tensor_view<const T>& value, const index_list& extents,
                      tensor_view<const T>& result, status& error) noexcept {
  strided_layout layout;
  return make_repeated(operation, value.rank(), extents, sizeof(T), layout, error) &&
         view_operand<const T>(operation, value.data(), layout, "value", result, error);
}

// Calls body(updates) with a view of these extents of nothing but the value.
template <class Data, class Value, class Body>
constexpr void with_repeated(const char* operation, const Value& value, const index_list& extents, status& error,
                             const Body& body) {
  if constexpr (is_view<Value>) {
    auto updates = read_only(value);
    if (repeat(operation, read_only(value), extents, updates, error)) body(updates);
  } else {
    using element = std::remove_const_t<view_element<Data>>;
    const element held[] = {static_cast<element>(value)};  // an array, since & may be overloaded
    strided_layout layout;
    tensor_view<const element> updates;
    if (make_repeated(operation, 0, extents, sizeof(element), layout, error) &&
        view_operand<const element>(operation, held, layout, "value", updates, error)) {
      body(updates);
    }
  }
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_FRONT_FILL_HPP
