// SPDX-License-Identifier: Apache-2.0
// Which loop of a scatter is inside and which around it: the pair of the least cost, from extents and strides.
#ifndef STREW_DETAIL_PLAN_LOOP_ORDER_HPP
#define STREW_DETAIL_PLAN_LOOP_ORDER_HPP

#include <strew/config.hpp>
#include <strew/detail/plan/loop_nest.hpp>
#include <strew/detail/plan/scatter_plan.hpp>
#include <strew/detail/rules/target_axis.hpp>
#include <strew/detail/tuning.hpp>
#include <strew/view/index_list.hpp>
#include <strew/view/integer.hpp>

#include <cstddef>
#include <cstdint>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// What an update costs where a loop is the innermost one, in bytes of the caches: its share of the beginning of the
// loop, and for each operand its share of the cache lines that the loop reads. Lines of a loop so short that they stay
// in the first-level cache are read once for the steps of the loop around it that stay in them; these count twice,
// since the lines may still map to few sets, and four times from page to page, where processors do not prefetch. Lines
// of a loop that leaves the second-level cache before the loop around reads them again count twice.
// `step`, `step_around`: the steps of the loops in the output.
STREW_SMALL constexpr std::int64_t cost_of_loop(const loop_nest<4>::axis& inside, std::int64_t step,
                                                const loop_nest<4>::axis& around, std::int64_t step_around) noexcept {
  using p = scatter_plan;
  constexpr std::int64_t line = tuning::cache_line;
  constexpr auto at_most_a_line = [](std::int64_t stride) {
    return magnitude(stride) < line ? static_cast<std::int64_t>(magnitude(stride)) : line;
  };
  const std::int64_t least = line / inside.extent;
  std::int64_t cost = 2 * least;
  for (const std::size_t operand : {p::output, p::updates, p::index}) {
    const std::int64_t stride = operand == p::output ? step : inside.strides[operand];
    const std::int64_t next = operand == p::output ? step_around : around.strides[operand];
    std::int64_t read = at_most_a_line(stride);
    if (read == line && inside.extent <= tuning::kept_lines && around.extent > 1) {
      read = at_most_a_line(scaled(next, magnitude(stride) < tuning::page ? 2 : 4));
    } else if (magnitude(next) < magnitude(stride) && magnitude(scaled(stride, inside.extent)) > tuning::kept_bytes) {
      read = 2 * at_most_a_line(stride);
    }
    cost += stride == 0 ? 0 : read < least ? least : read;
  }
  return cost;
}
// The step of a loop in the output: of positions the one that their indices make, as if targets were even. `around`:
// the extent of the loop that it is around; 0 if it is inside.
STREW_SMALL constexpr std::int64_t step_in_output(const scatter_plan& plan, const loop_nest<4>::axis& of,
                                                  std::int64_t around) noexcept {
  constexpr std::int64_t line = tuning::cache_line;
  const std::int64_t stride = of.strides[scatter_plan::output];
  if (stride != 0 || of.extent == 0) return stride;
  const target_axis& axis = plan.axis[0];
  if (plan.axes != 1) return line;
  // Few targets stay in the cache, but an update waits there for the one before: half a line; if most are combined with
  // the same targets again nearly a line, which unlike a line does not stay for the loop around. Then lanes inside wait
  // for none, if all of their lines stay too.
  if (axis.extent <= tuning::kept_lines) {
    const bool waits = plan.combines && (plan.columns.rank() == 0 || axis.extent <= 4) && of.extent >= 4 * axis.extent;
    if (!waits || axis.extent * around > 4 * tuning::kept_lines) return line / 2;
    return around == 0 ? line - 1 : plan.unit;
  }
  const std::int64_t spread = axis.extent / of.extent;
  return magnitude(axis.stride) < line && spread < line ? axis.stride * (spread < 1 ? 1 : spread) : line;
}

