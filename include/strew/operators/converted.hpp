// SPDX-License-Identifier: Apache-2.0
// Updates of another element type, as a wrapper of the updates of a call: converted.
#ifndef STREW_OPERATORS_CONVERTED_HPP
#define STREW_OPERATORS_CONVERTED_HPP

#include <strew/config.hpp>
#include <strew/detail/external_tensors.hpp>
#include <strew/detail/front/find_mistake.hpp>
#include <strew/detail/front/operands.hpp>
#include <strew/detail/front/submit_converted.hpp>
#include <strew/detail/mistakes.hpp>
#include <strew/view/as_view.hpp>
#include <strew/view/tensor_view.hpp>

#include <type_traits>

namespace strew::inline STREW_ABI {

// A wrapper for the updates of any operator that takes a tensor of them: each becomes an element of data's type before
// it is combined.
//
//   strew::index_add(table, 0, rows, strew::converted(updates));
//
// Floating-point and integer updates become floating-point elements rounded once, to the nearest, ties to even, and
// infinity beyond the largest; integers become integers modulo 2^bits; bools become 0 or 1 (every byte but 0 is true),
// and numbers true unless they are 0, NaNs too; real numbers become complex ones. Elements have at most 4 KiB.
// Floating-point updates of integer elements other than bool, and complex updates of others, do not compile (with
// run-time types: type_mismatch). Updates may not share memory with the output. A view is kept by value and a tensor of
// another library as a view of it, so its elements must outlive the call. O(1); the call converts updates in blocks of
// at most 16 KiB on the stack. The document is docs/extensions.md.
template <class Updates>
STREW_KEYED constexpr auto converted(Updates&& updates) noexcept(!detail::is_external_tensor<Updates>) {
  using view = std::remove_cvref_t<Updates>;
  if constexpr (detail::is_view<view>) {
    using detail::read_only;
    return detail::converted_updates<std::remove_cvref_t<decltype(read_only(updates))>>{read_only(updates)};
  } else if constexpr (!detail::explain<detail::none_if(detail::is_external_tensor<Updates>,
                                                        detail::mistake::nothing_to_convert)>()) {
    return updates;
  } else {
    return converted(as_view(static_cast<Updates&&>(updates)));
  }
}

// For prepared calls whose updates are of type U, as the last of the arguments that are not tensors:
//
//   strew::prepare<float, int>(strew::index_add, {data, indices, updates}, 0, strew::converted_from<double>);
template <class U>
struct converted_from_type {};
template <class U>
inline constexpr converted_from_type<U> converted_from{};

namespace detail::inline STREW_CODE {

template <class U>
struct converted_type_of<converted_from_type<U>> {
  using type = U;
};

}  // namespace detail
}  // namespace strew

#endif  // STREW_OPERATORS_CONVERTED_HPP
