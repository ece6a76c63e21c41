// SPDX-License-Identifier: Apache-2.0
// ScatterUpdate-3 (OpenVINO): a copy of data with whole rows of one axis replaced.
#ifndef STREW_OPERATORS_SCATTER_UPDATE_HPP
#define STREW_OPERATORS_SCATTER_UPDATE_HPP

#include <strew/config.hpp>
#include <strew/detail/front/back_end.hpp>
#include <strew/detail/front/operators.hpp>

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
// O(data.size() + updates.size()), no heap. Specification: ScatterUpdate-3, OpenVINO.
// The extents of updates and the bytes of a workspace: updates_extents, workspace_bytes in strew/operators/extents.hpp.
//
// The forms that take an executor first share the work out to it, where there is enough; the output is the same.
STREW_KEYED inline constexpr detail::throwing<detail::scatter_on_axis<detail::scatter_update_rules>> scatter_update;
// Without exceptions: returns what scatter_update throws.
STREW_KEYED inline constexpr detail::attempted<detail::scatter_on_axis<detail::scatter_update_rules>>
    try_scatter_update;

}  // namespace strew

#endif  // STREW_OPERATORS_SCATTER_UPDATE_HPP
