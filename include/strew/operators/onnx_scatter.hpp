// SPDX-License-Identifier: Apache-2.0
// Scatter-9 and -11 (ONNX): a copy of data with single elements along one axis replaced.
#ifndef STREW_OPERATORS_ONNX_SCATTER_HPP
#define STREW_OPERATORS_ONNX_SCATTER_HPP

#include <strew/config.hpp>
#include <strew/detail/front/descriptor.hpp>
#include <strew/detail/front/parse.hpp>
#include <strew/detail/front/submit_indices.hpp>
#include <strew/detail/mistakes.hpp>
#include <strew/detail/rules/operation.hpp>

namespace strew::inline STREW_ABI {

namespace detail::inline STREW_CODE {

inline constexpr operation onnx_scatter_operation{
    .rules = onnx_scatter_rules,
    .arguments = {role::data, role::indices, role::updates, role::axis_options, role::positions},
    .wrong_order = mistake::order_with_axis_last,
    .may_omit_axis = true};

}  // namespace detail

namespace onnx {

// output = data; output[i.., indices[i.., j, k..], k..] = updates[i.., j, k..], with the index on `axis`.
//
//   data[d[0], .., d[r-1]], indices[n[0], .., n[r-1]], updates[n[0], .., n[r-1]] -> output[d[0], .., d[r-1]]
//
//   scatter(data, indices, updates, axis, output)
//
// An executor may come first. Without `output` the call is in place. reduction::with_positions(reduction::none,
// numbers) before `output` also stores which update won. r >= 1 and n[k] <= d[k] on every axis but `axis`, where
// `indices` may be longer than data. `axis`, an integer or a list of one, is in [-r, r - 1] and 0 if it is left out.
// Each index is in [-d[axis], d[axis] - 1], a negative one counting from the end. Version 9 does not specify negative
// indices, so one function implements both versions. One value in the place of `updates` is written to all targets.
//
// Duplicates: the update that comes last in row-major order of `indices` wins. `output` may be exactly the view `data`
// (in place: only updated elements are written). Otherwise it must not share memory with an input. Its elements must be
// distinct. Errors, all found before the first write: rank_mismatch, too_many_axes, count_mismatch, axis_out_of_range,
// extent_mismatch, repeated_element, overlap, index_out_of_bounds (the message names the first bad index in row-major
// order); for one value also value_out_of_range. If an assignment of T throws, each element of the output holds its old
// value, data's, or one of its updates. O(data.size() + updates.size()), in place O(updates.size()); no heap.
// Specification: Scatter-9 and Scatter-11, ONNX.
//
// With an executor as the first argument the work is divided among its threads where there is enough; the output is the
// same.
STREW_KEYED inline constexpr strew::detail::throwing<strew::detail::described<strew::detail::onnx_scatter_operation>>
    scatter;
// Without exceptions: returns what scatter throws.
STREW_KEYED inline constexpr strew::detail::attempted<strew::detail::described<strew::detail::onnx_scatter_operation>>
    try_scatter;

}  // namespace onnx
}  // namespace strew

#endif  // STREW_OPERATORS_ONNX_SCATTER_HPP
