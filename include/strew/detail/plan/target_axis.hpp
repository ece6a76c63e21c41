// SPDX-License-Identifier: Apache-2.0
// Where the indices of a scatter lead.
#ifndef STREW_DETAIL_PLAN_TARGET_AXIS_HPP
#define STREW_DETAIL_PLAN_TARGET_AXIS_HPP

#include <strew/config.hpp>
#include <strew/detail/plan/box.hpp>

#include <cstdint>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// The axis of the output on which indices choose the coordinate. Only coordinates in `owned` are written; updates of
// others are for another part of the call.
struct target_axis {
  std::int64_t extent = 0;
  std::int64_t stride = 0;
  axis_range owned{0, 0};
  bool wraps = false;    // whether some index is negative and counts from the end
  bool has_own = false;  // whether all indices are known to name owned coordinates

  [[nodiscard]] constexpr bool is_whole() const noexcept { return owned.count == extent; }
  [[nodiscard]] constexpr bool owns_all() const noexcept { return has_own || is_whole(); }
};

// What the check of the indices learns on the way.
struct index_facts {
  bool wraps = false;  // whether any is negative
  // Whether they are first, first + step, first + 2 step, .. in row-major order, step not 0: a slice.
  bool is_slice = false;
  std::int64_t first = 0;
  std::int64_t step = 1;
  // Whether they form one run in which none is negative or less than the one before. Looked for only where there is
  // more than one thread, since it tells which indices concern which part of the output.
  bool ascends = false;
};

}  // namespace strew::detail

#endif  // STREW_DETAIL_PLAN_TARGET_AXIS_HPP
