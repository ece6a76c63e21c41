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

// The bytes of a workspace (strew/workspace.hpp) with which scatter_elements_update, and onnx::scatter, are fastest on
// dense tensors of T with an executor of so many threads; 0 where none helps, and where the arguments are not legal.
// The output is the same with less memory or none. It is wanted
//
// - where elements go to random places of some MiB, those of one position of the axes before the scattered one: about
//   (4 + sizeof(T)) bytes for each of its indices, in which the updates are sorted by the block of the output that they
//   go to;
// - else where `axis` is not the innermost one: a few hundred bytes for each of its elements and for each part of the
//   call, in which some columns at a time are scattered. Up to 1024 elements along the axis that is done anyhow, with
//   fewer columns.
//
// O(rank).
template <class T>
STREW_KEYED [[nodiscard]] constexpr std::size_t scatter_elements_update_workspace(const index_list& data_extents,
                                                                                  const index_list& indices_extents,
                                                                                  std::int64_t axis,
                                                                                  std::size_t threads = 1) noexcept {
  const detail::scatter_shape shape(data_extents, indices_extents, axis);
  if (shape.rows < 1 || !detail::is_bytewise<T>) return 0;
  constexpr auto width = static_cast<std::int64_t>(sizeof(T));
  const std::size_t buckets =
      shape.covers ? detail::bucket_workspace({shape.rows, shape.inner, shape.indices / shape.outer, width}, threads)
                   : 0;
  if (buckets > 0 || shape.inner == 1) return buckets;
  const auto tile = static_cast<std::uint64_t>(detail::best_tile_width(shape.rows, int64_max));
  return detail::workspace_size(detail::saturating_multiply(static_cast<std::uint64_t>(shape.rows), tile), threads);
}

}  // namespace strew

#endif  // STREW_SCATTER_ELEMENTS_UPDATE_HPP
