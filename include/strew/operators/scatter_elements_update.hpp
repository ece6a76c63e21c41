// SPDX-License-Identifier: Apache-2.0
// ScatterElementsUpdate-3 and -12 (OpenVINO): a copy of data with single elements along one axis replaced or reduced.
#ifndef STREW_OPERATORS_SCATTER_ELEMENTS_UPDATE_HPP
#define STREW_OPERATORS_SCATTER_ELEMENTS_UPDATE_HPP

#include <strew/config.hpp>
#include <strew/detail/front/descriptor.hpp>
#include <strew/detail/front/parse.hpp>
#include <strew/detail/front/submit_reductions.hpp>
#include <strew/detail/mistakes.hpp>
#include <strew/detail/rules/operation.hpp>
#include <strew/operators/reduction_kind.hpp>
#include <strew/view/index.hpp>

namespace strew::inline STREW_ABI {

namespace detail::inline STREW_CODE {
inline constexpr operation scatter_elements_update_operation{
    .rules = scatter_elements_update_rules,
    .arguments = {role::data, role::indices, role::updates, role::axis_options, role::positions},
    .wrong_order = mistake::order_with_axis_last};
}  // namespace detail

// output = data; output[i.., indices[i.., j, k..], k..] = updates[i.., j, k..], with the index on `axis`.
//
//   data[d[0], .., d[r-1]], indices[n[0], .., n[r-1]], updates[n[0], .., n[r-1]] -> output[d[0], .., d[r-1]]
//
//   scatter_elements_update(data, indices, updates, axis, output)
//
// An executor may come first. Without `output` the call is in place. reduction::with_positions(reduction::none,
// numbers) before `output` also stores which update won. r >= 1 and n[k] <= d[k] on every axis, `axis` included.
// `axis`, an integer or a list of one, is in [-r, r - 1]. Each index is in [0, d[axis] - 1]: a negative one is an
// error. One value in the place of `updates` is written to all targets.
//
// Duplicates: the update that comes last in row-major order of `indices` wins. `output` may be exactly the view `data`
// (in place: only updated elements are written). Otherwise it must not share memory with an input. Its elements must be
// distinct. Errors, all found before the first write: rank_mismatch, too_many_axes, count_mismatch, axis_out_of_range,
// extent_mismatch, repeated_element, overlap, index_out_of_bounds (the message names the first bad index in row-major
// order); for one value also value_out_of_range. If an assignment of T throws, each element of the output holds its old
// value, data's, or one of its updates. O(data.size() + updates.size()), in place O(updates.size()); no heap.
// Specification: ScatterElementsUpdate-3, OpenVINO. updates_extents and workspace_bytes of strew/operators/extents.hpp
// give the extents of `updates` and the size of a workspace.
//
// With an executor as the first argument the work is divided among its threads where there is enough; the output is the
// same.
STREW_KEYED inline constexpr detail::throwing<detail::described<detail::scatter_elements_update_operation>>
    scatter_elements_update;
// Without exceptions: returns what scatter_elements_update throws.
STREW_KEYED inline constexpr detail::attempted<detail::described<detail::scatter_elements_update_operation>>
    try_scatter_elements_update;

namespace detail::inline STREW_CODE {
inline constexpr operation_rules scatter_elements_update_12_rules{"scatter_elements_update", addressing::elements,
                                                                  index_rule::wrapping, true};
}  // namespace detail

namespace v12 {

// The reductions of v12::scatter_elements_update.
inline constexpr reduction_set scatter_elements_update_reductions{.has_mean = true, .may_omit_init = true};

}  // namespace v12

namespace detail::inline STREW_CODE {
inline constexpr operation scatter_elements_update_12_operation{
    .rules = scatter_elements_update_12_rules,
    .arguments = {role::data, role::indices, role::updates, role::axis, role::reduction},
    .wrong_order = mistake::order_with_axis_and_reduction,
    .reductions = v12::scatter_elements_update_reductions};
}  // namespace detail

namespace v12 {

// output = data; output[i.., indices[i.., j, k..], k..] is combined with updates[i.., j, k..], with the index on
// `axis`.
//
//   data[d[0], .., d[r-1]], indices[n[0], .., n[r-1]], updates[n[0], .., n[r-1]] -> output[d[0], .., d[r-1]]
//
//   scatter_elements_update(data, indices, updates, axis, reduction, output)
//
// An executor may come first. Without `reduction` it is none. Without `output` the call is in place. r >= 1; `axis` is
// an integer in [-r, r - 1]; n[k] <= d[k] on every axis but `axis`, where `indices` may be longer than data. Each index
// is in [-d[axis], d[axis] - 1], a negative one counting from the end. Reductions: none, sum, prod, min, max, mean (not
// of bool), without_init of all but none, any callable. Updates of one element are applied in row-major order, at every
// number of threads; with none the last wins. One value in the place of `updates` stands for all of them.
//
// `output` may be exactly the view `data` (in place: only updated elements are written). Otherwise it must not share
// memory with an input. Its elements must be distinct. Errors, all found before the first write: rank_mismatch,
// axis_out_of_range, extent_mismatch, repeated_element, overlap, index_out_of_bounds (the message names the first bad
// index in row-major order); for one value also value_out_of_range. If an assignment or a callable throws, each element
// of the output holds its old value, data's, or the result of its first updates. No heap. O(data.size() +
// updates.size()), except for mean and without_init, which keep a state for each element. The stack holds 1,365 (mean
// of integers) to 32,768 (without_init of all but mean) of them, 256 of types that are not trivially copyable. With
// more elements and no workspace the output is computed block by block, and the indices may be read again for each
// block. Specification: ScatterElementsUpdate-12, OpenVINO.
STREW_KEYED inline constexpr strew::detail::throwing<
    strew::detail::described<strew::detail::scatter_elements_update_12_operation>>
    scatter_elements_update;
// Without exceptions: returns what scatter_elements_update throws.
STREW_KEYED inline constexpr strew::detail::attempted<
    strew::detail::described<strew::detail::scatter_elements_update_12_operation>>
    try_scatter_elements_update;

}  // namespace v12

}  // namespace strew

#endif  // STREW_OPERATORS_SCATTER_ELEMENTS_UPDATE_HPP
