// SPDX-License-Identifier: Apache-2.0
// Scatter-9 and Scatter-11 (ONNX): ScatterElementsUpdate with indices that may count from the end.
#ifndef STREW_ONNX_SCATTER_HPP
#define STREW_ONNX_SCATTER_HPP

#include <strew/config.hpp>
#include <strew/detail/front/back_end.hpp>
#include <strew/detail/front/operators.hpp>

namespace strew::inline STREW_ABI::onnx {

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
// O(data.size() + updates.size()), no heap. Document: Scatter-9 and Scatter-11, ONNX.
//
// The forms that take an executor first share the work out to it, where there is enough; the output is the same.
STREW_KEYED inline constexpr strew::detail::throwing<
    strew::detail::scatter_on_axis<strew::detail::onnx_scatter_rules, true>>
    scatter;
// Without exceptions: returns what scatter throws.
STREW_KEYED inline constexpr strew::detail::attempted<
    strew::detail::scatter_on_axis<strew::detail::onnx_scatter_rules, true>>
    try_scatter;

}  // namespace strew::onnx

#endif  // STREW_ONNX_SCATTER_HPP