// The cost of a loop of a plan as the innermost one, or its negative where tests want the dearest one.
STREW_SMALL inline std::int64_t cost_inside(const scatter_plan& plan, const loop_nest<4>::axis& inside,
                                            const loop_nest<4>::axis& around) noexcept {
  const std::int64_t cost =
      cost_of_loop(inside, step_in_output(plan, inside, 0), around, step_in_output(plan, around, inside.extent));
  return tuning::limits().loop_order == 3 ? -cost : cost;
}

// The cost of a step of the loop around: its share of a call of the loops for both, and for each operand that does not
// go on where the loop inside ends the lines that are read in vain, as prefetchers go on there.
STREW_SMALL inline std::int64_t cost_around(const loop_nest<4>::axis& around,
                                            const loop_nest<4>::axis& inside) noexcept {
  using p = scatter_plan;
  constexpr std::int64_t line = tuning::cache_line;
  std::int64_t cost = 8 * line / around.extent;
  for (const std::size_t operand : {p::output, p::updates, p::index}) {
    const std::uint64_t covered = magnitude(scaled(inside.strides[operand], inside.extent));
    cost += magnitude(around.strides[operand]) > covered + line ? 2 * line : 0;
  }
  return tuning::limits().loop_order == 3 ? -cost : cost;
}

// The order of the loops of updates with indices of their own: the pair of the least cost inside, and the others in the
// order of memory.
STREW_SMALL inline void sort_columns(const scatter_plan& plan, loop_nest<4>& nest) noexcept {
  using p = scatter_plan;
  std::int64_t cost[max_rank + 1];
  std::int64_t least = int64_max;
  int inside = 0;
  int around = -1;
  for (int k = 0; k < nest.rank(); ++k) {
    cost[k] = 0;
    for (const std::size_t operand : {p::output, p::updates, p::index}) {
      cost[k] += static_cast<std::int64_t>(magnitude(nest[k].strides[operand]) / 4);  // a sum does not overflow
    }
    for (int m = 0; m < nest.rank(); ++m) {
      if (m == k && nest.rank() > 1) continue;
      const std::int64_t pair =
          16 * cost_inside(plan, nest[k], nest[m]) + 16 * cost_around(nest[m], nest[k]) / nest[k].extent;
      if (nest[k].strides[p::index] == 0 || pair >= least) continue;
      least = pair;
      inside = k;
      around = m;
    }
  }
  if (around < 0) return;
  cost[around] = int64_min + 1;
  cost[inside] = int64_min;
  nest.sort_by_cost(cost);
}

// Sorts lanes by their cost with positions, and says whether they are inside.
STREW_SMALL inline bool sort_lanes(const scatter_plan& plan, loop_nest<4>& lanes, bool have_row_states) noexcept {
  using p = scatter_plan;
  const loop_nest<4>::axis run = plan.positions.innermost();
  std::int64_t cost[max_rank + 1];
  std::int64_t of_positions = int64_max;
  for (int k = 0; k < lanes.rank(); ++k) {
    // A state of a row changes once for all of its lanes, so these are inside; of others that cost as much those are
    // that write fewer lines.
    const bool is_of_row = have_row_states && lanes[k].strides[p::state] == 0;
    const std::int64_t lines = magnitude(lanes[k].strides[p::output]) < tuning::cache_line ? 0 : 1;
    cost[k] = is_of_row ? int64_min : 2 * cost_inside(plan, lanes[k], run) + lines;
    const std::int64_t other = 2 * cost_inside(plan, run, lanes[k]) + 1;
    if (other < of_positions) of_positions = other;
  }
  lanes.sort_by_cost(cost);
  if (lanes.rank() == 0) return false;
  const loop_nest<4>::axis last = lanes.innermost();
  const std::int64_t order = tuning::limits().loop_order;
  if (have_row_states && last.strides[p::state] == 0) return true;
  if (order == 1 || order == 2) return order == 1;
  const bool is_line =
      last.strides[p::output] == plan.unit && (last.strides[p::updates] == plan.unit || last.strides[p::updates] == 0);
  return (order == 0 && is_line && last.extent * plan.unit >= 8) || cost[lanes.rank() - 1] <= of_positions;
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_PLAN_LOOP_ORDER_HPP
