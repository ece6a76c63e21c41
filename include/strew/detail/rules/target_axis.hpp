// SPDX-License-Identifier: Apache-2.0
// The target axes of a scatter, and the analysis of its indices.
#ifndef STREW_DETAIL_RULES_TARGET_AXIS_HPP
#define STREW_DETAIL_RULES_TARGET_AXIS_HPP

#include <strew/config.hpp>
#include <strew/detail/box.hpp>

#include <cstdint>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// The axes of the output on which indices select the coordinate: one for each component of a multi-index.
struct target_axes {
  int first = 0;
  int count = 1;

  [[nodiscard]] constexpr int end() const noexcept { return first + count; }
  [[nodiscard]] constexpr bool contains(int axis) const noexcept { return axis >= first && axis < end(); }
};

// One of these axes. Only coordinates in `owned` are written; updates of others belong to another part of the call.
struct target_axis {
  std::int64_t extent = 0;
  std::int64_t stride = 0;
  axis_range owned{0, 0};
  bool wraps = false;    // whether some index is negative and counts from the end
  bool has_own = false;  // whether all indices are known to select owned coordinates

  [[nodiscard]] constexpr bool is_whole() const noexcept { return owned.count == extent; }
  [[nodiscard]] constexpr bool owns_all() const noexcept { return has_own || is_whole(); }
};

struct index_source;
// See ascending_within.
using find_own_function = axis_range (*)(const index_source& indices, std::int64_t first_index, std::int64_t stride,
                                         std::int64_t count, const axis_range& range) noexcept;

// The properties of indices that their check finds.
struct index_analysis {
  bool wraps = false;  // whether any is negative
  // Whether they are first, first + step, first + 2 step, .. in row-major order, with a step other than 0: a slice. If
  // several address a target together, the same for their offsets in the output, in elements.
  bool is_slice = false;
  std::int64_t first = 0;
  std::int64_t step = 0;
  // If the indices (or, if several address a target together, their first components) are one run in ascending order
  // without negative ones: the function that finds those in a range. Only sought with more than one thread, for parts
  // to find their own indices.
  find_own_function find_own = nullptr;
  bool seeks_own = false;

  [[nodiscard]] constexpr bool ascends() const noexcept { return find_own != nullptr; }
};

}  // namespace strew::detail

#endif  // STREW_DETAIL_RULES_TARGET_AXIS_HPP
