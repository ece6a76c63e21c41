// SPDX-License-Identifier: Apache-2.0
// Which elements Python's s[start:stop:step] selects, found by walking from element to element as the language
// reference tells it; no bound is clamped but the first, and no length is computed.
#ifndef STREW_TESTS_SUPPORT_PYTHON_SLICE_HPP
#define STREW_TESTS_SUPPORT_PYTHON_SLICE_HPP

#include "wide.hpp"

#include <cstdint>
#include <vector>

namespace strew::test {

// A negative bound is relative to the end, once.
inline wide from_the_beginning(wide bound, std::int64_t extent) {
  return bound < 0 ? bound + extent : bound;
}

// Where the walk begins: a start beyond the end that the walk comes from is moved to that end.
inline wide first_of_slice(wide start, wide step, std::int64_t extent) {
  const wide first = from_the_beginning(start, extent);
  if (step > 0 && first < 0) return 0;
  if (step < 0 && first >= extent) return extent - 1;
  return first;
}

// Whether the walk goes on at `element`: inside the axis, and the stop is not reached.
inline bool slice_selects(wide element, wide stop, wide step, std::int64_t extent) {
  const wide end = from_the_beginning(stop, extent);
  return element >= 0 && element < extent && (step > 0 ? element < end : element > end);
}

// What None stands for: the first element that the walk meets, and the place behind the last one.
inline std::int64_t start_of_none(std::int64_t step, std::int64_t extent) {
  return step > 0 ? 0 : extent - 1;
}
inline std::int64_t stop_of_none(std::int64_t step, std::int64_t extent) {
  return step > 0 ? extent : -extent - 1;
}

inline std::vector<std::int64_t> python_slice(wide start, wide stop, wide step, std::int64_t extent) {
  std::vector<std::int64_t> selected;
  for (wide at = first_of_slice(start, step, extent); slice_selects(at, stop, step, extent); at += step) {
    selected.push_back(static_cast<std::int64_t>(at));
  }
  return selected;
}

}  // namespace strew::test

#endif  // STREW_TESTS_SUPPORT_PYTHON_SLICE_HPP
