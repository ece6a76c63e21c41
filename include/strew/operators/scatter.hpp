// SPDX-License-Identifier: Apache-2.0
// scatter (PyTorch): a copy of data with single elements along one axis replaced.
#ifndef STREW_OPERATORS_SCATTER_HPP
#define STREW_OPERATORS_SCATTER_HPP

#include <strew/config.hpp>
#include <strew/detail/front/descriptor.hpp>
#include <strew/detail/front/parse.hpp>
#include <strew/detail/front/submit_indices.hpp>
#include <strew/detail/mistakes.hpp>
#include <strew/detail/rules/operation.hpp>
#include <strew/view/index.hpp>

namespace strew::inline STREW_ABI {

namespace detail::inline STREW_CODE {

inline constexpr operation_rules scatter_rules{"scatter", addressing::elements, index_rule::strict, true};

inline constexpr operation scatter_operation{
    .rules = scatter_rules,
    .arguments = {role::data, role::axis, role::indices, role::updates, role::positions},
    .wrong_order = mistake::order_of_assignment};

}  // namespace detail

// output = data; output[i.., index[i.., j, k..], k..] = source[i.., j, k..], with the index on `axis`.
//
//   data[d[0], .., d[r-1]], index[n[0], .., n[r-1]], source[n[0], .., n[r-1]] -> output[d[0], .., d[r-1]]
//
//   scatter(data, axis, index, source, output)
//
// As scatter_add, but the source that comes last in row-major order wins. reduction::with_positions(reduction::none,
// numbers) before `output` also stores which update won. Errors and complexity are those of scatter_add. Specification:
// torch.Tensor.scatter_.
STREW_KEYED inline constexpr detail::throwing<detail::described<detail::scatter_operation>> scatter;
// Without exceptions: returns what scatter throws.
STREW_KEYED inline constexpr detail::attempted<detail::described<detail::scatter_operation>> try_scatter;

}  // namespace strew

#endif  // STREW_OPERATORS_SCATTER_HPP
