// SPDX-License-Identifier: Apache-2.0
// scatter_add (PyTorch): a copy of data with updates added to single elements along one axis.
#ifndef STREW_OPERATORS_SCATTER_ADD_HPP
#define STREW_OPERATORS_SCATTER_ADD_HPP

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

inline constexpr operation_rules scatter_add_rules{"scatter_add", addressing::elements, index_rule::strict, true};

inline constexpr operation scatter_add_operation{
    .rules = scatter_add_rules,
    .arguments = {role::data, role::axis, role::indices, role::updates},
    .wrong_order = mistake::order_of_assignment,
    // Those of scatter_reduce, whose functions it shares.
    .reductions = {.has_none = false, .has_mean = true, .may_omit_init = true},
    .combines = reduction_kind::sum};

}  // namespace detail

// output = data; output[i.., index[i.., j, k..], k..] += source[i.., j, k..], with the index on `axis`.
//
//   data[d[0], .., d[r-1]], index[n[0], .., n[r-1]], source[n[0], .., n[r-1]] -> output[d[0], .., d[r-1]]
//
//   scatter_add(data, axis, index, source, output)
//
// An executor may come first. Without `output` the call is in place. r >= 1; `axis` is an integer in [-r, r - 1]; n[k]
// <= d[k] on every axis but `axis`. Each index is in [0, d[axis] - 1]. In PyTorch index may be smaller than source:
// here pass a slice of source. Updates of one element are added in row-major order, at every number of threads. One
// value in the place of `source` stands for all of it. Rules for `output` and errors are those of
// v12::scatter_elements_update. O(data.size() + source.size()), no heap. Specification: torch.Tensor.scatter_add_.
STREW_KEYED inline constexpr detail::throwing<detail::described<detail::scatter_add_operation>> scatter_add;
// Without exceptions: returns what scatter_add throws.
STREW_KEYED inline constexpr detail::attempted<detail::described<detail::scatter_add_operation>> try_scatter_add;

}  // namespace strew

#endif  // STREW_OPERATORS_SCATTER_ADD_HPP
