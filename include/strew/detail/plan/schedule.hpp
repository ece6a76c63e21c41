// SPDX-License-Identifier: Apache-2.0
// The schedule of a scatter whose indices are used repeatedly: a slice, or a list of entries sorted for the cache.
#ifndef STREW_DETAIL_PLAN_SCHEDULE_HPP
#define STREW_DETAIL_PLAN_SCHEDULE_HPP

#include <strew/config.hpp>
#include <strew/detail/plan/dense_plan.hpp>
#include <strew/detail/plan/scratch_memory.hpp>
#include <strew/detail/rules/check_scatter.hpp>
#include <strew/detail/rules/operation.hpp>
#include <strew/detail/rules/target_axis.hpp>
#include <strew/detail/tuning.hpp>
#include <strew/view/integer.hpp>
#include <strew/view/slice.hpp>

#include <cstdint>
#include <cstring>
#include <limits>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// The target and the source of a unit (an element or a row), counted in units.
struct schedule_entry {
  std::uint32_t target;
  std::uint32_t source;
};

// A list of entries in memory without alignment.
class entry_list {
 public:
  static constexpr std::int64_t size = sizeof(schedule_entry);

  explicit entry_list(char* memory) noexcept : memory_{memory} {}

  [[nodiscard]] schedule_entry operator[](std::int64_t i) const noexcept {
    schedule_entry result;
    std::memcpy(&result, memory_ + i * size, sizeof result);
    return result;
  }
  void set(std::int64_t i, const schedule_entry& value) const noexcept {
    std::memcpy(memory_ + i * size, &value, sizeof value);
  }

 private:
  char* memory_;
};

// The schedule of a dense scatter. Targets number the units of all of the output; for rows longer than a cache line
// those of one position of `outer`, as the entries are the same for all positions.
struct schedule_plan {
  std::int64_t unit;     // bytes
  std::int64_t targets;  // units
  std::int64_t count;    // of entries
  bool are_rows;         // sorted and indexed by target: out of place each row is written once
  int shift;             // sorted by target >> shift: a block of 2^shift targets stays in the cache
  bool combines;         // whether updates are combined with their targets

  [[nodiscard]] constexpr bool can_be_listed() const noexcept {
    constexpr std::int64_t most = (std::numeric_limits<std::int32_t>::max)();
    return targets < most && count < most;
  }
  [[nodiscard]] constexpr std::int64_t blocks() const noexcept { return ((targets - 1) >> shift) + 1; }
  // The gap, in units, between blocks of updates in the order of the entries. Without it blocks a power of two apart
  // would map to the same few sets of the caches, which makes filling them up to three times as slow.
  [[nodiscard]] constexpr std::int64_t gap() const noexcept { return 17 * tuning::cache_line / unit + 1; }
  [[nodiscard]] constexpr std::int64_t sorted_bytes() const noexcept { return (count + blocks() * gap()) * unit; }
  // The bytes for listing and sorting the entries.
  [[nodiscard]] constexpr std::int64_t bytes() const noexcept { return 2 * count * entry_list::size; }

  friend constexpr bool operator==(const schedule_plan&, const schedule_plan&) = default;
};

constexpr schedule_plan plan_schedule(const dense_plan& plan, bool has_lanes, bool combines = false) noexcept {
  const tuning::thresholds& limits = tuning::limits();
  const std::int64_t row = plan.inner * plan.width;
  if (!has_lanes && !combines && row > limits.longest_moved_unit) {
    return {row, plan.extent, plan.count, true, 0, false};
  }
  const std::int64_t unit = has_lanes ? plan.width : row;
  const std::int64_t outer = has_lanes ? plan.outer * plan.inner : plan.outer;
  const std::int64_t targets = outer * plan.extent;
  int shift = 0;
  // Longer rows that are combined are sorted by target: each is written while it is in the cache.
  const bool is_by_target = combines && unit > tuning::cache_line;
  while (!is_by_target && unit <= limits.moved_block >> (shift + 1)) ++shift;
  return {unit, targets, outer * plan.count, false, shift, combines};
}

// The plan of a validated scatter by indices, of which `at.indices` has the positions. Returns false if operands are
// not dense, or if lanes share indices or have no updates.
constexpr bool plan_bound_operands(const operation_rules& rules, const scatter_layouts& at, const target_axes& axes,
                                   std::int64_t element_size, dense_plan& plan) noexcept {
  if (!at.data.is_row_major() || !at.updates.is_row_major() || !at.output.is_row_major() || at.output.empty() ||
      at.updates.empty() || at.indices.empty()) {
    return false;
  }
  plan = {1, 1, at.indices.size(), 1, element_size, at.output.size() * element_size, at.updates.size() * element_size,
          0};
  if (rules.by == addressing::numbers) {
    plan.extent = at.output.size();
    return true;
  }
  for (int k = 0; k < at.output.rank(); ++k) {
    const std::int64_t extent = at.output.extent(k);
    if (!rules.names_rows() && k != axes.first) {
      if (at.indices.extent(k) != extent) return false;
      if (extent > 1 && at.indices.stride(k) == 0) return false;  // lanes that share indices would have an entry each
    }
    (k < axes.first ? plan.outer : k < axes.end() ? plan.extent : plan.inner) *= extent;
  }
  if (!rules.names_rows()) plan.count = at.indices.extent(axes.first);
  return true;
}

