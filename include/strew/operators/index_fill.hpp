// SPDX-License-Identifier: Apache-2.0
// index_fill (PyTorch): a copy of data with whole rows of one axis set to one value.
#ifndef STREW_OPERATORS_INDEX_FILL_HPP
#define STREW_OPERATORS_INDEX_FILL_HPP

#include <strew/config.hpp>
#include <strew/detail/front/descriptor.hpp>
#include <strew/detail/front/parse.hpp>
#include <strew/detail/front/submit_reductions.hpp>
#include <strew/detail/mistakes.hpp>
#include <strew/detail/rules/operation.hpp>
#include <strew/view/index.hpp>

namespace strew::inline STREW_ABI {

namespace detail::inline STREW_CODE {

inline constexpr operation_rules index_fill_rules{"index_fill", addressing::rows, index_rule::wrapping};

inline constexpr operation index_fill_operation{.rules = index_fill_rules,
                                                .arguments = {role::data, role::axis, role::indices, role::value},
                                                .wrong_order = mistake::order_of_index_fill};

}  // namespace detail

// output = data; output[.., index[i...], ..] = value for each coordinate i of `index`, with the index on `axis`.
//
//   data[d[0], .., d[r-1]], index[n[0], .., n[q-1]] -> output[d[0], .., d[r-1]]
//
//   index_fill(data, axis, index, value, output)
//
// An executor may come first. Without `output` the call is in place. r >= 1; `axis` is an integer in [-r, r - 1]. Each
// index is in [-d[axis], d[axis] - 1], a negative one counting from the end. The value is a scalar that converts to the
// element type, or a view of rank 0 that shares no memory with the output. Rules for `output` and errors are those of
// scatter_update except count_mismatch. O(data.size() + index.size() + elements written), no heap. Specification:
// torch.Tensor.index_fill_.
STREW_KEYED inline constexpr detail::throwing<detail::described<detail::index_fill_operation>> index_fill;
// Without exceptions: returns what index_fill throws.
STREW_KEYED inline constexpr detail::attempted<detail::described<detail::index_fill_operation>> try_index_fill;

}  // namespace strew

#endif  // STREW_OPERATORS_INDEX_FILL_HPP
