// SPDX-License-Identifier: Apache-2.0
// SliceScatter-15 (OpenVINO): a copy of data with a slice of it replaced.
#ifndef STREW_SLICE_SCATTER_HPP
#define STREW_SLICE_SCATTER_HPP

#include <strew/config.hpp>
#include <strew/detail/front/back_end.hpp>
#include <strew/detail/front/operators.hpp>
#include <strew/detail/rules/operands.hpp>
#include <strew/index_list.hpp>
#include <strew/slice_spec.hpp>
#include <strew/status.hpp>

namespace strew::inline STREW_ABI {

// output = data; output[..., start:stop:step, ...] = updates, the slices as NumPy takes them.
//
//   data[d0, ..., dr-1], updates[d0, .., n, .., dr-1] -> output[d0, ..., dr-1], r >= 1
//
// where each sliced axis of `updates` has the length n of its slice. Bounds are elements; a negative one counts from
// the end once, then both clamp to the axis (see resolve_slice). With step < 0, start < -d and stop < -d the slice is
// empty, as in NumPy. `updates` is not broadcast: pass broadcast(updates, ...) to repeat it.
//
// `output` may be exactly the view `data` (in place: only the slice is written) and must otherwise share no memory
// with an input; its elements are distinct. No two updates have the same target.
// Errors, all found before the first write: rank_mismatch, too_many_axes, count_mismatch, axis_out_of_range,
// repeated_axis, zero_step, extent_mismatch, repeated_element, overlap. Should an assignment of T throw, each element
// of the output holds its old or its new value. O(data.size() + updates.size()), no heap. Document: SliceScatter-15,
// OpenVINO.
//
// The forms that take an executor first share the work out to it, where there is enough; the output is the same.
STREW_KEYED inline constexpr detail::slice_operator<detail::slice_scatter_call, detail::by_exception> slice_scatter;
// Without exceptions: returns what slice_scatter throws.
STREW_KEYED inline constexpr detail::slice_operator<detail::slice_scatter_call, detail::by_status> try_slice_scatter;

// The extents that slice_scatter asks of `updates`. O(rank).
// Errors: rank_mismatch, too_many_axes, negative_extent, count_mismatch, axis_out_of_range, repeated_axis, zero_step.
STREW_KEYED constexpr status try_slice_scatter_updates_extents(const index_list& data_extents, const slice_spec& slice,
                                                               index_list& result) noexcept {
  constexpr const char* operation = "slice_scatter_updates_extents";
  status error;
  index_list extents = data_extents;
  const auto narrow = [&](int axis, const slice_range& range) { extents[axis] = range.count; };
  if (detail::check_shape(operation, "data_extents", data_extents, error) &&
      detail::check_data_rank(operation, data_extents.size(), error) &&
      detail::check_slices(operation, slice, data_extents, error, narrow)) {
    result = extents;
  }
  return error;
}

STREW_KEYED [[nodiscard]] constexpr index_list slice_scatter_updates_extents(const index_list& data_extents,
                                                                             const slice_spec& slice) {
  index_list result;
  detail::raise_if_error(try_slice_scatter_updates_extents(data_extents, slice, result));
  return result;
}

namespace v15 {
using strew::slice_scatter;
using strew::try_slice_scatter;
}  // namespace v15

}  // namespace strew

#endif  // STREW_SLICE_SCATTER_HPP
