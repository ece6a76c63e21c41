// SPDX-License-Identifier: Apache-2.0
// put_along_axis (NumPy): a copy of data with single elements along one axis replaced.
#ifndef STREW_OPERATORS_PUT_ALONG_AXIS_HPP
#define STREW_OPERATORS_PUT_ALONG_AXIS_HPP

#include <strew/config.hpp>
#include <strew/detail/front/descriptor.hpp>
#include <strew/detail/front/parse.hpp>
#include <strew/detail/front/submit_indices.hpp>
#include <strew/detail/mistakes.hpp>
#include <strew/detail/rules/operation.hpp>
#include <strew/view/index.hpp>

namespace strew::inline STREW_ABI {

namespace detail::inline STREW_CODE {

inline constexpr operation_rules put_along_axis_rules{"put_along_axis", addressing::elements, index_rule::wrapping,
                                                      true};

inline constexpr operation put_along_axis_operation{
    .rules = put_along_axis_rules,
    .arguments = {role::data, role::indices, role::updates, role::axis, role::positions},
    .wrong_order = mistake::order_of_put_along_axis};

}  // namespace detail

// output = data; output[i.., indices[i.., j, k..], k..] = values[i.., j, k..], with the index on `axis`.
//
//   data[d[0], .., d[r-1]], indices[n[0], .., n[r-1]], values[n[0], .., n[r-1]] -> output[d[0], .., d[r-1]]
//
//   put_along_axis(data, indices, values, axis, output)
//
// As v12::scatter_elements_update without a reduction: `axis` is an integer in [-r, r - 1], negative indices count from
// the end, and the last of equal indices wins. Operands are not broadcast as in NumPy: pass views with strides of 0.
// reduction::with_positions(reduction::none, numbers) before `output` also stores which update won. Errors are those of
// v12::scatter_elements_update. O(data.size() + values.size()), no heap. Specification: numpy.put_along_axis.
STREW_KEYED inline constexpr detail::throwing<detail::described<detail::put_along_axis_operation>> put_along_axis;
// Without exceptions: returns what put_along_axis throws.
STREW_KEYED inline constexpr detail::attempted<detail::described<detail::put_along_axis_operation>> try_put_along_axis;

}  // namespace strew

#endif  // STREW_OPERATORS_PUT_ALONG_AXIS_HPP
