// SPDX-License-Identifier: Apache-2.0
// Steps of operators that copy into a part of a view.
#ifndef STREW_DETAIL_FRONT_STRIDED_COPY_HPP
#define STREW_DETAIL_FRONT_STRIDED_COPY_HPP

#include <strew/config.hpp>
#include <strew/detail/front/submit.hpp>
#include <strew/detail/typed/typed_slices.hpp>
#include <strew/view/index_list.hpp>
#include <strew/view/layout.hpp>
#include <strew/view/tensor_view.hpp>

#include <cstddef>
#include <cstdint>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// to = from, by loops over a type. Both have the same extents and share no memory; this is not checked.
template <class Ex, class T>
void assign(Ex& ex, const tensor_view<const T>& from, const tensor_view<T>& to) {
  run_typed<T>(ex, [&](const execution_context* ctx) { typed::copy_all(ctx, from, to); });
}

// A view of a part of the same memory.
template <class T>
constexpr tensor_view<T> part_of(const tensor_view<T>& view, std::int64_t offset, const index_list& extents,
                                 const index_list& strides) noexcept {
  strided_layout layout;
  static_cast<void>(strided_layout::try_make(extents, strides, sizeof(T), layout));
  tensor_view<T> part;
  static_cast<void>(tensor_view<T>::try_bind(layout.empty() ? view.data() : view.data() + offset, layout, part));
  return part;
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_FRONT_STRIDED_COPY_HPP
