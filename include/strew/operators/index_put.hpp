// SPDX-License-Identifier: Apache-2.0
// index_put (PyTorch): a copy of data with slices, addressed by a tensor of indices for each axis, replaced or added
// to.
#ifndef STREW_OPERATORS_INDEX_PUT_HPP
#define STREW_OPERATORS_INDEX_PUT_HPP

#include <strew/config.hpp>
#include <strew/detail/front/descriptor.hpp>
#include <strew/detail/front/parse.hpp>
#include <strew/detail/front/submit_reductions.hpp>
#include <strew/detail/mistakes.hpp>
#include <strew/detail/rules/operation.hpp>
#include <strew/operators/reduction_kind.hpp>
#include <strew/view/index.hpp>

namespace strew::inline STREW_ABI {

// The reductions of index_put and of put: none, or sum (accumulate).
inline constexpr reduction_set index_put_reductions{.has_prod = false, .has_order = false};

namespace detail::inline STREW_CODE {

inline constexpr operation_rules index_put_rules{"index_put", addressing::tensors, index_rule::wrapping};

inline constexpr operation index_put_operation{.rules = index_put_rules,
                                               .arguments = {role::data, role::tensors, role::updates, role::reduction},
                                               .wrong_order = mistake::order_of_index_put,
                                               .reductions = index_put_reductions};

}  // namespace detail

// output = data; for each coordinate i of the indices, in row-major order: output[indices[0][i], .., indices[k-1][i],
// ..] = values[i, ..], or += with reduction::sum (accumulate).
//
//   data[d[0], .., d[r-1]], std::tuple of k views of indices [n[0], ..],
//   values[n[0], .., d[k], .., d[r-1]] -> output[d[0], .., d[r-1]]
//
//   index_put(data, std::tuple{i0, i1}, values, reduction, output)
//
// An executor may come first. Without `reduction` it is none, and the last of equal multi-indices wins. Without
// `output` the call is in place. 1 <= k <= r; all indices have one shape, their types may differ. Indices on axis j are
// in [-d_j, d_j - 1]. One value in the place of `values` stands for all of them. For masks, slices and new axes in
// PyTorch's tuple pass views instead. A policy wraps the tuple: strew::drop(std::tuple{i0, i1}). Rules for `output` and
// errors are those of v14::scatter_nd_update. O(data.size() + values.size() + k * size of the indices), no heap.
// Specification: torch.Tensor.index_put_.
STREW_KEYED inline constexpr detail::throwing<detail::described<detail::index_put_operation>> index_put;
// Without exceptions: returns what index_put throws.
STREW_KEYED inline constexpr detail::attempted<detail::described<detail::index_put_operation>> try_index_put;

}  // namespace strew

#endif  // STREW_OPERATORS_INDEX_PUT_HPP
