// SPDX-License-Identifier: Apache-2.0
// Scatter-9 and -11, ScatterElements-11, -13, -16 and -18 (ONNX).
#ifndef STREW_OPERATORS_SCATTER_ELEMENTS_HPP
#define STREW_OPERATORS_SCATTER_ELEMENTS_HPP

#include <strew/config.hpp>
#include <strew/detail/front/back_end.hpp>
#include <strew/detail/front/operators.hpp>
#include <strew/detail/front/signatures.hpp>
#include <strew/detail/rules/check_scatter.hpp>
#include <strew/operators/reduction.hpp>
#include <strew/view/index.hpp>

namespace strew::inline STREW_ABI {

namespace detail::inline STREW_CODE {
inline constexpr operation_rules onnx_scatter_elements_rules{"onnx::scatter_elements", addressing::elements,
                                                             index_rule::wrapping, true};
}  // namespace detail

namespace onnx {

// output = data; output[i.., indices[i.., j, k..], k..] = updates[i.., j, k..], where the index stands on `axis`.
//
//   data[d0, .., dr-1], indices[n0, .., nr-1], updates[n0, .., nr-1] -> output[d0, .., dr-1]
//
// r >= 1 and n_k <= d_k on every axis but `axis`, where `indices` may be longer than data. `axis` lies in [-r, r-1] and
// is 0 when left out. Each index lies in [-d_axis, d_axis - 1], a negative one counting from the end; version 9 is
// silent about negative indices, so one function serves both versions.
//
// Duplicates: the update that comes last in row-major order of `indices` wins. `output` may be exactly the view `data`
// (in place: only updated elements are written) and must otherwise share no memory with an input; its elements
// are distinct. Errors, all found before the first write: rank_mismatch, too_many_axes, count_mismatch,
// axis_out_of_range, extent_mismatch, repeated_element, overlap, index_out_of_bounds (the first in row-major order is
// named). Should an assignment of T throw, each element of the output holds its old or a new value.
// O(data.size() + updates.size()), no heap. Specification: Scatter-9 and Scatter-11, ONNX.
//
// The forms that take an executor first share the work out to it, where there is enough; the output is the same.
STREW_KEYED inline constexpr strew::detail::throwing<
    strew::detail::scatter_on_axis<strew::detail::onnx_scatter_rules, true>>
    scatter;
// Without exceptions: returns what scatter throws.
STREW_KEYED inline constexpr strew::detail::attempted<
    strew::detail::scatter_on_axis<strew::detail::onnx_scatter_rules, true>>
    try_scatter;

inline constexpr reduction_set scatter_elements_reductions{};

// output = data; output[i.., indices[i.., j, k..], k..] is combined with updates[i.., j, k..], where the index stands
// on `axis`.
//
//   data[d0, .., dr-1], indices[n0, .., nr-1], updates[n0, .., nr-1] -> output[d0, .., dr-1]
//
//   scatter_elements(data, indices, updates, axis, reduction, output)
//
// As v12::scatter_elements_update, with the reductions none, sum (add), prod (mul), max, min and callables, and an axis
// that is 0 when left out. One function serves all versions: callers of version 11 or 13 pass no reduction.
// Errors and complexity are those of v12::scatter_elements_update.
// Specification: ScatterElements-11, -13, -16 and -18, ONNX.
STREW_KEYED inline constexpr strew::detail::throwing<
    strew::detail::on_axis_last<strew::detail::onnx_scatter_elements_rules, scatter_elements_reductions, true>>
    scatter_elements;
// Without exceptions: returns what scatter_elements throws.
STREW_KEYED inline constexpr strew::detail::attempted<
    strew::detail::on_axis_last<strew::detail::onnx_scatter_elements_rules, scatter_elements_reductions, true>>
    try_scatter_elements;

}  // namespace onnx
}  // namespace strew

#endif  // STREW_OPERATORS_SCATTER_ELEMENTS_HPP
