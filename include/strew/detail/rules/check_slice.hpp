// SPDX-License-Identifier: Apache-2.0
// The rules of SliceScatter, and for the layouts of operators that replace a part of data.
#ifndef STREW_DETAIL_RULES_CHECK_SLICE_HPP
#define STREW_DETAIL_RULES_CHECK_SLICE_HPP

#include <strew/config.hpp>
#include <strew/detail/rules/check_operands.hpp>
#include <strew/status.hpp>
#include <strew/view/index_list.hpp>
#include <strew/view/layout.hpp>
#include <strew/view/slice.hpp>
#include <strew/view/slice_spec.hpp>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

struct slice_layouts {
  const strided_layout& data;
  const strided_layout& updates;
  const strided_layout& output;
};

// Checks all rules of SliceScatter. Narrows `slice`, which is initially all of data, to the slice that is replaced.
template <class Slice>
constexpr bool check_slice_scatter(const slice_layouts& at, const shared_memory& shared, const slice_spec& spec,
                                   Slice& slice, status& error) noexcept {
  constexpr const char* operation = "slice_scatter";
  const auto narrow = [&](int axis, const slice_range& range) { slice.narrow(axis, range); };
  return check_output(operation, at.data, at.output, shared, error) &&
         check_slices(operation, spec, at.data.extents(), error, narrow) &&
         check_extents(operation, "updates", at.updates.extents(), slice.count, "the slice of data", error) &&
         check_apart(operation, shared.updates, "updates", error);
}

// For a slice.
constexpr bool find_slice_updates(const char* operation, const index_list& data, const slice_spec& slice,
                                  index_list& result, status& error) noexcept {
  index_list extents = data;
  const auto narrow = [&](int axis, const slice_range& range) { extents[axis] = range.count; };
  if (!(check_shape(operation, "data_extents", data, error) && check_data_rank(operation, data.size(), error) &&
        check_slices(operation, slice, data, error, narrow))) {
    return false;
  }
  result = extents;
  return true;
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_RULES_CHECK_SLICE_HPP
