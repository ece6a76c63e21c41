// SPDX-License-Identifier: Apache-2.0
// ScatterElementsUpdate-3 and -12 (OpenVINO): a copy of data with single elements replaced along one axis, or reduced.
#ifndef STREW_OPERATORS_SCATTER_ELEMENTS_UPDATE_HPP
#define STREW_OPERATORS_SCATTER_ELEMENTS_UPDATE_HPP

#include <strew/config.hpp>
#include <strew/detail/front/back_end.hpp>
#include <strew/detail/front/operators.hpp>
#include <strew/detail/front/signatures.hpp>
#include <strew/detail/rules/check_scatter.hpp>
#include <strew/operators/reduction.hpp>
#include <strew/view/index.hpp>

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
// O(data.size() + updates.size()), no heap. Specification: ScatterElementsUpdate-3, OpenVINO.
// The extents of updates and the bytes of a workspace: updates_extents, workspace_bytes in strew/operators/extents.hpp.
//
// The forms that take an executor first share the work out to it, where there is enough; the output is the same.
STREW_KEYED inline constexpr detail::throwing<detail::scatter_on_axis<detail::scatter_elements_update_rules>>
    scatter_elements_update;
// Without exceptions: returns what scatter_elements_update throws.
STREW_KEYED inline constexpr detail::attempted<detail::scatter_on_axis<detail::scatter_elements_update_rules>>
    try_scatter_elements_update;

namespace detail::inline STREW_CODE {
inline constexpr operation_rules scatter_elements_update_12_rules{"scatter_elements_update", addressing::elements,
                                                                  index_rule::wrapping, true};
}  // namespace detail

namespace v12 {

inline constexpr reduction_set scatter_elements_update_reductions{.has_mean = true, .may_omit_init = true};

// output = data; output[i.., indices[i.., j, k..], k..] is combined with updates[i.., j, k..], where the index stands
// on `axis`.
//
//   data[d0, .., dr-1], indices[n0, .., nr-1], updates[n0, .., nr-1] -> output[d0, .., dr-1]
//
//   scatter_elements_update(data, indices, updates, axis, reduction, output)
//
// with an executor first if there is one; without `reduction` it is none; without `output` in place. r >= 1; `axis` is
// an integer in [-r, r-1]; n_k <= d_k on every axis but `axis`, where `indices` may be longer than data. Each index
// lies in
// [-d_axis, d_axis - 1], a negative one counting from the end. Reductions: none, sum, prod, min, max, mean (not of
// bool), without_init of all but none, any callable. Updates of one element are applied in row-major order, at every
// number of threads; under none the last wins.
//
// `output` may be exactly the view `data` (in place: only updated elements are written) and must otherwise share no
// memory with an input; its elements are distinct. Errors, all found before the first write: rank_mismatch,
// axis_out_of_range, extent_mismatch, repeated_element, overlap, index_out_of_bounds (the first in row-major order is
// named). Should an assignment or a callable throw, each element of the output holds its old value or one that some of
// its updates made. No heap. O(data.size() + updates.size()), but for mean and without_init where elements are more
// than 4 to 32 thousand and there is no workspace: then the indices are read once for each so many. Specification:
// ScatterElementsUpdate-12, OpenVINO.
STREW_KEYED inline constexpr strew::detail::throwing<
    strew::detail::on_axis_last<strew::detail::scatter_elements_update_12_rules, scatter_elements_update_reductions>>
    scatter_elements_update;
// Without exceptions: returns what scatter_elements_update throws.
STREW_KEYED inline constexpr strew::detail::attempted<
    strew::detail::on_axis_last<strew::detail::scatter_elements_update_12_rules, scatter_elements_update_reductions>>
    try_scatter_elements_update;

}  // namespace v12

}  // namespace strew

#endif  // STREW_OPERATORS_SCATTER_ELEMENTS_UPDATE_HPP
