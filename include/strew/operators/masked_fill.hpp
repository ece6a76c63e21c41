// SPDX-License-Identifier: Apache-2.0
// masked_fill (PyTorch): a copy of data with the elements that a mask selects set to one value.
#ifndef STREW_OPERATORS_MASKED_FILL_HPP
#define STREW_OPERATORS_MASKED_FILL_HPP

#include <strew/config.hpp>
#include <strew/detail/front/descriptor.hpp>
#include <strew/detail/front/parse.hpp>
#include <strew/detail/front/submit_masks.hpp>
#include <strew/detail/mistakes.hpp>
#include <strew/detail/rules/check_masked.hpp>
#include <strew/detail/rules/operation.hpp>

namespace strew::inline STREW_ABI {

namespace detail::inline STREW_CODE {

inline constexpr operation masked_fill_operation{.rules = masked_fill_rules,
                                                 .arguments = {role::data, role::mask, role::value},
                                                 .wrong_order = mistake::order_of_masked_fill};

}  // namespace detail

// output = data; the elements that the mask selects are replaced by the value: as masked_scatter, with one value.
//
//   data[d[0], .., d[r-1]], mask[d[0], .., d[r-1]] -> output[d[0], .., d[r-1]]
//
//   masked_fill(data, mask, value, output)
//
// The value is a scalar that converts to the element type, or a view of rank 0 that shares no memory with the output.
// Errors are those of masked_scatter except too_few_elements; also value_out_of_range. O(data.size()), no heap.
// Specification: torch.Tensor.masked_fill_.
STREW_KEYED inline constexpr detail::throwing<detail::described<detail::masked_fill_operation>> masked_fill;
// Without exceptions: returns what masked_fill throws.
STREW_KEYED inline constexpr detail::attempted<detail::described<detail::masked_fill_operation>> try_masked_fill;

}  // namespace strew

#endif  // STREW_OPERATORS_MASKED_FILL_HPP
