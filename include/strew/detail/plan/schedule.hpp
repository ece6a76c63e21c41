// SPDX-License-Identifier: Apache-2.0
// The schedule of a scatter whose indices are used again and again: a slice, or a list of entries in the order in which
// they are made soonest.
#ifndef STREW_DETAIL_PLAN_SCHEDULE_HPP
#define STREW_DETAIL_PLAN_SCHEDULE_HPP

#include <strew/config.hpp>
#include <strew/detail/plan/dense_plan.hpp>
#include <strew/detail/tuning.hpp>
#include <strew/view/integer.hpp>
#include <strew/view/slice.hpp>

#include <cstdint>
#include <cstring>
#include <limits>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// From where to where a unit (an element or a row) goes, counted in units.
struct schedule_entry {
  std::uint32_t target;
  std::uint32_t source;
};

// Entries in memory at any address.
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

// The schedule of a dense scatter. Units of all of the output are numbered; but rows longer than a cache line are those
// of one position of `outer`, which all have the same entries.
struct schedule_plan {
  std::int64_t unit;     // bytes
  std::int64_t targets;  // units
  std::int64_t count;    // of entries
  bool are_rows;         // sorted by target, and listed by it too: out of place each row is written once
  int shift;             // sorted by target >> shift, in blocks of so many targets that stay in the cache

  [[nodiscard]] constexpr bool can_be_listed() const noexcept {
    constexpr std::int64_t most = (std::numeric_limits<std::int32_t>::max)();
    return targets < most && count < most;
  }
  [[nodiscard]] constexpr std::int64_t blocks() const noexcept { return ((targets - 1) >> shift) + 1; }
  // Updates in the order of the entries have gaps between blocks: blocks a power of two apart would meet in a few sets
  // of the caches, which makes filling all of them at once up to three times as slow. In units.
  [[nodiscard]] constexpr std::int64_t gap() const noexcept { return 17 * tuning::cache_line / unit + 1; }
  [[nodiscard]] constexpr std::int64_t sorted_bytes() const noexcept { return (count + blocks() * gap()) * unit; }
  // The bytes in which entries are listed and sorted.
  [[nodiscard]] constexpr std::int64_t bytes() const noexcept { return 2 * count * entry_list::size; }
};

constexpr schedule_plan plan_schedule(const dense_plan& plan, bool has_lanes) noexcept {
  const std::int64_t row = plan.inner * plan.width;
  if (!has_lanes && row > tuning::limits().longest_moved_unit) return {row, plan.extent, plan.count, true, 0};
  const std::int64_t unit = has_lanes ? plan.width : row;
  const std::int64_t outer = has_lanes ? plan.outer * plan.inner : plan.outer;
  int shift = 0;
  while (unit <= tuning::limits().moved_block >> (shift + 1)) ++shift;
  return {unit, outer * plan.extent, outer * plan.count, false, shift};
}

// What is known of bound indices.
struct bound_indices {
  enum class form : unsigned char {
    copied,  // where operands are not dense, or not known as bytes
    slice,
    entries
  };
  form is = form::copied;
  slice_range slice{};
  char* memory = nullptr;
  char* entries = nullptr;  // somewhere in it, sorted
  // Elsewhere in it, where runs may sort the updates: where each source lies in the order of the entries.
  char* places = nullptr;
  std::int64_t count = 0;  // of entries that no later one overwrites, or of all
};

// Whether at least half of the entries go near the one before, as for sorted indices, runs and meshes.
inline bool are_local(const entry_list& entries, const schedule_plan& plan) noexcept {
  const std::int64_t close = tuning::limits().near_bytes / plan.unit;
  std::int64_t found = 0;
  for (std::int64_t i = 1; i < plan.count; ++i) {
    const std::int64_t step = std::int64_t{entries[i].target} - std::int64_t{entries[i - 1].target};
    found += step < close && step > -close ? 1 : 0;
  }
  return found >= plan.count / 2;
}

// Sorts `count` entries by target >> shift; those of one block keep their order. Returns where they are then: in
// `entries`, or in `spare`, which has room for as many. O(count), by digits.
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

// Keeps, of entries that are sorted by target, the last one to each. Returns how many these are.
inline std::int64_t drop_overwritten(const entry_list& entries, std::int64_t count) noexcept {
  std::int64_t kept = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    const schedule_entry m = entries[i];
    if (kept > 0 && entries[kept - 1].target == m.target) --kept;
    entries.set(kept++, m);
  }
  return kept;
}

// The first of sorted entries whose target is not below `target`, which begins a block.
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

#endif  // STREW_DETAIL_PLAN_SCHEDULE_HPP
