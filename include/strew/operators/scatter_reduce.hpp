// SPDX-License-Identifier: Apache-2.0
// scatter_reduce (PyTorch): a copy of data with single elements along one axis reduced.
#ifndef STREW_OPERATORS_SCATTER_REDUCE_HPP
#define STREW_OPERATORS_SCATTER_REDUCE_HPP

#include <strew/config.hpp>
#include <strew/detail/front/descriptor.hpp>
#include <strew/detail/front/parse.hpp>
#include <strew/detail/front/submit_reductions.hpp>
#include <strew/detail/mistakes.hpp>
#include <strew/detail/rules/operation.hpp>
#include <strew/operators/reduction_kind.hpp>
#include <strew/view/index.hpp>

namespace strew::inline STREW_ABI {

// The reductions of scatter_reduce.
inline constexpr reduction_set scatter_reduce_reductions{.has_none = false, .has_mean = true, .may_omit_init = true};

namespace detail::inline STREW_CODE {

inline constexpr operation_rules scatter_reduce_rules{"scatter_reduce", addressing::elements, index_rule::strict, true};

inline constexpr operation scatter_reduce_operation{
    .rules = scatter_reduce_rules,
    .arguments = {role::data, role::axis, role::indices, role::updates, role::reduction},
    .wrong_order = mistake::order_with_axis_first,
    .reductions = scatter_reduce_reductions,
    .needs_reduction = true};

}  // namespace detail

// output = data; output[i.., index[i.., j, k..], k..] is combined with source[i.., j, k..]: as scatter_add, with the
// reductions sum, prod, mean (not of bool), max (amax), min (amin) and any callable; without_init of a named one for
// include_self = false.
//
//   data[d[0], .., d[r-1]], index[n[0], .., n[r-1]], source[n[0], .., n[r-1]] -> output[d[0], .., d[r-1]]
//
//   scatter_reduce(data, axis, index, source, reduction, output)
//
// Errors and complexity are those of v12::scatter_elements_update. Specification: torch.Tensor.scatter_reduce_.
STREW_KEYED inline constexpr detail::throwing<detail::described<detail::scatter_reduce_operation>> scatter_reduce;
// Without exceptions: returns what scatter_reduce throws.
STREW_KEYED inline constexpr detail::attempted<detail::described<detail::scatter_reduce_operation>> try_scatter_reduce;

}  // namespace strew

#endif  // STREW_OPERATORS_SCATTER_REDUCE_HPP
