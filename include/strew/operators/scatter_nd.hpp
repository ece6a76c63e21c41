// SPDX-License-Identifier: Apache-2.0
// ScatterND-11, -13, -16 and -18 (ONNX): a copy of data with slices, addressed by multi-indices, replaced or
// reduced.
#ifndef STREW_OPERATORS_SCATTER_ND_HPP
#define STREW_OPERATORS_SCATTER_ND_HPP

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
inline constexpr operation_rules onnx_scatter_nd_rules{"onnx::scatter_nd", addressing::multi_indices,
                                                       index_rule::wrapping, false, false};
}  // namespace detail

namespace onnx {

// The reductions of scatter_nd.
inline constexpr reduction_set scatter_nd_reductions{};

}  // namespace onnx

namespace detail::inline STREW_CODE {
inline constexpr operation onnx_scatter_nd_operation{
    .rules = onnx_scatter_nd_rules,
    .arguments = {role::data, role::indices, role::updates, role::reduction},
    .wrong_order = mistake::order_of_multi_indices,
    .reductions = onnx::scatter_nd_reductions};
}  // namespace detail

namespace onnx {

// output = data; updates[i.., ..] are combined with output[t, ..] for each multi-index t = indices[i..], in row-major
// order of i...
//
//   data[d[0], .., d[r-1]], indices[n[0], .., n[q-2], k],
//   updates[n[0], .., n[q-2], d[k], .., d[r-1]] -> output[d[0], .., d[r-1]]
//
//   scatter_nd(data, indices, updates, reduction, output)
//
// An executor may come first. Without `reduction` it is none. Without `output` the call is in place. r >= 1, q >= 1, 0
// <= k <= r: with k = 0 each (empty) multi-index addresses all of data. Component j of a multi-index is in [-d_j, d_j -
// 1], a negative one counting from the end. Reductions: none, sum (add), prod (mul), max, min, any callable. One
// function implements all versions: calls of version 11 or 13 pass no reduction. One value in the place of `updates`
// stands for all of them.
//
// `output` may be exactly the view `data` (in place: only updated slices are written). Otherwise it must not share
// memory with an input. Its elements must be distinct. Updates of one element are applied in row-major order, at every
// number of threads; with none the last wins. Errors, all found before the first write: rank_mismatch, extent_mismatch
// (also where k > r), repeated_element, overlap, index_out_of_bounds (the message names the first bad index in
// row-major order; also where slices are empty); for one value also value_out_of_range, too_many_axes and
// size_overflow. If an assignment or a callable throws, each element of the output holds its old value, data's, or the
// result of its first updates. O(data.size() + updates.size() + indices.size()), no heap. Specification: ScatterND-11,
// -13, -16 and -18, ONNX.
STREW_KEYED inline constexpr strew::detail::throwing<strew::detail::described<strew::detail::onnx_scatter_nd_operation>>
    scatter_nd;
// Without exceptions: returns what scatter_nd throws.
STREW_KEYED inline constexpr strew::detail::attempted<
    strew::detail::described<strew::detail::onnx_scatter_nd_operation>>
    try_scatter_nd;

}  // namespace onnx
}  // namespace strew

#endif  // STREW_OPERATORS_SCATTER_ND_HPP
