// SPDX-License-Identifier: Apache-2.0
// ScatterElementsUpdate-3 (OpenVINO): a copy of data with single elements replaced along one axis.
#ifndef STREW_SCATTER_ELEMENTS_UPDATE_HPP
#define STREW_SCATTER_ELEMENTS_UPDATE_HPP

#include <strew/config.hpp>
#include <strew/detail/front/back_end.hpp>
#include <strew/detail/front/operators.hpp>
#include <strew/detail/plan/tile_width.hpp>
#include <strew/detail/rules/scatter.hpp>
#include <strew/index.hpp>
#include <strew/index_list.hpp>
#include <strew/integer.hpp>
#include <strew/workspace.hpp>

#include <cstddef>
#include <cstdint>

namespace strew::inline STREW_ABI {

// output = data; output[i.., indices[i.., j, k..], k..] = updates[i.., j, k..], where the index stands on `axis`.
//
//   data[d0, .., dr-1], indices[n0, .., nr-1], updates[n0, .., nr-1] -> output[d0, .., dr-1]
//
// r >= 1 and n_k <= d_k on every axis, `axis` itself included. `axis`, a scalar or one element, lies in [-r, r-1]. Each
// index lies in [0, d_axis - 1]: a negative one is an error.
//
// Duplicates: the update that comes last in row-major order of `indices` wins. `output` may be exactly the view `data`
// (in place: only updated elements are written) and must otherwise share no memory with an input; its elements
// are distinct. Errors, all found before the first write: rank_mismatch, too_many_axes, count_mismatch,
// axis_out_of_range, extent_mismatch, repeated_element, overlap, index_out_of_bounds (the first in row-major order is
// named). Should an assignment of T throw, each element of the output holds its old or a new value.
// O(data.size() + updates.size()), no heap. Document: ScatterElementsUpdate-3, OpenVINO.
//
// The forms that take an executor first share the work out to it, where there is enough; the output is the same.
STREW_KEYED inline constexpr detail::indexed_operator<detail::scatter_elements_update_call, detail::by_exception>
    scatter_elements_update;
// Without exceptions: returns what scatter_elements_update throws.
STREW_KEYED inline constexpr detail::indexed_operator<detail::scatter_elements_update_call, detail::by_status>
    try_scatter_elements_update;

// The bytes of a workspace that lets scatter_elements_update, and onnx::scatter, work on tiles of columns where `axis`
// is not the innermost one and is long: for each part of the call on an executor of so many threads. Up to 1024
// elements along the axis it does so anyhow, with wider tiles from here; the output is the same without. 0 where the
// arguments are not legal. O(1).
STREW_KEYED [[nodiscard]] constexpr std::size_t scatter_elements_update_workspace(const index_list& data_extents,
                                                                                  std::int64_t axis,
                                                                                  std::size_t threads = 1) noexcept {
  const std::int64_t k = normalize_axis(axis, data_extents.size());
  if (k == out_of_bounds || data_extents[static_cast<int>(k)] <= 0) return 0;
  const std::int64_t rows = data_extents[static_cast<int>(k)];
  const auto width = static_cast<std::uint64_t>(detail::best_tile_width(rows, int64_max));
  return detail::workspace_size(detail::saturating_multiply(static_cast<std::uint64_t>(rows), width), threads);
}

}  // namespace strew

#endif  // STREW_SCATTER_ELEMENTS_UPDATE_HPP
