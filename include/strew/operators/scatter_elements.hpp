// SPDX-License-Identifier: Apache-2.0
// ScatterElements-11, -13, -16 and -18 (ONNX): a copy of data with single elements along one axis replaced or reduced.
#ifndef STREW_OPERATORS_SCATTER_ELEMENTS_HPP
#define STREW_OPERATORS_SCATTER_ELEMENTS_HPP

#include <strew/config.hpp>
#include <strew/detail/front/descriptor.hpp>
#include <strew/detail/front/parse.hpp>
#include <strew/detail/front/submit_reductions.hpp>
#include <strew/detail/mistakes.hpp>
#include <strew/detail/rules/operation.hpp>
#include <strew/operators/reduction_kind.hpp>
#include <strew/view/index.hpp>

namespace strew::inline STREW_ABI {

namespace onnx {
// The reductions of onnx::scatter_elements.
inline constexpr reduction_set scatter_elements_reductions{};
}  // namespace onnx

namespace detail::inline STREW_CODE {

inline constexpr operation_rules onnx_scatter_elements_rules{"onnx::scatter_elements", addressing::elements,
                                                             index_rule::wrapping, true};

inline constexpr operation onnx_scatter_elements_operation{
    .rules = onnx_scatter_elements_rules,
    .arguments = {role::data, role::indices, role::updates, role::axis, role::reduction},
    .wrong_order = mistake::order_with_axis_and_reduction,
    .reductions = onnx::scatter_elements_reductions,
    .may_omit_axis = true};

}  // namespace detail

namespace onnx {

// output = data; output[i.., indices[i.., j, k..], k..] is combined with updates[i.., j, k..], with the index on
// `axis`.
//
//   data[d[0], .., d[r-1]], indices[n[0], .., n[r-1]], updates[n[0], .., n[r-1]] -> output[d[0], .., d[r-1]]
//
//   scatter_elements(data, indices, updates, axis, reduction, output)
//
// As v12::scatter_elements_update, with the reductions none, sum (add), prod (mul), max, min and callables, and with an
// axis that is 0 if it is left out. One function implements all versions: calls of version 11 or 13 pass no reduction.
// Errors are those of v12::scatter_elements_update. O(data.size() + updates.size()), no heap. Specification:
// ScatterElements-11, -13, -16 and -18, ONNX.
STREW_KEYED inline constexpr strew::detail::throwing<
    strew::detail::described<strew::detail::onnx_scatter_elements_operation>>
    scatter_elements;
// Without exceptions: returns what scatter_elements throws.
STREW_KEYED inline constexpr strew::detail::attempted<
    strew::detail::described<strew::detail::onnx_scatter_elements_operation>>
    try_scatter_elements;

}  // namespace onnx
}  // namespace strew

#endif  // STREW_OPERATORS_SCATTER_ELEMENTS_HPP
