// SPDX-License-Identifier: Apache-2.0
// Slices of one axis: the elements that start:stop:step selects.
#ifndef STREW_VIEW_SLICE_HPP
#define STREW_VIEW_SLICE_HPP

#include <strew/config.hpp>
#include <strew/detail/box.hpp>
#include <strew/status.hpp>
#include <strew/view/index_list.hpp>
#include <strew/view/integer.hpp>

#include <cstdint>
#include <limits>
#include <type_traits>

namespace strew::inline STREW_ABI {

// `count` elements first, first + step, .., all inside the axis. An empty slice has count 0 and first 0. With count <=
// 1 the step is not used and may have any value.
struct slice_range {
  std::int64_t first = 0;
  std::int64_t step = 1;
  std::int64_t count = 0;

  friend constexpr bool operator==(const slice_range&, const slice_range&) = default;
};

// A slice's stop as a 64-bit bound. By SliceScatter-15 INT_MAX (INT_MIN) means to the end (to the beginning) of an axis
// of any size, so the largest and smallest values of a 32-bit signed stop become those of 64 bits. O(1).
template <index_integer Stop>
STREW_KEYED [[nodiscard]] constexpr std::int64_t open_ended(Stop stop) noexcept {
  if constexpr (std::is_signed_v<Stop> && sizeof(Stop) == 4) {
    if (stop == (std::numeric_limits<Stop>::max)()) return int64_max;
    if (stop == (std::numeric_limits<Stop>::min)()) return int64_min;
  }
  return saturate(stop);
}

namespace detail::inline STREW_CODE {

// The bound, counted from the end once if it is negative, then clamped to [low, high].
constexpr std::int64_t clamp_bound(std::int64_t bound, std::int64_t extent, std::int64_t low,
                                   std::int64_t high) noexcept {
  if (bound < 0) bound += extent;  // cannot overflow: extent >= 0
  return bound < low ? low : bound > high ? high : bound;
}

// Python's slice(start, stop, step).indices(extent), and its length. step != 0, extent >= 0.
constexpr slice_range clamp_slice(std::int64_t start, std::int64_t stop, std::int64_t step,
                                  std::int64_t extent) noexcept {
  const bool forward = step > 0;
  const std::int64_t low = forward ? 0 : -1;
  const std::int64_t high = forward ? extent : extent - 1;
  const std::int64_t first = clamp_bound(start, extent, low, high);
  const std::int64_t last = clamp_bound(stop, extent, low, high);
  const std::int64_t distance = forward ? last - first : first - last;  // both in [-1, extent]
  if (distance <= 0) return {0, step, 0};
  if (step == 1) return {first, step, distance};  // without a division
  // (distance - 1) / |step| + 1, unsigned because |INT64_MIN| is not an int64.
  const std::uint64_t whole_steps = static_cast<std::uint64_t>(distance - 1) / magnitude(step);
  return {first, step, static_cast<std::int64_t>(whole_steps) + 1};
}

// `position` is the position in a list of steps, empty for a single step.
STREW_COLD constexpr bool refuse_zero_step(const char* operation, const index_list& position, status& error) noexcept {
  return refuse(error, errc::zero_step, operation, "step", "{a} = 0 selects nothing, expected any other value", {},
                position);
}

// The stride of the slice `range` of an axis. The step of a slice of one element is not used and may be of any size.
constexpr std::int64_t sliced_stride(std::int64_t stride, const slice_range& range) noexcept {
  return range.count > 1 ? stride * range.step : stride;
}

// The elements of a slice in a range of its axis, as a range of their numbers 0 .. count - 1 in the slice.
constexpr axis_range elements_within(const slice_range& slice, const axis_range& range) noexcept {
  if (slice.count < 2) return {0, slice.count == 1 && range.contains(slice.first) ? 1 : 0};
  const std::int64_t last = slice.first + (slice.count - 1) * slice.step;
  if (range.contains(slice.first) && range.contains(last)) return {0, slice.count};
  const bool forward = slice.step > 0;
  const std::int64_t low = forward ? slice.first : last;
  const auto stride = static_cast<std::int64_t>(magnitude(slice.step));
  // The number of elements below a coordinate.
  const auto below = [&](std::int64_t coordinate) {
    if (coordinate <= low) return std::int64_t{0};
    const std::int64_t count = (coordinate - low - 1) / stride + 1;
    return count < slice.count ? count : slice.count;
  };
  const std::int64_t begin = below(range.begin);
  const std::int64_t end = below(range.begin + range.count);
  return {forward ? begin : slice.count - end, end - begin};
}

}  // namespace detail

// Resolves start:stop:step on an axis of `extent` elements, as Python does: a negative bound counts from the end once,
// then a positive step clamps both bounds to [0, extent], a negative one to [-1, extent - 1]. In particular
// step < 0 with start and stop below -extent selects nothing (some runtimes select element 0).
// Integers throughout, exact for every value of every type, step = INT64_MIN included. O(1).
// Errors: zero_step; negative_extent.
template <index_integer Start, index_integer Stop, index_integer Step>
STREW_KEYED [[nodiscard]] constexpr status try_resolve_slice(Start start, Stop stop, Step step, std::int64_t extent,
                                                             slice_range& result) noexcept {
  status error;
  if (step == 0) {
    static_cast<void>(detail::refuse_zero_step("resolve_slice", {}, error));
  } else if (extent < 0) {
    static_cast<void>(
        detail::refuse(error, errc::negative_extent, "resolve_slice", "extent", " = {0} is negative", {extent}));
  } else {
    result = detail::clamp_slice(saturate(start), open_ended(stop), saturate(step), extent);
  }
  return error;
}

// As try_resolve_slice; throws scatter_error.
template <index_integer Start, index_integer Stop, index_integer Step>
STREW_KEYED [[nodiscard]] constexpr slice_range resolve_slice(Start start, Stop stop, Step step, std::int64_t extent) {
  slice_range result;
  detail::raise_if_error(try_resolve_slice(start, stop, step, extent, result));
  return result;
}

}  // namespace strew

#endif  // STREW_VIEW_SLICE_HPP
