// SPDX-License-Identifier: Apache-2.0
// ScatterElements-11, -13, -16 and -18 (ONNX).
#ifndef STREW_ONNX_SCATTER_ELEMENTS_HPP
#define STREW_ONNX_SCATTER_ELEMENTS_HPP

#include <strew/config.hpp>
#include <strew/detail/front/general.hpp>
#include <strew/detail/front/general_operator.hpp>
#include <strew/detail/front/on_axis.hpp>
#include <strew/detail/front/reduction_memory.hpp>
#include <strew/detail/rules/scatter.hpp>
#include <strew/index.hpp>
#include <strew/index_list.hpp>
#include <strew/reduction.hpp>

#include <cstddef>
#include <cstdint>

namespace strew::inline STREW_ABI {

namespace detail::inline STREW_CODE {
inline constexpr elements_rules onnx_scatter_elements_rules{"onnx::scatter_elements", index_rule::wrapping, true};
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
STREW_KEYED inline constexpr strew::detail::general_operator<
    strew::detail::on_axis_last<strew::detail::onnx_scatter_elements_rules, scatter_elements_reductions, true>,
    strew::detail::by_exception>
    scatter_elements;
// Without exceptions: returns what scatter_elements throws.
STREW_KEYED inline constexpr strew::detail::general_operator<
    strew::detail::on_axis_last<strew::detail::onnx_scatter_elements_rules, scatter_elements_reductions, true>,
    strew::detail::by_status>
    try_scatter_elements;

// The bytes of a workspace, see v12::scatter_elements_update_workspace.
template <class T, class R = strew::reduction::sum_type>
STREW_KEYED [[nodiscard]] constexpr std::size_t scatter_elements_workspace(const index_list& data_extents,
                                                                           const index_list& indices_extents,
                                                                           std::int64_t axis, const R& = {},
                                                                           std::size_t threads = 1) noexcept {
  return strew::detail::reduction_workspace<T, R>(false, data_extents, indices_extents, axis, threads);
}

}  // namespace onnx
}  // namespace strew

#endif  // STREW_ONNX_SCATTER_ELEMENTS_HPP
