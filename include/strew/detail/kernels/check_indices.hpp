// SPDX-License-Identifier: Apache-2.0
// The analysis of the indices of a call before anything is written: whether each is legal, and whether they are a slice
// or ascend.
#ifndef STREW_DETAIL_KERNELS_CHECK_INDICES_HPP
#define STREW_DETAIL_KERNELS_CHECK_INDICES_HPP

#include <strew/config.hpp>
#include <strew/detail/kernel_counter.hpp>
#include <strew/detail/kernels/index_loops.hpp>
#include <strew/detail/kernels/index_reader.hpp>
#include <strew/detail/plan/loop_nest.hpp>
#include <strew/detail/plan/loop_order.hpp>
#include <strew/detail/plan/partition.hpp>
#include <strew/detail/plan/scatter_plan.hpp>
#include <strew/detail/rules/request.hpp>
#include <strew/detail/rules/target_axis.hpp>
#include <strew/detail/rules/targets.hpp>
#include <strew/detail/tuning.hpp>
#include <strew/status.hpp>
#include <strew/view/index.hpp>
#include <strew/view/integer.hpp>
#include <strew/view/layout.hpp>

#include <cstddef>
#include <cstdint>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// Whether each 64-bit index of `values` is the one before plus `step`, the first `before` plus `step`, modulo 2^64.
STREW_VECTORISED inline bool is_progression(const char* values, std::int64_t count, std::uint64_t before,
                                            std::uint64_t step) noexcept {
  std::uint64_t expected = before;
  std::uint64_t unequal = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    expected += step;
    unequal |= load<std::uint64_t>(values + i * 8) ^ expected;
  }
  return unequal == 0;
}

// Whether no index is less than the one before. None is negative, so differences do not overflow; with SSE2 testing
// their signs takes a third of the time of comparisons.
STREW_VECTORISED inline bool ascends(const char* values, std::int64_t count, std::uint64_t before,
                                     std::uint64_t) noexcept {
  std::uint64_t steps = load<std::uint64_t>(values) - before;
  for (std::int64_t i = 1; i < count; ++i) {
    steps |= load<std::uint64_t>(values + i * 8) - load<std::uint64_t>(values + (i - 1) * 8);
  }
  return steps >> 63 == 0;
}

// A test of each index of a run against the one before.
struct run_test {
  const index_run& run;
  bool (*passes)(const char* values, std::int64_t count, std::uint64_t before, std::uint64_t step) noexcept;
  std::uint64_t before;  // the value before the first index
  std::uint64_t step;
};

// Runs the test on indices [begin, begin + count), in blocks of contiguous 64-bit ones.
inline unsigned test_piece(const void* test, std::int64_t begin, std::int64_t count) noexcept {
  const run_test& all = *static_cast<const run_test*>(test);
  const index_run& run = all.run;
  const std::int64_t block = tuning::limits().used_ascending_block;
  const index_loops& loops = run.indices.loops;
  const bool is_plain = loops.is_canonical_index && loops.size == 8 && run.stride == 8;
  std::int64_t values[tuning::ascending_block];
  const char* from = run.indices.data + begin * run.stride;
  std::uint64_t before = begin == 0 ? all.before : static_cast<std::uint64_t>(run.indices[(begin - 1) * run.stride]);
  while (count > 0) {
    const std::int64_t n = count < block ? count : block;
    if (!is_plain) loops.read_64(from, run.stride, n, values);
    const char* const these = is_plain ? from : reinterpret_cast<const char*>(values);
    if (!all.passes(these, n, before, all.step)) return bad_index;
    before = load<std::uint64_t>(these + (n - 1) * 8);
    from += n * run.stride;
    count -= n;
  }
  return nothing_found;
}

// The range of numbers of the indices that are in `range`, among `count` ascending ones, `stride` bytes apart from
// `first_index` on. O(log count).
inline axis_range ascending_within(const index_source& indices, std::int64_t first_index, std::int64_t stride,
                                   std::int64_t count, const axis_range& range) noexcept {
  const auto below = [&](std::int64_t bound) {  // the number of indices less than the bound
    std::int64_t first = 0;
    for (std::int64_t left = count; left > 0;) {
      const std::int64_t half = left / 2;
      if (indices[first_index + (first + half) * stride] < bound) {
        first += half + 1;
        left -= half + 1;
      } else {
        left = half;
      }
    }
    return first;
  };
  const std::int64_t begin = below(range.begin);
  return {begin, below(range.begin + range.count) - begin};
}

// The first index of a progression and its step.
struct progression {
  std::int64_t first;
  std::int64_t step;
};

// Whether a run of two or more indices is an arithmetic progression; step 0 counts if takes_constant.
STREW_NOINLINE inline bool find_progression(const execution_context& ctx, const index_run& run, bool takes_constant,
                                            progression& found) {
  const std::int64_t first = run.indices[0];
  const std::int64_t second = run.indices[run.stride];
  const std::int64_t last = run.indices[(run.count - 1) * run.stride];
  // No tensor has legal indices near the limits, where their differences overflow. The last index rejects most runs
  // that are no progression.
  constexpr std::uint64_t limit = int64_max / 4;
  if ((first == second && !takes_constant) || magnitude(first) > limit || magnitude(last) > limit) return false;
  const std::int64_t step = (last - first) / (run.count - 1);
  if (second != first + step || (last - first) % (run.count - 1) != 0) return false;
  const run_test test{run, is_progression, static_cast<std::uint64_t>(first - step), static_cast<std::uint64_t>(step)};
  if (ctx.find_flags(run.count, {test_piece, &test}) != nothing_found) return false;
  found = {first, step};
  return true;
}

