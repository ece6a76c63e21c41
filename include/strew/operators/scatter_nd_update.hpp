// SPDX-License-Identifier: Apache-2.0
// ScatterNDUpdate-3, -14 and -15 (OpenVINO): a copy of data with slices, addressed by multi-indices,
// replaced or reduced.
#ifndef STREW_OPERATORS_SCATTER_ND_UPDATE_HPP
#define STREW_OPERATORS_SCATTER_ND_UPDATE_HPP

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
inline constexpr operation_rules scatter_nd_update_3_rules{"scatter_nd_update", addressing::multi_indices,
                                                           index_rule::strict, false, true};
inline constexpr operation_rules scatter_nd_update_rules{"scatter_nd_update", addressing::multi_indices,
                                                         index_rule::wrapping, false, true};
}  // namespace detail

namespace v14 {

// The reductions of scatter_nd_update.
inline constexpr reduction_set scatter_nd_update_reductions{.has_sub = true};

}  // namespace v14

namespace detail::inline STREW_CODE {
inline constexpr operation scatter_nd_update_operation{
    .rules = scatter_nd_update_rules,
    .arguments = {role::data, role::indices, role::updates, role::reduction},
    .wrong_order = mistake::order_of_multi_indices,
    .reductions = v14::scatter_nd_update_reductions};
inline constexpr operation scatter_nd_update_3_operation{
    .rules = scatter_nd_update_3_rules,
    .arguments = {role::data, role::indices, role::updates, role::reduction},
    .wrong_order = mistake::order_of_multi_indices};
}  // namespace detail

namespace v14 {

// output = data; updates[i.., ..] are combined with output[t, ..] for each multi-index t = indices[i..], in row-major
// order of i...
//
//   data[d[0], .., d[r-1]], indices[n[0], .., n[q-2], k],
//   updates[n[0], .., n[q-2], d[k], .., d[r-1]] -> output[d[0], .., d[r-1]]
//
//   scatter_nd_update(data, indices, updates, reduction, output)
//
// An executor may come first. Without `reduction` it is none. Without `output` the call is in place. r >= 1, q >= 1, 0
// <= k <= r: with k = 0 each (empty) multi-index addresses all of data. Component j of a multi-index is in [-d_j, d_j -
// 1], a negative one counting from the end. With q = 1 and k = r, `updates` may be a view of one element of any rank.
// Reductions: none, sum, sub, prod, min, max, any callable. One value in the place of `updates` stands for all of them.
//
// `output` may be exactly the view `data` (in place: only updated slices are written). Otherwise it must not share
// memory with an input. Its elements must be distinct. Updates of one element are applied in row-major order, at every
// number of threads; with none the last wins. Errors, all found before the first write: rank_mismatch, extent_mismatch
// (also where k > r), repeated_element, overlap, index_out_of_bounds (the message names the first bad index in
// row-major order; also where slices are empty); for one value also value_out_of_range, too_many_axes and
// size_overflow. If an assignment or a callable throws, each element of the output holds its old value, data's, or the
// result of its first updates. O(data.size() + updates.size() + indices.size()), no heap. Specification:
// ScatterNDUpdate-14 and -15, OpenVINO.
STREW_KEYED inline constexpr strew::detail::throwing<
    strew::detail::described<strew::detail::scatter_nd_update_operation>>
    scatter_nd_update;
// Without exceptions: returns what scatter_nd_update throws.
STREW_KEYED inline constexpr strew::detail::attempted<
    strew::detail::described<strew::detail::scatter_nd_update_operation>>
    try_scatter_nd_update;

}  // namespace v14

namespace v3 {

// output = data; output[t, ..] = updates[i.., ..] for each multi-index t = indices[i..], in row-major order of i...
//
//   data[d[0], .., d[r-1]], indices[n[0], .., n[q-2], k],
//   updates[n[0], .., n[q-2], d[k], .., d[r-1]] -> output[d[0], .., d[r-1]]
//
//   scatter_nd_update(data, indices, updates, reduction, output)
//
// As v14::scatter_nd_update, but component j of a multi-index is in [0, d_j - 1]: a negative one is an error. The
// specification has no reductions; `reduction` is none or a callable. Errors and complexity are those of
// v14::scatter_nd_update. Specification: ScatterNDUpdate-3, OpenVINO.
STREW_KEYED inline constexpr strew::detail::throwing<
    strew::detail::described<strew::detail::scatter_nd_update_3_operation>>
    scatter_nd_update;
// Without exceptions: returns what scatter_nd_update throws.
STREW_KEYED inline constexpr strew::detail::attempted<
    strew::detail::described<strew::detail::scatter_nd_update_3_operation>>
    try_scatter_nd_update;

}  // namespace v3
}  // namespace strew

#endif  // STREW_OPERATORS_SCATTER_ND_UPDATE_HPP
