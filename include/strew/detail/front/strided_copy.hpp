// SPDX-License-Identifier: Apache-2.0
// Steps of operators that copy into a part of a view.
#ifndef STREW_DETAIL_FRONT_STRIDED_COPY_HPP
#define STREW_DETAIL_FRONT_STRIDED_COPY_HPP

#include <strew/config.hpp>
#include <strew/detail/constant_evaluation.hpp>
#include <strew/detail/front/back_end.hpp>
#include <strew/view/index_list.hpp>
#include <strew/view/layout.hpp>
#include <strew/view/tensor_view.hpp>

#include <cstddef>
#include <cstdint>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// to = from, by loops over a type. Both have the same extents and share no memory; this is not checked.
template <class Ex, class T>
constexpr void assign(Ex& ex, const tensor_view<const T>& from, const tensor_view<T>& to) {
  if (to.empty()) return;
  const auto typed = [&](const execution_context* ctx) {
    typed::for_each_part(ctx, {to.extents(), to.size(), sizeof(T)},
                         [&](const box& part) { typed::copy_data(part, from, to); });
  };
  if (is_constant_evaluated()) {
    typed(nullptr);
  } else {
    run_typed<T>(ex, typed);
  }
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
