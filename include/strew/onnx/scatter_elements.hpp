// SPDX-License-Identifier: Apache-2.0
// ScatterElements-11, -13, -16 and -18 (ONNX).
#ifndef STREW_ONNX_SCATTER_ELEMENTS_HPP
#define STREW_ONNX_SCATTER_ELEMENTS_HPP

#include <strew/config.hpp>
#include <strew/detail/front/operators.hpp>
#include <strew/detail/front/signatures.hpp>
#include <strew/detail/rules/scatter.hpp>
#include <strew/index.hpp>
#include <strew/reduction.hpp>

namespace strew::inline STREW_ABI {

namespace detail::inline STREW_CODE {
inline constexpr operation_rules onnx_scatter_elements_rules{"onnx::scatter_elements", addressing::elements,
                                                             index_rule::wrapping, true};
}  // namespace detail

namespace onnx {

inline constexpr reduction_set scatter_elements_reductions{};

// output = data; output[i.., indices[i.., j, k..], k..] meets updates[i.., j, k..], where the index stands on `axis`.
//
//   data[d0, .., dr-1], indices[n0, .., nr-1], updates[n0, .., nr-1] -> output[d0, .., dr-1]
//
//   scatter_elements(data, indices, updates, axis, reduction, output)
//
// As v12::scatter_elements_update, with the reductions none, sum (add), prod (mul), max, min and callables, and an axis
// that is 0 when left out. One function serves all versions: callers of version 11 or 13 pass no reduction.
// Errors and complexity are those of v12::scatter_elements_update.
// Document: ScatterElements-11, -13, -16 and -18, ONNX.
STREW_KEYED inline constexpr strew::detail::throwing<
    strew::detail::on_axis_last<strew::detail::onnx_scatter_elements_rules, scatter_elements_reductions, true>>
    scatter_elements;
// Without exceptions: returns what scatter_elements throws.
STREW_KEYED inline constexpr strew::detail::attempted<
    strew::detail::on_axis_last<strew::detail::onnx_scatter_elements_rules, scatter_elements_reductions, true>>
    try_scatter_elements;

}  // namespace onnx
}  // namespace strew

#endif  // STREW_ONNX_SCATTER_ELEMENTS_HPP
