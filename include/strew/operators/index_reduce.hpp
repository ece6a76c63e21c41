// SPDX-License-Identifier: Apache-2.0
// index_reduce (PyTorch): a copy of data with whole rows of one axis reduced.
#ifndef STREW_OPERATORS_INDEX_REDUCE_HPP
#define STREW_OPERATORS_INDEX_REDUCE_HPP

#include <strew/config.hpp>
#include <strew/detail/front/descriptor.hpp>
#include <strew/detail/front/parse.hpp>
#include <strew/detail/front/submit_reductions.hpp>
#include <strew/detail/mistakes.hpp>
#include <strew/detail/rules/operation.hpp>
#include <strew/operators/reduction_kind.hpp>

namespace strew::inline STREW_ABI {

// The reductions of index_reduce.
inline constexpr reduction_set index_reduce_reductions{.has_none = false, .has_mean = true, .may_omit_init = true};

namespace detail::inline STREW_CODE {

inline constexpr operation_rules index_reduce_rules{"index_reduce", addressing::rows};

inline constexpr operation index_reduce_operation{
    .rules = index_reduce_rules,
    .arguments = {role::data, role::axis, role::indices, role::updates, role::reduction},
    .wrong_order = mistake::order_with_axis_first,
    .reductions = index_reduce_reductions,
    .needs_reduction = true};

}  // namespace detail

// output = data; output[.., index[i...], ..] is combined with source[.., i..., ..] for each coordinate i of `index`: as
// index_add, with the reductions prod, mean (not of bool), max (amax), min (amin), sum and any callable; without_init
// of a named one for include_self = false.
//
//   data[d[0], .., d[r-1]], index[n[0], .., n[q-1]],
//   source[d[0], .., (axis:) n[0], .., n[q-1], .., d[r-1]] -> output[d[0], .., d[r-1]]
//
//   index_reduce(data, axis, index, source, reduction, output)
//
// Errors are those of index_add. O(data.size() + index.size() + source.size()), no heap. For mean and without_init this
// requires memory for a state of each row or element, on the stack for 1,365 to 32,768 of them or in a workspace; with
// less the indices are read again for each block of the output (see v12::scatter_elements_update). Specification:
// torch.Tensor.index_reduce_.
STREW_KEYED inline constexpr detail::throwing<detail::described<detail::index_reduce_operation>> index_reduce;
// Without exceptions: returns what index_reduce throws.
STREW_KEYED inline constexpr detail::attempted<detail::described<detail::index_reduce_operation>> try_index_reduce;

}  // namespace strew

#endif  // STREW_OPERATORS_INDEX_REDUCE_HPP
