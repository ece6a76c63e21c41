// SPDX-License-Identifier: Apache-2.0
// Indices that are used again and again, as what they come to: a slice, or a list of moves in the order in which they
// are made soonest.
#ifndef STREW_DETAIL_PLAN_MOVES_HPP
#define STREW_DETAIL_PLAN_MOVES_HPP

#include <strew/config.hpp>
#include <strew/detail/plan/dense_plan.hpp>
#include <strew/detail/tuning.hpp>
#include <strew/integer.hpp>
#include <strew/slice.hpp>

#include <cstdint>
#include <cstring>
#include <limits>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// From where to where a unit (an element or a row) goes, counted in units.
struct unit_move {
  std::uint32_t target;
  std::uint32_t source;
};

// Moves in memory at any address.
class move_list {
 public:
  static constexpr std::int64_t size = sizeof(unit_move);

  explicit move_list(char* memory) noexcept : memory_{memory} {}

  [[nodiscard]] unit_move operator[](std::int64_t i) const noexcept {
    unit_move result;
    std::memcpy(&result, memory_ + i * size, sizeof result);
    return result;
  }
  void set(std::int64_t i, const unit_move& value) const noexcept {
    std::memcpy(memory_ + i * size, &value, sizeof value);
  }

 private:
  char* memory_;
};

// The moves of a dense scatter. Units of all of the output are numbered; but rows longer than a cache line are those of
// one position of `outer`, which all have the same moves.
struct move_plan {
  std::int64_t unit;     // bytes
  std::int64_t targets;  // units
  std::int64_t count;    // of moves
  bool are_rows;         // sorted by target, and listed by it too: out of place each row is written once
  int shift;             // sorted by target >> shift, in blocks of so many targets that stay in the cache

  [[nodiscard]] constexpr bool can_be_listed() const noexcept {
    constexpr std::int64_t most = (std::numeric_limits<std::int32_t>::max)();
    return targets < most && count < most;
  }
  [[nodiscard]] constexpr std::int64_t blocks() const noexcept { return ((targets - 1) >> shift) + 1; }
  // Updates in the order of the moves have gaps between blocks: blocks a power of two apart would meet in a few sets of
  // the caches, which makes filling all of them at once up to three times as slow. In units.
  [[nodiscard]] constexpr std::int64_t gap() const noexcept { return 17 * tuning::cache_line / unit + 1; }
  [[nodiscard]] constexpr std::int64_t sorted_bytes() const noexcept { return (count + blocks() * gap()) * unit; }
  // The bytes in which moves are listed and sorted.
  [[nodiscard]] constexpr std::int64_t bytes() const noexcept { return 2 * count * move_list::size; }
};

constexpr move_plan plan_moves(const dense_plan& plan, bool has_lanes) noexcept {
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
    moves
  };
  form is = form::copied;
  slice_range slice{};
  char* memory = nullptr;
  char* moves = nullptr;  // somewhere in it, sorted
  // Elsewhere in it, where runs may sort the updates: where each source lies in the order of the moves.
  char* places = nullptr;
  std::int64_t count = 0;  // of moves that no later one overwrites, or of all
};

// Whether at least half of the moves go near the one before, as for sorted indices, runs and meshes.
inline bool are_local(const move_list& moves, const move_plan& plan) noexcept {
  const std::int64_t close = tuning::limits().near_bytes / plan.unit;
  std::int64_t found = 0;
  for (std::int64_t i = 1; i < plan.count; ++i) {
    const std::int64_t step = std::int64_t{moves[i].target} - std::int64_t{moves[i - 1].target};
    found += step < close && step > -close ? 1 : 0;
  }
  return found >= plan.count / 2;
}

// Sorts `count` moves by target >> shift; those of one block keep their order. Returns where they are then: in `moves`,
// or in `spare`, which has room for as many. O(count), by digits.
inline char* sort_moves(char* moves, char* spare, std::int64_t count, int shift, std::int64_t targets) noexcept {
  constexpr int digit_bits = 11;
  constexpr std::int64_t digits = std::int64_t{1} << digit_bits;
  for (; targets > 0 && (targets - 1) >> shift > 0; shift += digit_bits) {
    const auto digit = [shift](const unit_move& m) { return std::int64_t{m.target} >> shift & (digits - 1); };
    std::int64_t next[digits + 1] = {};
    const move_list from(moves);
    for (std::int64_t i = 0; i < count; ++i) ++next[digit(from[i]) + 1];
    for (std::int64_t k = 1; k <= digits; ++k) next[k] += next[k - 1];
    const move_list to(spare);
    for (std::int64_t i = 0; i < count; ++i) to.set(next[digit(from[i])]++, from[i]);
    char* const sorted = spare;
    spare = moves;
    moves = sorted;
  }
  return moves;
}

// Keeps, of moves that are sorted by target, the last one to each. Returns how many these are.
inline std::int64_t drop_overwritten(const move_list& moves, std::int64_t count) noexcept {
  std::int64_t kept = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    const unit_move m = moves[i];
    if (kept > 0 && moves[kept - 1].target == m.target) --kept;
    moves.set(kept++, m);
  }
  return kept;
}

// The first of sorted moves whose target is not below `target`, which begins a block.
inline std::int64_t first_move(const move_list& moves, std::int64_t count, std::int64_t target, int shift) noexcept {
  std::int64_t begin = 0;
  std::int64_t end = count;
  while (begin < end) {
    const std::int64_t middle = begin + (end - begin) / 2;
    if (std::int64_t{moves[middle].target} >> shift < target >> shift) {
      begin = middle + 1;
    } else {
      end = middle;
    }
  }
  return begin;
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_PLAN_MOVES_HPP
