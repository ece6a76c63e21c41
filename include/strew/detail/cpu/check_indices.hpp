// SPDX-License-Identifier: Apache-2.0
// The check of a whole tensor of indices before anything is written, and what it learns on the way.
#ifndef STREW_DETAIL_CPU_CHECK_INDICES_HPP
#define STREW_DETAIL_CPU_CHECK_INDICES_HPP

#include <strew/config.hpp>
#include <strew/detail/cpu/index_leaves.hpp>
#include <strew/detail/kernel_counter.hpp>
#include <strew/detail/plan/loop_nest.hpp>
#include <strew/detail/plan/partition.hpp>
#include <strew/detail/plan/target_axis.hpp>
#include <strew/detail/rules/scatter.hpp>
#include <strew/detail/tuning.hpp>
#include <strew/index.hpp>
#include <strew/integer.hpp>
#include <strew/layout.hpp>
#include <strew/status.hpp>

#include <cstddef>
#include <cstdint>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// Whether each 64-bit index of `values` is the one before and a step, the first `before` and a step. Modulo 2^64.
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

// Whether none is less than the one before. None is negative, so that differences do not overflow: their signs take a
// third of the time of comparisons with SSE2.
STREW_VECTORISED inline bool ascends(const char* values, std::int64_t count, std::uint64_t before,
                                     std::uint64_t) noexcept {
  std::uint64_t steps = load<std::uint64_t>(values) - before;
  for (std::int64_t i = 1; i < count; ++i) {
    steps |= load<std::uint64_t>(values + i * 8) - load<std::uint64_t>(values + (i - 1) * 8);
  }
  return steps >> 63 == 0;
}

// What each index of a run is asked about the one before.
struct run_test {
  const index_run& run;
  bool (*passes)(const char* values, std::int64_t count, std::uint64_t before, std::uint64_t step) noexcept;
  std::uint64_t before;  // what would stand before the first
  std::uint64_t step;
};

// Asks so many indices from number `begin` on, in blocks of contiguous 64-bit ones.
inline unsigned test_piece(const void* test, std::int64_t begin, std::int64_t count) noexcept {
  const run_test& all = *static_cast<const run_test*>(test);
  const index_run& run = all.run;
  const std::int64_t block = tuning::limits().used_ascending_block;
  const index_leaves& leaves = run.indices.leaves;
  const bool is_plain = leaves.is_loop_index && leaves.size == 8 && run.stride == 8;
  std::int64_t values[tuning::ascending_block];
  const char* from = run.indices.data + begin * run.stride;
  std::uint64_t before = begin == 0 ? all.before : static_cast<std::uint64_t>(run.indices[(begin - 1) * run.stride]);
  while (count > 0) {
    const std::int64_t n = count < block ? count : block;
    if (!is_plain) leaves.read_64(from, run.stride, n, values);
    const char* const these = is_plain ? from : reinterpret_cast<const char*>(values);
    if (!all.passes(these, n, before, all.step)) return bad_index;
    before = load<std::uint64_t>(these + (n - 1) * 8);
    from += n * run.stride;
    count -= n;
  }
  return nothing_found;
}