// Checks a run against the extent of the axis; returns flags.
STREW_NOINLINE inline unsigned check_one_run(const execution_context& ctx, const index_run& run, std::int64_t extent) {
  struct context {
    const index_run& run;
    std::int64_t extent;
  };
  const context all{run, extent};
  const auto check_piece = [](const void* call, std::int64_t begin, std::int64_t count) noexcept -> unsigned {
    const auto& c = *static_cast<const context*>(call);
    return c.run.indices.loops.check_run(c.run.indices.data + begin * c.run.stride, c.run.stride, count, c.extent);
  };
  return ctx.find_flags(run.count, {check_piece, &all});
}

// Sorts the loops over indices by their cost; returns the offset of the first position.
STREW_SMALL inline std::int64_t sort_by_cost(loop_nest<4>& nest) noexcept {
  const std::int64_t first = nest.sort_by(scatter_plan::index)[scatter_plan::index];
  std::int64_t cost[max_rank];
  for (int k = 0; k < nest.rank(); ++k) cost[k] = cost_of_loop(nest[k], 0, nest[k], 0);
  nest.sort_by_cost(cost);
  return first;
}

// Checks all indices of component j, returns flags and updates the analysis. O(distinct indices): axes of stride 0 are
// read once.
STREW_INLINE unsigned check_component(const execution_context& ctx, const index_constraint& constraint,
                                      const erased::index_operand& from, int j, index_analysis& facts) {
  const strided_layout& layout = *from.layout;
  const std::int64_t size = from.loops->size;
  const std::int64_t extent = constraint.extent(j);
  constexpr std::size_t index = scatter_plan::index;
  loop_nest<4> nest;
  bool is_broadcast = false;
  for (int k = 0; k < layout.rank(); ++k) {
    const std::int64_t stride = scaled(layout.stride(k), size);
    const bool repeats = stride == 0 && layout.extent(k) > 1;
    is_broadcast = is_broadcast || repeats;
    nest.add_inner(repeats ? 1 : layout.extent(k), {0, 0, stride, 0});
  }
  const bool is_run = nest.rank() == 1 && !is_broadcast;
  // The order of the checks is free: the first illegal index is found after them.
  std::int64_t first = 0;
  if (nest.rank() > 1) first = sort_by_cost(nest);
  const auto innermost = nest.innermost();
  const index_run run{{from.data + first, *from.loops}, innermost.strides[index], innermost.extent};
  const bool is_alone = constraint.count() == 1;
  unsigned found = nothing_found;
  progression slice{0, 0};
  bool is_slice = is_run && facts.is_slice && find_progression(ctx, run, !is_alone, slice);
  if (is_slice) {
    const std::int64_t ends[] = {slice.first, slice.first + (run.count - 1) * slice.step};  // they bound the others
    for (const std::int64_t end : ends) {
      if (normalize_index(end, extent, constraint.rules.rule) == out_of_bounds) found |= bad_index;
      if (end < 0) found |= negative_index;
    }
    // Indices of both signs are no slice, since they jump from one end of the axis to the other.
    is_slice = (ends[0] < 0) == (ends[1] < 0);
    if (ends[0] < 0) slice.first += extent;
  } else if (nest.rank() == 1) {
    found = check_one_run(ctx, run, extent);
  } else {
    for (nest_cursor<4> at(nest, 1, {}); !at.done(); at.next()) {
      found |= from.loops->check_run(run.indices.data + at[index], run.stride, run.count, extent);
    }
  }
  // The offset of an illegal index may overflow.
  facts.is_slice = facts.is_slice && is_slice && (found & bad_index) == 0;
  if (facts.is_slice) {
    const std::int64_t weight = is_alone ? 1 : constraint.output.stride(constraint.axes.first + j);
    facts.first += slice.first * weight;
    facts.step += slice.step * weight;
  }
  if (facts.seeks_own && j == 0 && is_run && found == nothing_found) {
    if (!is_slice) facts.find_own = ctx.find_own_if_ascending(run);
    if (is_slice && slice.step >= 0) facts.find_own = ctx.find_own_of_progression();
  }
  return found;
}

// Checks and analyses all indices of a call. If several address a target together the slice is one of offsets in the
// output, in elements.
STREW_SMALL inline bool check_indices(const execution_context& ctx, const index_constraint& constraint,
                                      const erased::index_operand* indices, index_analysis& facts, status& error) {
  facts.wraps = constraint.policy != index_policy::error;
  if (indices[0].layout->empty() || !constraint.needs_check()) return true;
  const int count = constraint.count();
  unsigned found = nothing_found;
  facts.is_slice = count > 0 && constraint.looks_for_slice;
  for (int j = 0; j < count; ++j) {
    if (constraint.extent(j) == 0) {
      found |= bad_index;
    } else if (!constraint.takes_any()) {
      found |= check_component(ctx, constraint, indices[j], j, facts);
    }
  }
  facts.wraps = facts.wraps || (found & negative_index) != 0;
  facts.is_slice = facts.is_slice && facts.step != 0;
  const bool is_bad = (found & bad_index) != 0;
  STREW_ASSERT(!is_bad || constraint.policy != index_policy::assume_valid);
  if (!is_bad) return true;
  return refuse_first_bad_index(
      constraint, *indices[0].layout,
      [&](int j, const index_list& position) -> raw_index {
        return {index_bits(indices[j], indices[j].layout->offset(position)), indices[j].loops->is_unsigned};
      },
      error);
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_KERNELS_CHECK_INDICES_HPP
