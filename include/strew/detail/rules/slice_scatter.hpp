// SPDX-License-Identifier: Apache-2.0
// What SliceScatter asks of its operands and of its slices.
#ifndef STREW_DETAIL_RULES_SLICE_SCATTER_HPP
#define STREW_DETAIL_RULES_SLICE_SCATTER_HPP

#include <strew/config.hpp>
#include <strew/detail/rules/operands.hpp>
#include <strew/layout.hpp>
#include <strew/slice.hpp>
#include <strew/slice_spec.hpp>
#include <strew/status.hpp>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

struct slice_layouts {
  const strided_layout& data;
  const strided_layout& updates;
  const strided_layout& output;
};

// All of SliceScatter's rules. Narrows `slice`, which begins as the whole of data, to what is replaced.
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

}  // namespace strew::detail

#endif  // STREW_DETAIL_RULES_SLICE_SCATTER_HPP
