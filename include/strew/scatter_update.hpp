// SPDX-License-Identifier: Apache-2.0
// ScatterUpdate-3 (OpenVINO): a copy of data with whole rows of one axis replaced.
#ifndef STREW_SCATTER_UPDATE_HPP
#define STREW_SCATTER_UPDATE_HPP

#include <strew/config.hpp>
#include <strew/detail/front/back_end.hpp>
#include <strew/detail/front/operators.hpp>
#include <strew/detail/plan/bucket_plan.hpp>
#include <strew/detail/rules/operands.hpp>
#include <strew/index.hpp>
#include <strew/index_list.hpp>
#include <strew/status.hpp>
#include <strew/workspace.hpp>

#include <cstddef>
#include <cstdint>

namespace strew::inline STREW_ABI {

// output = data; output[.., indices[i...], ..] = updates[.., i..., ..] for each coordinate i of `indices`, which stand
// on `axis`.
//
//   data[d0, .., dr-1], indices[i0, .., iq-1], updates[d0, .., (axis:) i0, .., iq-1, .., dr-1] -> output[d0, .., dr-1]
//
// r >= 1; q >= 0, so `indices` may be of rank 0. `axis`, a scalar or one element, lies in [-r, r-1]. Each index lies in
// [0, d_axis - 1]: a negative one is an error.
//
// Duplicates: the update that comes last in row-major order of `indices` wins. `output` may be exactly the view `data`
// (in place: only updated elements are written) and must otherwise share no memory with an input; its elements
// are distinct. Errors, all found before the first write: rank_mismatch, too_many_axes, count_mismatch,
// axis_out_of_range, extent_mismatch, repeated_element, overlap, index_out_of_bounds (the first in row-major order is
// named). Should an assignment of T throw, each element of the output holds its old or a new value.
// O(data.size() + updates.size()), no heap. Document: ScatterUpdate-3, OpenVINO.
//
// The forms that take an executor first share the work out to it, where there is enough; the output is the same.
STREW_KEYED inline constexpr detail::indexed_operator<detail::scatter_update_call, detail::by_exception> scatter_update;
// Without exceptions: returns what scatter_update throws.
STREW_KEYED inline constexpr detail::indexed_operator<detail::scatter_update_call, detail::by_status>
    try_scatter_update;

namespace detail::inline STREW_CODE {

// The extents of rows that indices name: data[:axis] + indices + data[axis + 1:].
constexpr status try_rows_updates(const char* operation, const index_list& data, const index_list& indices,
                                  const index_list& axis, index_list& result) noexcept {
  status error;
  int k = 0;
  if (!(check_shape(operation, "data_extents", data, error) &&
        check_shape(operation, "indices_extents", indices, error) && check_data_rank(operation, data.size(), error) &&
        check_single_axis(operation, axis, data.size(), k, error))) {
    return error;
  }
  index_list extents;
  for (int i = 0; i < k; ++i) extents.push_back(data[i]);
  for (int i = 0; i < indices.size(); ++i) extents.push_back(indices[i]);
  for (int i = k + 1; i < data.size(); ++i) extents.push_back(data[i]);
  if (check_shape(operation, "updates", extents, error)) result = extents;
  return error;
}

}  // namespace detail

// The extents that scatter_update asks of `updates`: data[:axis] + indices + data[axis + 1:]. O(rank).
// Errors: rank_mismatch, too_many_axes, negative_extent, count_mismatch, axis_out_of_range.
STREW_KEYED constexpr status try_scatter_update_updates_extents(const index_list& data_extents,
                                                                const index_list& indices_extents,
                                                                const index_list& axis, index_list& result) noexcept {
  return detail::try_rows_updates("scatter_update_updates_extents", data_extents, indices_extents, axis, result);
}

STREW_KEYED [[nodiscard]] constexpr index_list scatter_update_updates_extents(const index_list& data_extents,
                                                                              const index_list& indices_extents,
                                                                              const index_list& axis) {
  index_list result;
  detail::raise_if_error(try_scatter_update_updates_extents(data_extents, indices_extents, axis, result));
  return result;
}

// The bytes of a workspace (strew/workspace.hpp) with which scatter_update is fastest on dense tensors of T with an
// executor of so many threads; 0 where none helps, and where the arguments are not legal. The output is the same with
// less memory or none. It is wanted where rows of at most 32 bytes go to random places of some MiB, those of one
// position of the axes before the scattered one, and are a single element or have, like sizeof(T), a power of two of
// bytes: about 4 bytes and a row for each index, in which the updates are sorted by the block of the output that they
// go to. O(rank).
template <class T>
STREW_KEYED [[nodiscard]] constexpr std::size_t scatter_update_workspace(const index_list& data_extents,
                                                                         const index_list& indices_extents,
                                                                         std::int64_t axis,
                                                                         std::size_t threads = 1) noexcept {
  const detail::scatter_shape shape(data_extents, indices_extents, axis);
  constexpr auto width = static_cast<std::int64_t>(sizeof(T));
  if (shape.rows < 1 || !detail::is_bytewise<T> || !detail::are_row_elements(width, shape.inner)) return 0;
  return detail::bucket_workspace({shape.rows, 1, shape.indices, shape.inner * width}, threads);
}

namespace v3 {
using strew::scatter_update;
using strew::try_scatter_update;
}  // namespace v3

}  // namespace strew

#endif  // STREW_SCATTER_UPDATE_HPP
