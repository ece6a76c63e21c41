// SPDX-License-Identifier: Apache-2.0
// Strided copies, as steps of operators that are copies into a view: their checks are done.
#ifndef STREW_DETAIL_FRONT_ASSIGN_HPP
#define STREW_DETAIL_FRONT_ASSIGN_HPP

#include <strew/config.hpp>
#include <strew/detail/front/back_end.hpp>
#include <strew/detail/rules/operands.hpp>
#include <strew/index_list.hpp>
#include <strew/layout.hpp>
#include <strew/slice_spec.hpp>
#include <strew/status.hpp>
#include <strew/tensor_view.hpp>

#include <cstdint>
#include <type_traits>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// to = from, of one shape, rank at least 1, in different memory.
template <class Ex, class T>
constexpr void assign(Ex& ex, const tensor_view<const T>& from, const tensor_view<T>& to, status& error) {
  if (!to.empty()) run_call(slice_scatter_call{}, ex, to, from, slice_spec{}, to, error);
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

// Calls body(data, source, output) with views of a type: theirs, or for tensors whose types are known at run time only
// (dynamic.hpp) blocks of as many bytes.
template <class T, class Body>
constexpr void with_typed_views(const char*, const tensor_view<const T>& data, const tensor_view<const T>& source,
                                const tensor_view<T>& output, status&, const Body& body) {
  body(data, source, output);
}

template <class T>
constexpr bool is_same_view(const tensor_view<const T>& data, const tensor_view<T>& output) noexcept {
  return data.data() == output.data() && data.layout() == output.layout();
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_FRONT_ASSIGN_HPP
