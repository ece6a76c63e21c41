// SPDX-License-Identifier: Apache-2.0
// Policies for indices that are out of bounds, as wrappers of the indices of a call: drop, clip, wrap, assume_valid.
#ifndef STREW_OPERATORS_INDEX_POLICY_HPP
#define STREW_OPERATORS_INDEX_POLICY_HPP

#include <strew/config.hpp>
#include <strew/detail/external_tensors.hpp>
#include <strew/detail/front/parse.hpp>
#include <strew/detail/front/submit_reductions.hpp>
#include <strew/detail/mistakes.hpp>
#include <strew/view/as_view.hpp>
#include <strew/view/index.hpp>
#include <strew/view/layout.hpp>

#include <span>
#include <type_traits>

namespace strew::inline STREW_ABI {

namespace detail::inline STREW_CODE {

template <class Indices>
inline constexpr bool keeps_without_throwing =
    !is_external_tensor<Indices> && std::is_nothrow_constructible_v<std::remove_cvref_t<Indices>, Indices>;

template <index_policy Policy, class Indices>
constexpr auto with_policy(Indices&& indices) noexcept(keeps_without_throwing<Indices>) {
  using layouts = std::span<const strided_layout>;
  constexpr bool are_layouts = std::is_convertible_v<Indices, layouts>;
  constexpr mistake found =
      is_external_tensor<Indices> && !are_layouts ? find_mistake_of_view<Indices>() : mistake::none;
  if constexpr (are_layouts) {
    return indices_with_policy<Policy, layouts>{indices};
  } else if constexpr (!explain<found>()) {
    return indices_with_policy<Policy, std::remove_cvref_t<Indices>>{};
  } else if constexpr (is_external_tensor<Indices>) {
    return indices_with_policy<Policy, viewed<Indices>>{as_view(static_cast<Indices&&>(indices))};
  } else {
    return indices_with_policy<Policy, std::remove_cvref_t<Indices>>{static_cast<Indices&&>(indices)};
  }
}

}  // namespace detail

// Wrappers for the indices of any operator that takes indices; see index_policy for what each policy does. The order of
// updates stays the same. On an axis of extent 0 `drop` drops all updates, `clip` and `wrap` are errors
// (index_out_of_bounds). A view is kept by value and a tensor of another library as a view of it, so its elements must
// outlive the call. O(1) for views. They also wrap the layout of the indices of a prepared call, or an array of
// layouts.
//
//   strew::scatter_update(data, strew::drop(indices), updates, axis, output);
template <class Indices>
STREW_KEYED constexpr auto drop(Indices&& indices) noexcept(detail::keeps_without_throwing<Indices>) {
  return detail::with_policy<index_policy::drop>(static_cast<Indices&&>(indices));
}
template <class Indices>
STREW_KEYED constexpr auto clip(Indices&& indices) noexcept(detail::keeps_without_throwing<Indices>) {
  return detail::with_policy<index_policy::clip>(static_cast<Indices&&>(indices));
}
template <class Indices>
STREW_KEYED constexpr auto wrap(Indices&& indices) noexcept(detail::keeps_without_throwing<Indices>) {
  return detail::with_policy<index_policy::wrap>(static_cast<Indices&&>(indices));
}
template <class Indices>
STREW_KEYED constexpr auto assume_valid(Indices&& indices) noexcept(detail::keeps_without_throwing<Indices>) {
  return detail::with_policy<index_policy::assume_valid>(static_cast<Indices&&>(indices));
}

}  // namespace strew

#endif  // STREW_OPERATORS_INDEX_POLICY_HPP
