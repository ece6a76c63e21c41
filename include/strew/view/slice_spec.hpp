// SPDX-License-Identifier: Apache-2.0
// What SliceScatter is told: start, stop, step and axes, and the slices they resolve to.
#ifndef STREW_VIEW_SLICE_SPEC_HPP
#define STREW_VIEW_SLICE_SPEC_HPP

#include <strew/config.hpp>
#include <strew/status.hpp>
#include <strew/view/index.hpp>
#include <strew/view/index_list.hpp>
#include <strew/view/slice.hpp>

#include <array>
#include <cstdint>
#include <initializer_list>
#include <type_traits>

namespace strew::inline STREW_ABI {

namespace detail::inline STREW_CODE {

// As list_entry, for stops.
struct stop_entry {
  std::int64_t value;

  template <index_integer Stop>
  constexpr stop_entry(Stop entry) noexcept : value{open_ended(entry)} {}
};

}  // namespace detail

// The stops of slices: an index_list in which the extremes of a 32-bit signed type mean 'to the end' and 'to the
// beginning' of an axis of any size (see open_ended).
class stop_list : public index_list {
 public:
  constexpr stop_list() noexcept = default;

  template <index_integer Stop>
  constexpr stop_list(Stop value) noexcept : index_list(open_ended(value)) {}

  STREW_KEYED constexpr stop_list(const std::initializer_list<detail::stop_entry>& values) noexcept {
    for (const detail::stop_entry& entry : values) push_back(entry.value);
  }
  template <integer_range R>
  STREW_KEYED constexpr stop_list(const R& values) noexcept : index_list(values) {
    using integer = std::remove_cvref_t<decltype(*std::data(values))>;
    for (int k = 0; k < size(); ++k) (*this)[k] = open_ended(static_cast<integer>((*this)[k]));
  }
  constexpr stop_list(const index_list& values) noexcept : index_list(values) {}
};

// The axes of slices: an index_list that can also be left out, which is not the same as `.axes = {}`, an empty one.
class axes_list : public index_list {
 public:
  using index_list::index_list;
  constexpr axes_list(const index_list& values) noexcept : index_list(values) {}

  // The first axes, as many as there are slices: 0 .. n-1.
  [[nodiscard]] static constexpr axes_list leading() noexcept { return axes_list{leading_tag{}}; }
  [[nodiscard]] constexpr bool is_leading() const noexcept { return leading_; }

 private:
  struct leading_tag {};
  explicit constexpr axes_list(leading_tag) noexcept : leading_{true} {}

  bool leading_ = false;
};

// One slice for each axis named: start[i]:stop[i]:step[i] on axis axes[i]. All four have one length, at most the rank
// of data, and each may be of its own integer type; a scalar is a list of one. Without `axes` they are 0 .. n-1. With
// no entries at all the slice is the whole tensor. SliceScatter-15, and its early draft for scalars.
//
//   {.start = {0, -1}, .stop = {4, 0}, .step = {1, -1}, .axes = {2, 0}}
//   {.start = 0, .stop = 4, .step = 1, .axes = -1}
struct slice_spec {
  index_list start = {};
  stop_list stop = {};
  index_list step = {};
  axes_list axes = axes_list::leading();
};

namespace detail::inline STREW_CODE {

// start, stop, step and axes have one length, at most the rank of data.
constexpr bool check_counts(const char* operation, const slice_spec& spec, int rank, status& error) noexcept {
  const int count = spec.start.size();
  if (!(check_length(operation, "start", spec.start, count, error) &&
        check_length(operation, "stop", spec.stop, count, error, " as start has") &&
        check_length(operation, "step", spec.step, count, error, " as start has") &&
        (spec.axes.is_leading() || check_length(operation, "axes", spec.axes, count, error, " as start has")))) {
    return false;
  }
  if (count > rank) {
    return refuse(error, errc::count_mismatch, operation, "start",
                  " has length {0}, expected at most {1} (the rank of data)", {count, rank});
  }
  return true;
}

// Checks the specification against the extents of data and calls body(axis, range) for each slice, in the order given.
template <class Body>
constexpr bool check_slices(const char* operation, const slice_spec& spec, const index_list& extents, status& error,
                            Body&& body) noexcept {
  const int rank = extents.size();
  if (!check_counts(operation, spec, rank, error)) return false;
  axis_set used;
  for (int i = 0; i < spec.start.size(); ++i) {
    int axis = i;
    if (!spec.axes.is_leading() && !used.insert(operation, i, spec.axes[i], {"data", rank}, axis, error)) {
      return refuse_as_given(error, spec.axes, i);
    }
    if (spec.step[i] == 0) return refuse_zero_step(operation, i, error);
    body(axis, clamp_slice(spec.start[i], spec.stop[i], spec.step[i], extents[axis]));
  }
  return true;
}

}  // namespace detail
}  // namespace strew

#endif  // STREW_VIEW_SLICE_SPEC_HPP
