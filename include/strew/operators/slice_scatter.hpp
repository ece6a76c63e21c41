// SPDX-License-Identifier: Apache-2.0
// SliceScatter-15 (OpenVINO): a copy of data with a slice of it replaced.
#ifndef STREW_OPERATORS_SLICE_SCATTER_HPP
#define STREW_OPERATORS_SLICE_SCATTER_HPP

#include <strew/config.hpp>
#include <strew/detail/front/descriptor.hpp>
#include <strew/detail/front/parse.hpp>
#include <strew/detail/front/submit_slices.hpp>
#include <strew/detail/mistakes.hpp>
#include <strew/detail/rules/operation.hpp>

namespace strew::inline STREW_ABI {

namespace detail::inline STREW_CODE {

inline constexpr operation slice_scatter_operation{.rules = slice_scatter_rules,
                                                   .arguments = {role::data, role::updates, role::slice_options},
                                                   .missing_options = mistake::missing_slice};

}  // namespace detail

// output = data; output[.., start:stop:step, ..] = updates, with slices as in NumPy.
//
//   data[d[0], .., d[r-1]], updates[d[0], .., n, .., d[r-1]] -> output[d[0], .., d[r-1]], r >= 1
//
//   slice_scatter(data, updates, {.start = .., .stop = .., .step = .., .axes = ..}, output)
//
// An executor may come first. Without `output` the call is in place. The extent of `updates` on each sliced axis is n,
// the length of that slice. Bounds count elements. A negative bound counts from the end once, then both bounds are
// clamped to the axis (see resolve_slice). With step < 0, start < -d and stop < -d the slice is empty, as in NumPy.
// `updates` is not broadcast: pass broadcast(updates, ..) to repeat it. One value in the place of `updates` is written
// to the whole slice.
//
// `output` may be exactly the view `data` (in place: only the slice is written). Otherwise it must not share memory
// with an input. Its elements must be distinct. No two updates have the same target. Errors, all found before the first
// write: rank_mismatch, too_many_axes, count_mismatch, axis_out_of_range, repeated_axis, zero_step, extent_mismatch,
// repeated_element, overlap; for one value also value_out_of_range. If an assignment of T throws, each element of the
// output holds its old value, data's, or its new one. O(data.size() + updates.size()), in place O(updates.size()); no
// heap. Specification: SliceScatter-15, OpenVINO.
//
// With an executor as the first argument the work is divided among its threads where there is enough; the output is the
// same.
STREW_KEYED inline constexpr detail::throwing<detail::described<detail::slice_scatter_operation>> slice_scatter;
// Without exceptions: returns what slice_scatter throws.
STREW_KEYED inline constexpr detail::attempted<detail::described<detail::slice_scatter_operation>> try_slice_scatter;

}  // namespace strew

#endif  // STREW_OPERATORS_SLICE_SCATTER_HPP
