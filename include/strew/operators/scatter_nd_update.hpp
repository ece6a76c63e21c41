// SPDX-License-Identifier: Apache-2.0
// ScatterNDUpdate-3, -14 and -15 (OpenVINO): slices of data that multi-indices address.
#ifndef STREW_OPERATORS_SCATTER_ND_UPDATE_HPP
#define STREW_OPERATORS_SCATTER_ND_UPDATE_HPP

#include <strew/config.hpp>
#include <strew/detail/front/operators.hpp>
#include <strew/detail/front/signatures.hpp>
#include <strew/view/index.hpp>

namespace strew::inline STREW_ABI {

namespace detail::inline STREW_CODE {
inline constexpr operation_rules scatter_nd_update_3_rules{"scatter_nd_update", addressing::multi_indices,
                                                           index_rule::strict, false, true};
inline constexpr operation_rules scatter_nd_update_rules{"scatter_nd_update", addressing::multi_indices,
                                                         index_rule::wrapping, false, true};
}  // namespace detail

namespace v14 {

inline constexpr reduction_set scatter_nd_update_reductions{.has_sub = true};

// output = data; updates[i.., ..] are combined with output[t, ..] for each multi-index t = indices[i..], in row-major
// order of i...
//
//   data[d0, .., dr-1], indices[n0, .., nq-2, k], updates[n0, .., nq-2, dk, .., dr-1] -> output[d0, .., dr-1]
//
//   scatter_nd_update(data, indices, updates, reduction, output)
//
// with an executor first if there is one; without `reduction` it is none; without `output` in place. r >= 1, q >= 1,
// 0 <= k <= r: the empty multi-index of k = 0 names all of data. Number j of a multi-index lies in [-d_j, d_j - 1], a
// negative one counting from the end. Where q = 1 and k = r, updates may be any view of one element. Reductions: none,
// sum, sub, prod, min, max, any callable.
//
// `output` may be exactly the view `data` (in place: only updated slices are written) and must otherwise share no
// memory with an input; its elements are distinct. Updates of one element are applied in row-major order, at every
// number of threads; under none the last wins. Errors, all found before the first write: rank_mismatch, extent_mismatch
// (also where k > r), repeated_element, overlap, index_out_of_bounds (the first in row-major order is named, also where
// slices are empty). O(data.size() + updates.size() + indices.size()), no heap. Specification: ScatterNDUpdate-14 and
// -15, OpenVINO.
STREW_KEYED inline constexpr strew::detail::throwing<
    strew::detail::on_multi_indices<strew::detail::scatter_nd_update_rules, scatter_nd_update_reductions>>
    scatter_nd_update;
// Without exceptions: returns what scatter_nd_update throws.
STREW_KEYED inline constexpr strew::detail::attempted<
    strew::detail::on_multi_indices<strew::detail::scatter_nd_update_rules, scatter_nd_update_reductions>>
    try_scatter_nd_update;

}  // namespace v14

namespace v3 {

// As v14::scatter_nd_update with strict numbers, each in [0, d_j - 1], and without reductions other than callables.
// Specification: ScatterNDUpdate-3, OpenVINO.
STREW_KEYED inline constexpr strew::detail::throwing<
    strew::detail::on_multi_indices<strew::detail::scatter_nd_update_3_rules, strew::detail::only_none>>
    scatter_nd_update;
// Without exceptions: returns what scatter_nd_update throws.
STREW_KEYED inline constexpr strew::detail::attempted<
    strew::detail::on_multi_indices<strew::detail::scatter_nd_update_3_rules, strew::detail::only_none>>
    try_scatter_nd_update;

}  // namespace v3
}  // namespace strew

#endif  // STREW_OPERATORS_SCATTER_ND_UPDATE_HPP
