// SPDX-License-Identifier: Apache-2.0
// Steps of operators that are strided copies: into a part of a view, and of one value in the place of many updates.
// What is said here of views of a type has overloads for tensors whose types are known at run time only (dynamic.hpp)
// and for layouts alone (prepare.hpp).
#ifndef STREW_DETAIL_FRONT_STRIDED_COPY_HPP
#define STREW_DETAIL_FRONT_STRIDED_COPY_HPP

#include <strew/config.hpp>
#include <strew/detail/front/back_end.hpp>
#include <strew/detail/front/operands.hpp>
#include <strew/detail/front/signatures.hpp>
#include <strew/detail/rules/check_operands.hpp>
#include <strew/detail/rules/updates_extents.hpp>
#include <strew/status.hpp>
#include <strew/view/index_list.hpp>
#include <strew/view/layout.hpp>
#include <strew/view/slice_spec.hpp>
#include <strew/view/tensor_view.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// to = from, of one shape, in different memory, by the loops for a type. Nothing is checked.
template <class Ex, class T>
constexpr void assign(Ex& ex, const tensor_view<const T>& from, const tensor_view<T>& to) {
  if (to.empty()) return;
  const auto typed = [&](const execution_context* ctx) {
    typed::for_each_part(ctx, {to.extents(), to.size(), sizeof(T)},
                         [&](const box& part) { typed::copy_data(part, from, to); });
  };
  if (std::is_constant_evaluated()) {
    typed(nullptr);
  } else {
    run_typed<T>(ex, typed);
  }
}

// A part of the same memory, which a layout of its own describes.
template <class T>
constexpr tensor_view<T> part_of(const tensor_view<T>& view, std::int64_t offset, const index_list& extents,
                                 const index_list& strides) noexcept {
  strided_layout layout;
  static_cast<void>(strided_layout::try_make(extents, strides, sizeof(T), layout));
  tensor_view<T> part;
  static_cast<void>(tensor_view<T>::try_bind(layout.empty() ? view.data() : view.data() + offset, layout, part));
  return part;
}

// Whether an argument can be the value for elements of a view: what converts to one, or a view of such elements, which
// alone will do where their type is known at run time only.
template <class Value, class Data>
inline constexpr bool is_value_for =
    is_view<Data> &&
    (is_view<Value> ? std::is_same_v<std::remove_const_t<view_element<Value>>, std::remove_const_t<view_element<Data>>>
                    : std::is_convertible_v<const Value&, std::remove_const_t<view_element<Data>>>);

template <class T>
constexpr bool repeat(const char* operation, const tensor_view<const T>& value, const index_list& extents,
                      tensor_view<const T>& result, status& error) noexcept {
  strided_layout layout;
  return make_repeated(operation, value.rank(), extents, sizeof(T), layout, error) &&
         view_operand<const T>(operation, value.data(), layout, "value", result, error);
}

// Whether the compiled library repeats a value.
template <class Data>
inline constexpr bool repeats_in_library = false;
#if STREW_COMPILED
template <class T>
inline constexpr bool repeats_in_library<tensor_view<T>> = is_bytewise<std::remove_const_t<T>>;
#endif

// Calls body(value) with a view of rank 0.
template <class Data, class Value, class Body>
constexpr void with_value(const Value& value, const Body& body) {
  if constexpr (is_view<Value>) {
    body(read_only(value));
  } else {
    using element = std::remove_const_t<view_element<Data>>;
    const element held[] = {static_cast<element>(value)};  // an array, since & may be overloaded
    tensor_view<const element> view;
    static_cast<void>(tensor_view<const element>::try_bind(held, strided_layout::of_one_element(), view));
    body(view);
  }
}

// Calls body(updates) with a view of these extents of nothing but the value. The compiled library repeats it itself.
template <class Data, class Value, class Body>
constexpr void with_repeated(const char* operation, const Value& value, const index_list& extents, status& error,
                             const Body& body) {
  if constexpr (repeats_in_library<Data>) {
    if (!std::is_constant_evaluated()) return with_value<Data>(value, body);
  }
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

#endif  // STREW_DETAIL_FRONT_STRIDED_COPY_HPP
