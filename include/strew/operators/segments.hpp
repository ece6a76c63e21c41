// SPDX-License-Identifier: Apache-2.0
// Segments by offsets in the place of indices.
#ifndef STREW_OPERATORS_SEGMENTS_HPP
#define STREW_OPERATORS_SEGMENTS_HPP

#include <strew/config.hpp>
#include <strew/detail/external_tensors.hpp>
#include <strew/detail/front/submit_segments.hpp>
#include <strew/detail/mistakes.hpp>
#include <strew/view/as_view.hpp>
#include <strew/view/index.hpp>

#include <type_traits>

namespace strew::inline STREW_ABI {

// Segments in the place of the indices of index_add, index_copy, index_reduce and scatter_update: coordinate s of the
// axis is combined with the updates offsets[s] to offsets[s + 1] - 1, in their order, with the bits of indices in which
// each s stands offsets[s + 1] - offsets[s] times. docs/extensions.md has the contract.
//
//   data[d[0], .., d[r-1]], offsets[d[axis] + 1], updates[d[0], .., (axis:) n, .., d[r-1]]
//
//   strew::index_add(sums, 0, strew::segments(offsets), values);
//
// The first offset is 0, none is less than the one before, and the last is n. A segment without updates leaves data's
// elements. A view is kept by value and a tensor of another library as a view of it, so its elements must outlive the
// call. It also wraps the layout of the offsets of a prepared call. Errors: those of the operator, and of `offsets`
// rank_mismatch, extent_mismatch, index_out_of_bounds and overlap. O(1); the call is O(d[axis] + data.size() +
// updates.size()), in place O(d[axis] + updates.size()), and uses no memory.
template <class Offsets>
STREW_KEYED constexpr auto segments(Offsets&& offsets) noexcept(
    !detail::is_external_tensor<Offsets> && std::is_nothrow_constructible_v<std::remove_cvref_t<Offsets>, Offsets>) {
  constexpr detail::mistake found =
      detail::is_external_tensor<Offsets> ? detail::find_mistake_of_view<Offsets>() : detail::mistake::none;
  if constexpr (!detail::explain<found>()) {
    return segments_by<std::remove_cvref_t<Offsets>>{};
  } else if constexpr (detail::is_external_tensor<Offsets>) {
    return segments_by<detail::viewed<Offsets>>{as_view(static_cast<Offsets&&>(offsets))};
  } else {
    return segments_by<std::remove_cvref_t<Offsets>>{static_cast<Offsets&&>(offsets)};
  }
}

}  // namespace strew

#endif  // STREW_OPERATORS_SEGMENTS_HPP
