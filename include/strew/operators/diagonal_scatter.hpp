// SPDX-License-Identifier: Apache-2.0
// diagonal_scatter (PyTorch): a copy of data with a diagonal replaced.
#ifndef STREW_OPERATORS_DIAGONAL_SCATTER_HPP
#define STREW_OPERATORS_DIAGONAL_SCATTER_HPP

#include <strew/config.hpp>
#include <strew/detail/front/descriptor.hpp>
#include <strew/detail/front/parse.hpp>
#include <strew/detail/front/submit_slices.hpp>
#include <strew/detail/mistakes.hpp>
#include <strew/detail/rules/operation.hpp>
#include <strew/detail/rules/part_view.hpp>

namespace strew::inline STREW_ABI {

namespace detail::inline STREW_CODE {

inline constexpr operation diagonal_scatter_operation{
    .rules = diagonal_scatter_rules,
    .arguments = {role::data, role::updates, role::offset, role::first_axis, role::second_axis},
    .wrong_order = mistake::order_of_diagonal_scatter};

}  // namespace detail

// output = data; output[.., i + max(0, -offset), .., i + max(0, offset), ..] = source[.., .., i], with these
// coordinates on axis1 and axis2.
//
//   data[d[0], .., d[r-1]],
//   source[data's extents without both axes, length of the diagonal] -> output[d[0], .., d[r-1]]
//
//   diagonal_scatter(data, source, offset, axis1, axis2, output)
//
// An executor may come first. Without `output` the call is in place, and only the diagonal is written. r >= 2; `axis1`
// and `axis2` are integers in [-r, r - 1] and different. The diagonal has max(0, min(d[axis1], d[axis2] - offset))
// elements, for a negative offset max(0, min(d[axis1] + offset, d[axis2])). An offset of any size is legal; with an
// empty diagonal the output is a copy of data. One value in the place of `source` is written to the whole diagonal.
//
// `output` may be exactly the view `data`. Otherwise it must not share memory with an input. Its elements must be
// distinct. Errors, all found before the first write: rank_mismatch, axis_out_of_range, repeated_axis, extent_mismatch,
// repeated_element, overlap; for one value also value_out_of_range. If an assignment of T or an executor throws,
// elements of the diagonal may hold data's values. O(data.size()), in place O(source.size()); no heap. Specification:
// torch.diagonal_scatter.
STREW_KEYED inline constexpr detail::throwing<detail::described<detail::diagonal_scatter_operation>> diagonal_scatter;
// Without exceptions: returns what diagonal_scatter throws.
STREW_KEYED inline constexpr detail::attempted<detail::described<detail::diagonal_scatter_operation>>
    try_diagonal_scatter;

}  // namespace strew

#endif  // STREW_OPERATORS_DIAGONAL_SCATTER_HPP
