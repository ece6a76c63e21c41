// SPDX-License-Identifier: Apache-2.0
// put (PyTorch, NumPy): a copy of data with elements, addressed by row-major numbers, replaced or added to.
#ifndef STREW_OPERATORS_PUT_HPP
#define STREW_OPERATORS_PUT_HPP

#include <strew/config.hpp>
#include <strew/detail/front/descriptor.hpp>
#include <strew/detail/front/parse.hpp>
#include <strew/detail/front/submit_reductions.hpp>
#include <strew/detail/mistakes.hpp>
#include <strew/detail/rules/operation.hpp>
#include <strew/operators/reduction_kind.hpp>
#include <strew/view/index.hpp>

namespace strew::inline STREW_ABI {

namespace detail::inline STREW_CODE {

inline constexpr operation_rules put_rules{"put", addressing::numbers, index_rule::wrapping};

inline constexpr operation put_operation{.rules = put_rules,
                                         .arguments = {role::data, role::indices, role::updates, role::reduction},
                                         .wrong_order = mistake::order_of_put,
                                         .reductions = {.has_prod = false, .has_order = false}};

}  // namespace detail

// output = data; for each coordinate i of `index`, in row-major order: the element of the output with row-major number
// index[i] is replaced by source[i], or += source[i] with reduction::sum (accumulate).
//
//   data[d[0], .., d[r-1]], index[n[0], ..], source[n[0], ..] -> output[d[0], .., d[r-1]]
//
//   put(data, index, source, reduction, output)
//
// An executor may come first. Without `reduction` it is none, and the last of equal numbers wins. Without `output` the
// call is in place. r >= 1. Numbers count the elements of the view in row-major order of its coordinates, whatever its
// strides, and are in [-size, size - 1]. One value in the place of `source` stands for all of it. Rules for `output`
// are those of v14::scatter_nd_update. Errors, all found before the first write: rank_mismatch, extent_mismatch,
// repeated_element, overlap, index_out_of_bounds; for one value also value_out_of_range. O(data.size() +
// source.size()), no heap; calls on views that are not row-major run on one thread. Specification: torch.Tensor.put_,
// numpy.put (with strew::clip or strew::wrap for its modes).
STREW_KEYED inline constexpr detail::throwing<detail::described<detail::put_operation>> put;
// Without exceptions: returns what put throws.
STREW_KEYED inline constexpr detail::attempted<detail::described<detail::put_operation>> try_put;

}  // namespace strew

#endif  // STREW_OPERATORS_PUT_HPP
