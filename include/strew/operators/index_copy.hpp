// SPDX-License-Identifier: Apache-2.0
// index_copy (PyTorch): a copy of data with whole rows of one axis replaced.
#ifndef STREW_OPERATORS_INDEX_COPY_HPP
#define STREW_OPERATORS_INDEX_COPY_HPP

#include <strew/config.hpp>
#include <strew/detail/front/descriptor.hpp>
#include <strew/detail/front/parse.hpp>
#include <strew/detail/front/submit_indices.hpp>
#include <strew/detail/mistakes.hpp>
#include <strew/detail/rules/operation.hpp>

namespace strew::inline STREW_ABI {

namespace detail::inline STREW_CODE {

inline constexpr operation_rules index_copy_rules{"index_copy", addressing::rows};

inline constexpr operation index_copy_operation{
    .rules = index_copy_rules,
    .arguments = {role::data, role::axis, role::indices, role::updates, role::positions},
    .wrong_order = mistake::order_of_assignment};

}  // namespace detail

// output = data; output[.., index[i...], ..] = source[.., i..., ..] for each coordinate i of `index`: as index_add, but
// the source that comes last in row-major order of `index` wins.
//
//   data[d[0], .., d[r-1]], index[n[0], .., n[q-1]],
//   source[d[0], .., (axis:) n[0], .., n[q-1], .., d[r-1]] -> output[d[0], .., d[r-1]]
//
//   index_copy(data, axis, index, source, output)
//
// reduction::with_positions(reduction::none, numbers) before `output` also stores which update won. Errors and
// complexity are those of index_add. Specification: torch.Tensor.index_copy_.
STREW_KEYED inline constexpr detail::throwing<detail::described<detail::index_copy_operation>> index_copy;
// Without exceptions: returns what index_copy throws.
STREW_KEYED inline constexpr detail::attempted<detail::described<detail::index_copy_operation>> try_index_copy;

}  // namespace strew

#endif  // STREW_OPERATORS_INDEX_COPY_HPP