// The numbers of those of `count` ascending indices, `stride` bytes apart from `first_index` on, that lie in a range.
// O(log count).
inline axis_range ascending_within(const index_source& indices, std::int64_t first_index, std::int64_t stride,
                                   std::int64_t count, const axis_range& range) noexcept {
  const auto below = [&](std::int64_t bound) {  // how many indices are less than the bound
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

// Whether a run of two or more indices is a slice; if it is, `facts` says which.
inline bool learn_slice(const workers& who, const index_run& run, index_facts& facts) {
  const std::int64_t first = run.indices[0];
  const std::int64_t second = run.indices[run.stride];
  const std::int64_t last = run.indices[(run.count - 1) * run.stride];
  // No legal tensor has indices near the limits, where their differences overflow. A look at the last index tells
  // most tensors that are no slice.
  constexpr std::int64_t limit = int64_max / 4;
  const auto is_near = [](std::int64_t index) { return index >= -limit && index <= limit; };
  if (first == second || !is_near(first) || !is_near(second) || !is_near(last)) return false;
  const std::int64_t step = second - first;
  const double span = static_cast<double>(run.count - 1) * static_cast<double>(step);
  if (span < -4e18 || span > 4e18 || last - first != (run.count - 1) * step) return false;
  const run_test test{run, is_progression, static_cast<std::uint64_t>(first - step), static_cast<std::uint64_t>(step)};
  if (who.check(run.count, {test_piece, &test}) != nothing_found) return false;
  facts.is_slice = true;
  facts.first = first;
  facts.step = step;
  return true;
}

// Names the first bad index in row-major order. There is one.
STREW_COLD inline bool refuse_first_bad_index(const char* operation, const index_source& indices,
                                              const strided_layout& layout, int axis, std::int64_t extent,
                                              index_rule rule, status& error) noexcept {
  index_list coordinate = layout.extents();
  for (int k = 0; k < coordinate.size(); ++k) coordinate[k] = 0;
  const auto offset = [&] { return layout.offset(coordinate) * indices.leaves.size; };
  while (normalize_index(indices[offset()], extent, rule) != out_of_bounds) next_distinct(layout, coordinate);
  // The bits of a value that saturates.
  std::int64_t value = indices[offset()];
  if (indices.leaves.is_unsigned && indices.leaves.size == 8) value = load<std::int64_t>(indices.data + offset());
  return refuse_index(operation, value, indices.leaves.is_unsigned, coordinate, axis, extent, rule, error);
}

// Checks a run against the extent of the axis and returns what it found.
inline unsigned check_one_run(const workers& who, const index_run& run, std::int64_t extent) {
  struct context {
    const index_run& run;
    std::int64_t extent;
  };
  const context all{run, extent};
  const auto check = [](const void* call, std::int64_t begin, std::int64_t count) noexcept -> unsigned {
    const auto& c = *static_cast<const context*>(call);
    return c.run.indices.leaves.check(c.run.indices.data + begin * c.run.stride, c.run.stride, count, c.extent);
  };
  return who.check(run.count, {check, &all});
}

// What a call asks of its indices: that each names an element of an axis of so many.
struct index_demand {
  const char* operation;
  int axis;
  std::int64_t extent;
  index_rule rule;
};

// Checks every index. O(distinct indices): an axis of stride 0 is looked at once.
inline bool check_indices(const workers& who, const index_demand& demand, const index_source& indices,
                          const strided_layout& layout, index_facts& facts, status& error) {
  const std::int64_t size = indices.leaves.size;
  loop_nest<2> nest;
  bool is_broadcast = false;
  if (layout.is_row_major()) {
    nest.add_inner(layout.size(), {size, size});
  } else {
    for (int k = 0; k < layout.rank(); ++k) {
      const std::int64_t stride = scaled(layout.stride(k), size);
      const bool repeats = stride == 0 && layout.extent(k) > 1;
      is_broadcast = is_broadcast || repeats;
      nest.add_inner(repeats ? 1 : layout.extent(k), {stride, stride});
    }
  }
  if (nest.empty()) return true;
  const auto innermost = nest.innermost();
  const index_run run{indices, innermost.strides[0], innermost.extent};
  const bool is_run = nest.rank() == 1 && !is_broadcast;
  unsigned found = nothing_found;
  if (is_run && learn_slice(who, run, facts)) {
    const std::int64_t ends[] = {facts.first, facts.first + (run.count - 1) * facts.step};  // they bound the rest
    for (const std::int64_t end : ends) {
      if (normalize_index(end, demand.extent, demand.rule) == out_of_bounds) found |= bad_index;
      if (end < 0) found |= negative_index;
    }
    // Indices on both sides of 0 are no slice: they go from one end of the axis to the other.
    if ((ends[0] < 0) != (ends[1] < 0)) facts.is_slice = false;
    if (ends[0] < 0) facts.first += demand.extent;
  } else if (is_run) {
    found = check_one_run(who, run, demand.extent);
  } else {
    for (nest_cursor<2> at(nest, 1, {}); !at.done(); at.next()) {
      found |= indices.leaves.check(indices.data + at[0], run.stride, run.count, demand.extent);
    }
  }
  facts.wraps = (found & negative_index) != 0;
  if ((found & bad_index) != 0) {
    return refuse_first_bad_index(demand.operation, indices, layout, demand.axis, demand.extent, demand.rule, error);
  }
  facts.ascends = is_run && !facts.wraps && !facts.is_slice && who.see_ascending(run);
  return true;
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_CPU_CHECK_INDICES_HPP
