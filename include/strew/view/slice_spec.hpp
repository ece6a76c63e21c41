// SPDX-License-Identifier: Apache-2.0
// Parameters of SliceScatter: start, stop, step and axes, and the slices they resolve to.
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

// As in index_list.hpp: entries beyond size() are not initialised.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

namespace strew::inline STREW_ABI {

namespace detail::inline STREW_CODE {

// As list_item, for a stop.
struct stop_entry {
  std::int64_t value;

  template <index_integer Stop>
  constexpr stop_entry(Stop entry) noexcept : value{open_ended(entry)} {}
};

}  // namespace detail

// An index_list that may also be left out, which differs from an empty list, `.start = {}`.
class optional_list : public index_list {
 public:
  using index_list::index_list;
  constexpr optional_list() noexcept = default;
  constexpr optional_list(const index_list& values) noexcept : index_list(values) {}

  [[nodiscard]] static constexpr optional_list left_out() noexcept { return optional_list{left_out_tag{}}; }
  [[nodiscard]] constexpr bool is_left_out() const noexcept { return was_left_out(); }

 protected:
  explicit constexpr optional_list(left_out_tag tag) noexcept : index_list(tag) {}
};

// The stops of slices: a list in which the largest and the smallest value of a 32-bit signed type mean 'to the end' and
// 'to the beginning' of an axis of any size (see open_ended).
class stop_list : public optional_list {
 public:
  constexpr stop_list() noexcept = default;

  template <index_integer Stop>
  constexpr stop_list(Stop value) noexcept : optional_list(open_ended(value)) {}

  STREW_KEYED constexpr stop_list(const std::initializer_list<detail::stop_entry>& values) noexcept {
    for (const detail::stop_entry& entry : values) push_back(entry.value);
  }
  template <integer_range R>
  STREW_KEYED constexpr stop_list(const R& values) noexcept : optional_list(values) {
    using integer = std::remove_cvref_t<decltype(*std::data(values))>;
    for (int k = 0; k < size(); ++k) (*this)[k] = open_ended(static_cast<integer>((*this)[k]));
  }
  constexpr stop_list(const index_list& values) noexcept : optional_list(values) {}

  [[nodiscard]] static constexpr stop_list left_out() noexcept { return stop_list{left_out_tag{}}; }

 private:
  explicit constexpr stop_list(left_out_tag tag) noexcept : optional_list(tag) {}
};

// The axes of slices. If they are left out they are 0 .. n-1, with n the number of slices.
class axes_list : public optional_list {
 public:
  using optional_list::optional_list;
  constexpr axes_list() noexcept = default;
  constexpr axes_list(const index_list& values) noexcept : optional_list(values) {}

  [[nodiscard]] static constexpr axes_list leading() noexcept { return axes_list{left_out_tag{}}; }
  [[nodiscard]] constexpr bool is_leading() const noexcept { return is_left_out(); }

 private:
  explicit constexpr axes_list(left_out_tag tag) noexcept : optional_list(tag) {}
};

// Slices start[i]:stop[i]:step[i] on axes axes[i]. All lists that are given have the same length, at most the rank of
// data; each may have its own integer type, and an integer is a list of one. A list that is left out means None in
// Python: start and stop are the beginning and the end of the axis in the direction of the step, and step is 1. Without
// `axes` they are 0 .. n-1. With no lists at all the slice is the whole tensor. Specification: SliceScatter-15, and its
// early draft for integers in place of lists.
//
//   {.start = {0, -1}, .stop = {4, 0}, .step = {1, -1}, .axes = {2, 0}}
//   {.start = 0, .stop = 4, .step = 1, .axes = -1}
//   {.step = -1, .axes = 1}, {.start = -2}   // as [:, ::-1] and [-2:]
struct slice_spec {
  optional_list start = optional_list::left_out();
  stop_list stop = stop_list::left_out();
  optional_list step = optional_list::left_out();
  axes_list axes = axes_list::leading();
};

namespace detail::inline STREW_CODE {

// Checks the lengths of the lists that are given; `count` becomes the number of slices.
constexpr bool check_counts(const char* operation, const slice_spec& spec, int rank, int& count,
                            status& error) noexcept {
  struct named_list {
    const char* name;
    const optional_list& list;
    const char* reason;  // why other lists have its length
  };
  const named_list lists[] = {{"start", spec.start, " as start has"},
                              {"stop", spec.stop, " as stop has"},
                              {"step", spec.step, " as step has"},
                              {"axes", spec.axes, ""}};
  const named_list* first = nullptr;
  for (const named_list& one : lists) {
    if (one.list.is_left_out()) continue;
    if (first == nullptr) first = &one;
    if (!check_length(operation, one.name, one.list, first->list.size(), error, first->reason)) return false;
  }
  count = first == nullptr ? 0 : first->list.size();
  if (count > rank) {
    return refuse(error, errc::count_mismatch, operation, first->name,
                  " has length {0}, expected at most {1} (the rank of data)", {count, rank});
  }
  return true;
}

// Slice number `i`, on an axis of `extent` elements. Its step is not 0.
STREW_NOINLINE constexpr slice_range slice_of_axis(const slice_spec& spec, int i, std::int64_t extent) noexcept {
  const std::int64_t step = spec.step.is_left_out() ? 1 : spec.step[i];
  // The beginning and the end in the direction of the step.
  const std::int64_t first = step > 0 ? int64_min : int64_max;
  const std::int64_t last = step > 0 ? int64_max : int64_min;
  return clamp_slice(spec.start.is_left_out() ? first : spec.start[i], spec.stop.is_left_out() ? last : spec.stop[i],
                     step, extent);
}

// Checks the specification against the extents of data and calls body(axis, range) for each slice, in the order given.
template <class Body>
constexpr bool check_slices(const char* operation, const slice_spec& spec, const index_list& extents, status& error,
                            Body&& body) noexcept {
  const int rank = extents.size();
  int count = 0;
  if (!check_counts(operation, spec, rank, count, error)) return false;
  axis_set used;
  for (int i = 0; i < count; ++i) {
    int axis = i;
    if (!spec.axes.is_leading() && !used.insert(operation, i, spec.axes[i], {"data", rank}, axis, error)) {
      return refuse_as_given(error, spec.axes, i);
    }
    if (!spec.step.is_left_out() && spec.step[i] == 0) return refuse_zero_step(operation, i, error);
    body(axis, slice_of_axis(spec, i, extents[axis]));
  }
  return true;
}

}  // namespace detail
}  // namespace strew

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif

#endif  // STREW_VIEW_SLICE_SPEC_HPP
