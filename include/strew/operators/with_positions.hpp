// SPDX-License-Identifier: Apache-2.0
// Which update won: a reduction that also stores, for each element of the output, the number of the update it holds.
#ifndef STREW_OPERATORS_WITH_POSITIONS_HPP
#define STREW_OPERATORS_WITH_POSITIONS_HPP

#include <strew/config.hpp>
#include <strew/detail/external_tensors.hpp>
#include <strew/detail/front/submit_positions.hpp>
#include <strew/operators/reduction.hpp>
#include <strew/view/as_view.hpp>

#include <type_traits>

namespace strew::inline STREW_ABI {

namespace reduction {

// In the place of a reduction: the call computes what it computes with `reduce`, which is none, min or max, and stores
// in `numbers`, which has the extents of the output, for each element the number of the update that it holds, -1 if it
// is data's. Operators that assign and have no reduction take it with none, before the output.
//
//   strew::scatter_reduce(data, axis, index, source, red::with_positions(red::max, numbers), output);
//   strew::scatter_update(data, indices, updates, axis, red::with_positions(red::none, numbers), output);
//
// The number of an update of an element is its coordinate on the axis, of a row, of a multi-index and of an index of
// put its row-major number among them. With none the last update wins, with min and max the first of equal values and
// the first NaN, which wins against every number; values of data come before all updates. `numbers` is a view of
// integers or a tensor that as_view takes, which is kept as a view, so its elements must outlive the call; of
// distributed tensors it is one. Unsigned integers hold -1 as their largest value. Further errors of the call, before
// the first write: rank_mismatch, extent_mismatch, repeated_element, overlap (with an operand), and value_out_of_range
// (an integer type too small for the numbers); of types that are known at run time only also type_mismatch and
// unsupported_reduction. All of `numbers` is written. O(rank), no heap; throws what as_view throws. docs/extensions.md
// has the details.
template <class Reduction, class Numbers>
STREW_KEYED [[nodiscard]] constexpr auto with_positions(Reduction reduce, Numbers&& numbers) {
  if constexpr (detail::is_external_tensor<Numbers>) {
    using view = std::remove_const_t<decltype(as_view(static_cast<Numbers&&>(numbers)))>;
    return with_positions_type<Reduction, view>{reduce, as_view(static_cast<Numbers&&>(numbers))};
  } else {
    return with_positions_type<Reduction, std::remove_cvref_t<Numbers>>{reduce, static_cast<Numbers&&>(numbers)};
  }
}

}  // namespace reduction

}  // namespace strew

#endif  // STREW_OPERATORS_WITH_POSITIONS_HPP
