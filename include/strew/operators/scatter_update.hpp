// SPDX-License-Identifier: Apache-2.0
// ScatterUpdate-3 (OpenVINO): a copy of data with whole rows of one axis replaced.
#ifndef STREW_OPERATORS_SCATTER_UPDATE_HPP
#define STREW_OPERATORS_SCATTER_UPDATE_HPP

#include <strew/config.hpp>
#include <strew/detail/front/descriptor.hpp>
#include <strew/detail/front/parse.hpp>
#include <strew/detail/front/submit_indices.hpp>
#include <strew/detail/mistakes.hpp>
#include <strew/detail/rules/operation.hpp>

namespace strew::inline STREW_ABI {

namespace detail::inline STREW_CODE {
inline constexpr operation scatter_update_operation{
    .rules = scatter_update_rules,
    .arguments = {role::data, role::indices, role::updates, role::axis_options, role::positions},
    .wrong_order = mistake::order_with_axis_last};
}  // namespace detail

// output = data; output[.., indices[i...], ..] = updates[.., i..., ..] for each coordinate i of `indices`, with the
// index on `axis`.
//
//   data[d[0], .., d[r-1]], indices[n[0], .., n[q-1]],
//   updates[d[0], .., (axis:) n[0], .., n[q-1], .., d[r-1]] -> output[d[0], .., d[r-1]]
//
//   scatter_update(data, indices, updates, axis, output)
//
// An executor may come first. Without `output` the call is in place. reduction::with_positions(reduction::none,
// numbers) before `output` also stores which update won. r >= 1; q >= 0, so `indices` may have rank 0. `axis`, an
// integer or a list of one, is in [-r, r - 1]. Each index is in [0, d[axis] - 1]: a negative one is an error. One value
// in the place of `updates` is written to all targets.
//
// Duplicates: the update that comes last in row-major order of `indices` wins. `output` may be exactly the view `data`
// (in place: only updated elements are written). Otherwise it must not share memory with an input. Its elements must be
// distinct. Errors, all found before the first write: rank_mismatch, too_many_axes, count_mismatch, axis_out_of_range,
// extent_mismatch, repeated_element, overlap, index_out_of_bounds (the message names the first bad index in row-major
// order); for one value also value_out_of_range and size_overflow. If an assignment of T throws, each element of the
// output holds its old value, data's, or one of its updates. O(data.size() + indices.size() + updates.size()), in place
// O(indices.size() + updates.size()); no heap. Specification: ScatterUpdate-3, OpenVINO. updates_extents and
// workspace_bytes of strew/operators/extents.hpp give the extents of `updates` and the size of a workspace.
//
// With an executor as the first argument the work is divided among its threads where there is enough; the output is the
// same.
STREW_KEYED inline constexpr detail::throwing<detail::described<detail::scatter_update_operation>> scatter_update;
// Without exceptions: returns what scatter_update throws.
STREW_KEYED inline constexpr detail::attempted<detail::described<detail::scatter_update_operation>> try_scatter_update;

}  // namespace strew

#endif  // STREW_OPERATORS_SCATTER_UPDATE_HPP