// Bound indices.
struct bound_indices {
  enum class form : unsigned char {
    copied,  // if operands are not dense, or not copied as bytes
    slice,
    entries
  };
  form is = form::copied;
  bool is_local = false;  // whether at least half of the targets are near the one before
  slice_range slice{};
  char* memory = nullptr;
  char* entries = nullptr;  // in `memory`, sorted
  // In `memory`, if runs may sort the updates: the position of each source in the order of the entries.
  char* places = nullptr;
  char* targets = nullptr;  // in `memory`, if runs may follow the sources: the target of each
  // Of entries: without those that are dropped, and if updates are assigned maybe without overwritten ones.
  std::int64_t count = 0;
  std::int64_t workspace = 0;  // bytes for sorting the updates, if there are places
};

// Whether at least half of the targets are near the one before, as for sorted indices, runs and meshes.
inline bool are_local(const entry_list& entries, std::int64_t count, std::int64_t unit) noexcept {
  const std::int64_t close = tuning::limits().near_bytes / unit;
  std::int64_t found = 0;
  for (std::int64_t i = 1; i < count; ++i) {
    const std::int64_t step = std::int64_t{entries[i].target} - std::int64_t{entries[i - 1].target};
    found += step < close && step > -close ? 1 : 0;
  }
  return found >= count / 2;
}

// Sorts `count` entries by target >> shift; the sort is stable. Returns the sorted entries, in `entries` or in `spare`,
// which has the same size. O(count): a radix sort.
inline char* sort_entries(char* entries, char* spare, std::int64_t count, int shift, std::int64_t targets) noexcept {
  constexpr int digit_bits = 11;
  constexpr std::int64_t digits = std::int64_t{1} << digit_bits;
  for (; targets > 0 && (targets - 1) >> shift > 0; shift += digit_bits) {
    const auto digit = [shift](const schedule_entry& m) { return std::int64_t{m.target} >> shift & (digits - 1); };
    std::int64_t next[digits + 1] = {};
    const entry_list from(entries);
    for (std::int64_t i = 0; i < count; ++i) ++next[digit(from[i]) + 1];
    for (std::int64_t k = 1; k <= digits; ++k) next[k] += next[k - 1];
    const entry_list to(spare);
    for (std::int64_t i = 0; i < count; ++i) to.set(next[digit(from[i])]++, from[i]);
    char* const sorted = spare;
    spare = entries;
    entries = sorted;
  }
  return entries;
}

// Keeps the last entry for each target; entries are sorted by target. Returns the number of entries kept.
inline std::int64_t drop_overwritten(const entry_list& entries, std::int64_t count) noexcept {
  std::int64_t kept = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    const schedule_entry m = entries[i];
    if (kept > 0 && entries[kept - 1].target == m.target) --kept;
    entries.set(kept++, m);
  }
  return kept;
}

// The last source of each target of some entries, in memory of 4 bytes for each target, without alignment.
class last_sources {
 public:
  last_sources(const entry_list& entries, std::int64_t count, char* memory) noexcept
      : entries_{entries}, count_{count}, memory_{memory} {
    for (std::int64_t i = 0; i < count; ++i) {
      const schedule_entry m = entries[i];
      std::memcpy(at(m), &m.source, sizeof m.source);
    }
  }
  // The number of entries that no later one overwrites.
  [[nodiscard]] std::int64_t count() const noexcept {
    std::int64_t kept = 0;
    for (std::int64_t i = 0; i < count_; ++i) kept += is_last(entries_[i]) ? 1 : 0;
    return kept;
  }
  // Keeps these alone, in their order.
  void keep() const noexcept {
    std::int64_t kept = 0;
    for (std::int64_t i = 0; i < count_; ++i) {
      if (const schedule_entry m = entries_[i]; is_last(m)) entries_.set(kept++, m);
    }
  }

 private:
  [[nodiscard]] char* at(const schedule_entry& m) const noexcept { return memory_ + std::int64_t{m.target} * 4; }
  [[nodiscard]] bool is_last(const schedule_entry& m) const noexcept {
    return std::memcmp(at(m), &m.source, sizeof m.source) == 0;
  }

  entry_list entries_;
  std::int64_t count_;
  char* memory_;
};

// The number of the first sorted entry whose target is not below `target`, the first of a block.
inline std::int64_t first_entry(const entry_list& entries, std::int64_t count, std::int64_t target,
                                int shift) noexcept {
  std::int64_t begin = 0;
  std::int64_t end = count;
  while (begin < end) {
    const std::int64_t middle = begin + (end - begin) / 2;
    if (std::int64_t{entries[middle].target} >> shift < target >> shift) {
      begin = middle + 1;
    } else {
      end = middle;
    }
  }
  return begin;
}

}  // namespace strew::detail

namespace strew::inline STREW_ABI::erased {

// The schedule of the indices of a call, and the plans for which it was made.
struct bound_schedule {
  detail::dense_plan plan{};
  detail::schedule_plan as{};
  int axis = 0;  // the first target axis
  detail::bound_indices indices{};
};

}  // namespace strew::erased

#endif  // STREW_DETAIL_PLAN_SCHEDULE_HPP
