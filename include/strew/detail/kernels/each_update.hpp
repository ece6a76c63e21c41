// SPDX-License-Identifier: Apache-2.0
// The loop around what is done with an update: over the updates of all lines of a run, with prefetching.
#ifndef STREW_DETAIL_KERNELS_EACH_UPDATE_HPP
#define STREW_DETAIL_KERNELS_EACH_UPDATE_HPP

#include <strew/config.hpp>
#include <strew/detail/kernels/reduce_runs.hpp>
#include <strew/detail/kernels/stream.hpp>
#include <strew/detail/tuning.hpp>

#include <cstdint>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// What is prefetched of the update that is `ahead` rows ahead: bytes from the beginning of its target, a cache line for
// each `step` of them, and bytes of the update itself.
struct prefetched_bytes {
  std::int64_t ahead;
  std::int64_t target = 1;
  std::int64_t step = tuning::cache_line;
  std::int64_t update = 0;
};

// Calls body(to, from, state) for each update of a line; prefetches later ones. There is a second, shorter loop for
// lines of all updates without states: of single elements, for which it prefetches always the same, and of contiguous
// rows. `stateful` is one loop too, for reductions that keep a state; for all others `state` is null.
enum class update_loops { elements, rows, one, stateful };
template <update_loops Loops, class Body>
STREW_INLINE void for_each_update_of_line(const update_run& run, const prefetched_bytes& what,
                                          const Body& body) noexcept {
  const auto target = [&](std::int64_t i) { return run.to + i * run.to_stride + run.offset[i]; };
  const bool is_plain = run.number == nullptr && run.states == nullptr;
  constexpr bool are_elements = Loops == update_loops::elements;
  if ((are_elements || (Loops == update_loops::rows && what.target <= what.step && what.update == 0)) && is_plain) {
    std::int64_t i = 0;
    const std::int64_t ahead = are_elements || run.ahead == 0 ? run.ahead : what.ahead;
    if (ahead > 0 && ahead < run.count) {
      for (std::int64_t k = 0; k < ahead; ++k) prefetch_to_write(target(k), 0);
      const std::int64_t* const later = run.offset + ahead;
      char* const later_to = run.to + ahead * run.to_stride;
      for (const std::int64_t end = run.count - ahead; i < end; ++i) {
        prefetch_to_write(later_to + i * run.to_stride + later[i], 0);
        body(target(i), run.from + i * run.from_stride, static_cast<char*>(nullptr));
      }
    }
    for (; i < run.count; ++i) body(target(i), run.from + i * run.from_stride, static_cast<char*>(nullptr));
    return;
  }
  const auto number = [&](std::int64_t k) {
    return run.number == nullptr ? k : static_cast<std::int64_t>(run.number[k]);
  };
  // Prefetches are not in a function of their own, see prefetch.
  const std::int64_t ahead = Loops != update_loops::elements && run.ahead > 0 ? what.ahead : run.count;
  const std::int64_t end = run.count - ahead;
  for (std::int64_t k = 0; k < run.count; ++k) {
    if (k < end) {
      const std::int64_t later = number(k + ahead);
      prefetch(target(later), what.target, what.step);
      prefetch(run.from + later * run.from_stride, what.update);
      if constexpr (Loops == update_loops::stateful) {
        prefetch(run.states + later * run.state_stride + run.state_offset[later], 1);
      }
    }
    const std::int64_t i = number(k);
    char* state = nullptr;
    if constexpr (Loops == update_loops::stateful) state = run.states + i * run.state_stride + run.state_offset[i];
    body(target(i), run.from + i * run.from_stride, state);
  }
}
// Calls body for each update of all lines.
template <update_loops Loops, class Body>
STREW_INLINE void for_each_update(const update_run& all, const prefetched_bytes& prefetched,
                                  const Body& body) noexcept {
  update_run run = all;  // copies: stores of char may alias them
  const prefetched_bytes what = prefetched;
  for (std::int64_t line = 1;; ++line) {
    for_each_update_of_line<Loops>(run, what, body);
    if (run.lines == nullptr || line == run.lines->count) return;
    run.to += run.lines->to;
    run.from += run.lines->from;
    run.offset += run.lines->offsets;
    if constexpr (Loops == update_loops::stateful) {
      run.states += run.lines->state;
      run.state_offset += run.lines->offsets;
    }
  }
}

// The hardware prefetches the rest of longer targets, and updates that follow each other in memory.
STREW_SMALL inline prefetched_bytes prefetched_of(const update_run& run, const row_run& row) noexcept {
  constexpr std::int64_t line = tuning::cache_line;
  const std::int64_t bytes = row.extent * row.unit;
  prefetched_bytes what{tuning::most_prefetched_targets};
  if (run.ahead == 0 || row.to_stride != row.unit || bytes == 0) return what;
  const auto at_most = [bytes](std::int64_t most) { return bytes < most ? bytes : most; };
  what.ahead = tuning::prefetched_targets / bytes;
  if (what.ahead > tuning::most_prefetched_targets) what.ahead = tuning::most_prefetched_targets;
  if (what.ahead < tuning::fewest_prefetched_targets) what.ahead = tuning::fewest_prefetched_targets;
  what.target = at_most(tuning::prefetched_target);
  // Rows that do not begin and end with a line are in one more line: the last byte is prefetched too.
  if (bytes < tuning::prefetched_target && bytes % line != 0 && line % bytes != 0) {
    what.step = (bytes - 1) / ((bytes + line - 2) / line);
  }
  const bool are_apart = run.number != nullptr || run.from_stride != bytes;
  if (bytes >= line && are_apart && row.from_stride == row.unit) what.update = at_most(tuning::prefetched_update);
  return what;
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_KERNELS_EACH_UPDATE_HPP
