// SPDX-License-Identifier: Apache-2.0
// masked_scatter (PyTorch): a copy of data with the elements that a mask selects replaced by those of a source.
#ifndef STREW_OPERATORS_MASKED_SCATTER_HPP
#define STREW_OPERATORS_MASKED_SCATTER_HPP

#include <strew/config.hpp>
#include <strew/detail/front/descriptor.hpp>
#include <strew/detail/front/parse.hpp>
#include <strew/detail/front/submit_masks.hpp>
#include <strew/detail/mistakes.hpp>
#include <strew/detail/rules/check_masked.hpp>
#include <strew/detail/rules/operation.hpp>

namespace strew::inline STREW_ABI {

namespace detail::inline STREW_CODE {

inline constexpr operation masked_scatter_operation{.rules = masked_scatter_rules,
                                                    .arguments = {role::data, role::mask, role::updates},
                                                    .wrong_order = mistake::order_of_masked_scatter,
                                                    .takes_value = false};

}  // namespace detail

// output = data; the elements that the mask selects are replaced by those of `source`, both in row-major order.
//
//   data[d[0], .., d[r-1]], mask[d[0], .., d[r-1]], source of any shape -> output[d[0], .., d[r-1]]
//
//   masked_scatter(data, mask, source, output)
//
// An executor may come first. Without `output` the call is in place, and only selected elements are written. r >= 0.
// The source has at least as many elements as the mask selects; further ones are not read. The mask has elements bool,
// char, signed char, unsigned char or std::byte; with tensors of strew/dynamic.hpp it may be one of booleans or of
// integers of one byte, too. An element selects if its byte is not 0.
//
// `output` may be exactly the view `data`. Otherwise it must not share memory with an input. Its elements must be
// distinct. Errors, all found before the first write: rank_mismatch, extent_mismatch, repeated_element, overlap,
// too_few_elements. If an assignment of T throws, each element of the output holds its old or its new value.
// O(data.size()), no heap. Specification: torch.Tensor.masked_scatter_.
STREW_KEYED inline constexpr detail::throwing<detail::described<detail::masked_scatter_operation>> masked_scatter;
// Without exceptions: returns what masked_scatter throws.
STREW_KEYED inline constexpr detail::attempted<detail::described<detail::masked_scatter_operation>> try_masked_scatter;

}  // namespace strew

#endif  // STREW_OPERATORS_MASKED_SCATTER_HPP
