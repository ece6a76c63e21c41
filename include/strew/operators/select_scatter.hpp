// SPDX-License-Identifier: Apache-2.0
// select_scatter (PyTorch): a copy of data with one coordinate of an axis replaced.
#ifndef STREW_OPERATORS_SELECT_SCATTER_HPP
#define STREW_OPERATORS_SELECT_SCATTER_HPP

#include <strew/config.hpp>
#include <strew/detail/front/descriptor.hpp>
#include <strew/detail/front/parse.hpp>
#include <strew/detail/front/submit_slices.hpp>
#include <strew/detail/mistakes.hpp>
#include <strew/detail/rules/operation.hpp>
#include <strew/detail/rules/part_view.hpp>

namespace strew::inline STREW_ABI {

namespace detail::inline STREW_CODE {

inline constexpr operation select_scatter_operation{.rules = select_scatter_rules,
                                                    .arguments = {role::data, role::updates, role::axis, role::index},
                                                    .wrong_order = mistake::order_of_select_scatter};

}  // namespace detail

// output = data; output[.., index, ..] = source[.., ..], with the index on `axis`.
//
//   data[d[0], .., d[r-1]], source[data's extents without axis] -> output[d[0], .., d[r-1]]
//
//   select_scatter(data, source, axis, index, output)
//
// An executor may come first. Without `output` the call is in place, and only that coordinate is written. r >= 1;
// `axis` is an integer in [-r, r - 1]; `index` is an integer in [-d[axis], d[axis] - 1]. One value in the place of
// `source` is written to all of its targets.
//
// `output` may be exactly the view `data`. Otherwise it must not share memory with an input. Its elements must be
// distinct. Errors, all found before the first write: rank_mismatch, axis_out_of_range, extent_mismatch,
// repeated_element, overlap, index_out_of_bounds; for one value also value_out_of_range. If an assignment of T throws,
// each element of the output holds its old value, data's, or its new one. O(data.size()), in place O(source.size()); no
// heap. Specification: torch.select_scatter.
STREW_KEYED inline constexpr detail::throwing<detail::described<detail::select_scatter_operation>> select_scatter;
// Without exceptions: returns what select_scatter throws.
STREW_KEYED inline constexpr detail::attempted<detail::described<detail::select_scatter_operation>> try_select_scatter;

}  // namespace strew

#endif  // STREW_OPERATORS_SELECT_SCATTER_HPP
