// SPDX-License-Identifier: Apache-2.0
// ScatterND-11, -13, -16 and -18 (ONNX): slices of data that tuples of indices name.
#ifndef STREW_ONNX_SCATTER_ND_HPP
#define STREW_ONNX_SCATTER_ND_HPP

#include <strew/config.hpp>
#include <strew/detail/front/general.hpp>
#include <strew/detail/front/general_operator.hpp>
#include <strew/detail/front/reduction_memory.hpp>
#include <strew/detail/front/tuples.hpp>
#include <strew/index.hpp>
#include <strew/index_list.hpp>
#include <strew/reduction.hpp>
#include <strew/status.hpp>

#include <cstddef>

namespace strew::inline STREW_ABI {

namespace detail::inline STREW_CODE {
inline constexpr tuple_rules onnx_scatter_nd_rules{"onnx::scatter_nd", index_rule::wrapping, false};
}  // namespace detail

namespace onnx {

inline constexpr reduction_set scatter_nd_reductions{};

// output = data; for each tuple t = indices[i..], in row-major order of i..: output[t, ..] meets updates[i.., ..].
//
//   data[d0, .., dr-1], indices[n0, .., nq-2, k], updates[n0, .., nq-2, dk, .., dr-1] -> output[d0, .., dr-1]
//
//   scatter_nd(data, indices, updates, reduction, output)
//
// with an executor first if there is one; without `reduction` it is none; without `output` in place. r >= 1, q >= 1,
// 0 <= k <= r: the empty tuple of k = 0 names all of data. Number j of a tuple lies in [-d_j, d_j - 1], a negative
// one counting from the end. Reductions: none, sum (add), prod (mul), max, min, any callable. One function serves all
// versions: callers of version 11 or 13 pass no reduction.
//
// `output` may be exactly the view `data` (in place: only updated slices are written) and must otherwise share no
// memory with an input; its elements are distinct. Updates of one element are applied in row-major order, at every
// number of threads; under none the last wins. Errors, all found before the first write: rank_mismatch, extent_mismatch
// (also where k > r), repeated_element, overlap, index_out_of_bounds (the first in row-major order is named, also where
// slices are empty). O(data.size() + updates.size() + indices.size()), no heap. Document: ScatterND-11, -13, -16 and
// -18, ONNX.
STREW_KEYED inline constexpr strew::detail::general_operator<
    strew::detail::on_tuples<strew::detail::onnx_scatter_nd_rules, scatter_nd_reductions>, strew::detail::by_exception>
    scatter_nd;
// Without exceptions: returns what scatter_nd throws.
STREW_KEYED inline constexpr strew::detail::general_operator<
    strew::detail::on_tuples<strew::detail::onnx_scatter_nd_rules, scatter_nd_reductions>, strew::detail::by_status>
    try_scatter_nd;

// The extents that scatter_nd asks of `updates`: indices[:-1] + data[k:]. O(rank).
// Errors: rank_mismatch, too_many_axes, negative_extent, extent_mismatch.
STREW_KEYED constexpr status try_scatter_nd_updates_extents(const index_list& data_extents,
                                                            const index_list& indices_extents,
                                                            index_list& result) noexcept {
  status error;
  static_cast<void>(strew::detail::find_tuple_updates("onnx::scatter_nd_updates_extents", data_extents, indices_extents,
                                                      result, error));
  return error;
}
STREW_KEYED [[nodiscard]] constexpr index_list scatter_nd_updates_extents(const index_list& data_extents,
                                                                          const index_list& indices_extents) {
  index_list result;
  strew::detail::raise_if_error(try_scatter_nd_updates_extents(data_extents, indices_extents, result));
  return result;
}

// The bytes of a workspace (strew/workspace.hpp) with which scatter_nd is fastest on dense tensors of T with these
// extents, shared by so many threads: a few times the updates where many tuples name slices of a few bytes in an output
// that is larger than the cache, else 0. Callables of the caller's use none. O(rank).
template <class T>
STREW_KEYED [[nodiscard]] constexpr std::size_t scatter_nd_workspace(const index_list& data_extents,
                                                                     const index_list& indices_extents,
                                                                     std::size_t threads = 1) noexcept {
  return strew::detail::nd_workspace<T>(data_extents, indices_extents, threads);
}

}  // namespace onnx
}  // namespace strew

#endif  // STREW_ONNX_SCATTER_ND_HPP
