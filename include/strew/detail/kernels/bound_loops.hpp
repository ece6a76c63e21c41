// SPDX-License-Identifier: Apache-2.0
// The innermost loops over the entries of bound indices, a set for each size of units, and for each reduction.
#ifndef STREW_DETAIL_KERNELS_BOUND_LOOPS_HPP
#define STREW_DETAIL_KERNELS_BOUND_LOOPS_HPP

#include <strew/config.hpp>
#include <strew/detail/kernel_counter.hpp>
#include <strew/detail/kernels/copy_loops.hpp>
#include <strew/detail/kernels/index_loops.hpp>
#include <strew/detail/kernels/reduce_loops.hpp>
#include <strew/detail/kernels/reduce_runs.hpp>
#include <strew/detail/kernels/stream.hpp>
#include <strew/detail/plan/schedule.hpp>
#include <strew/detail/tuning.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// The entries [first, last).
struct move_run {
  std::int64_t first;
  std::int64_t last;
  char* output;
  const char* updates;  // for make_sorted in the order of the entries
  std::int64_t unit;
  const void* reduce;  // a callable, or a factor
  bool is_far;         // whether the sources or, if sorted, the targets of entries are outside the cache
  // For updates that are combined: the end of the entries that may be prefetched, and for single elements how many
  // entries ahead targets are.
  std::int64_t end = 0;
  std::int64_t ahead = 0;
};

// The loops for units of one size.
struct bound_loops {
  void (*make)(const entry_list& entries, const move_run& run) noexcept;
  // For moves in two passes without random accesses outside the cache: copies all updates to their positions in the
  // order of the entries, then from there to the output.
  void (*place)(const char* places, std::int64_t first, std::int64_t last, char* sorted, const char* updates,
                std::int64_t unit) noexcept;
  void (*make_sorted)(const entry_list& entries, const move_run& run) noexcept;
  // All updates in order, the target of each given.
  void (*in_order)(const char* targets, const move_run& run) noexcept;
};

template <std::size_t Width, bool Sorted>
void make_entries(const entry_list& list, const move_run& all) noexcept {
  STREW_EXPECT(Width == any_width || all.unit == static_cast<std::int64_t>(Width));
  STREW_RAN("make_entries", Width, Sorted);
  const entry_list entries = list;  // copies: stores of char may alias the arguments
  const move_run run = all;
  const std::int64_t width = Width == any_width ? run.unit : static_cast<std::int64_t>(Width);
  constexpr std::int64_t ahead = tuning::prefetched_entries;
  const auto make = [&](std::int64_t k) {
    const schedule_entry m = entries[k];
    const std::int64_t source = Sorted ? k : std::int64_t{m.source};
    move_element<Width>(run.output + std::int64_t{m.target} * width, run.updates + source * width, width);
  };
  std::int64_t i = run.first;
  for (; run.is_far && i + ahead < run.last; ++i) {
    const schedule_entry later = entries[i + ahead];
    if constexpr (Sorted) {
      prefetch_to_write(run.output + std::int64_t{later.target} * width, 0);
    } else {
      prefetch(run.updates + std::int64_t{later.source} * width, width);
    }
    make(i);
  }
  for (; i < run.last; ++i) make(i);
}

template <std::size_t Width>
void place_updates(const char* places, std::int64_t first, std::int64_t last, char* sorted, const char* updates,
                   std::int64_t unit) noexcept {
  STREW_RAN("place_updates", Width);
  const std::int64_t width = Width == any_width ? unit : static_cast<std::int64_t>(Width);
  for (std::int64_t i = first; i < last; ++i) {
    char* const to = sorted + std::int64_t{load<std::uint32_t>(places + i * 4)} * width;
    prefetch_to_write(to, tuning::cache_line);  // as for buckets
    move_element<Width>(to, updates + i * width, width);
  }
}

template <std::size_t Width>
void make_in_order(const char* targets, const move_run& all) noexcept {
  STREW_RAN("make_in_order", Width);
  const move_run run = all;  // a copy: stores of char may alias `all`
  const std::int64_t width = Width == any_width ? run.unit : static_cast<std::int64_t>(Width);
  const char* from = run.updates;
  const auto target = [&](std::int64_t k) {
    return run.output + std::int64_t{load<std::uint32_t>(targets + k * 4)} * width;
  };
  std::int64_t i = 0;
  if constexpr (fits_register<Width>) {
    for (; i + tuning::batch <= run.last; i += tuning::batch, targets += 4 * tuning::batch) {
      move_four<Width>(target, from, width);
      from += tuning::batch * width;
    }
  }
  for (; i < run.last; ++i, targets += 4, from += width) move_element<Width>(target(0), from, width);
}

template <std::size_t Width>
constexpr bound_loops make_bound_loops() noexcept {
  bound_loops loops{make_entries<Width, false>, nullptr, nullptr, make_in_order<Width>};
  if constexpr (Width <= tuning::widest_sorted_assignment) {  // as for sorts_bound_updates
    loops.place = place_updates<Width>;
    loops.make_sorted = make_entries<Width, true>;
  }
  return loops;
}
template <std::size_t Width>
inline constexpr bound_loops bound_loops_of = make_bound_loops<Width>();

inline const bound_loops& find_bound_loops(std::int64_t unit) noexcept {
  if (unit == 32) return bound_loops_of<32>;
  if (unit == tuning::cache_line) return bound_loops_of<tuning::cache_line>;
  return *with_width(unit, [](auto width) { return &bound_loops_of<width()>; });
}

// How many entries ahead sources or targets of `unit` bytes are prefetched.
inline std::int64_t combined_ahead(std::int64_t unit) noexcept {
  const std::int64_t ahead = tuning::prefetched_targets / unit;
  return ahead > tuning::most_prefetched_targets     ? tuning::most_prefetched_targets
         : ahead < tuning::fewest_prefetched_targets ? tuning::fewest_prefetched_targets
                                                     : ahead;
}

// One step for updates that are combined with their targets: elements, or rows of a number of them.
template <class T, class R>
struct combining_step {
  static constexpr auto size = static_cast<std::int64_t>(sizeof(T));
  const R& reduce;
  row_run row;

  STREW_INLINE void operator()(char* to, const char* from) const noexcept {
    if constexpr (std::is_same_v<R, scaled_sum<T>>) {
      add_scaled_row<T>(reduce, to, from, row);
    } else if (row.extent == 1) {
      reduce_single<T>(reduce, to, from, nullptr);
    } else {
      reduce_row<T, R, true>(reduce, to, from, nullptr, row);
    }
  }
};
template <class T, class R, bool Sorted>
STREW_VECTORISED void combine_entries(const entry_list& list, const move_run& all) noexcept {
  STREW_RAN("combine_entries", type_name<T>, reduction_name<R>, Sorted);
  constexpr auto size = static_cast<std::int64_t>(sizeof(T));
  const entry_list entries = list;  // copies: stores of char may alias the arguments
  const move_run run = all;
  const combining_step<T, R> combine{reduction_of<R>(run.reduce), {run.unit / size, size, size, 0, size}};
  const auto make = [&](std::int64_t k) {
    const schedule_entry m = entries[k];
    const std::int64_t source = Sorted ? k : std::int64_t{m.source};
    combine(run.output + std::int64_t{m.target} * run.unit, run.updates + source * run.unit);
  };
  std::int64_t i = run.first;
  if constexpr (!Sorted) {
    const std::int64_t bytes = run.unit < tuning::prefetched_update ? run.unit : tuning::prefetched_update;
    const std::int64_t end = run.end - run.ahead < run.last ? run.end - run.ahead : run.last;
    for (; run.is_far && i < end; ++i) {
      prefetch(run.updates + std::int64_t{entries[i + run.ahead].source} * run.unit, bytes);
      make(i);
    }
  }
  for (; i < run.last; ++i) make(i);
}
// All updates in order, each to the target of its number: elements, or rows, some at a time by the loops of other
// calls.
template <class T, class R>
STREW_VECTORISED void combine_in_order(const char* targets, const move_run& all) noexcept {
  STREW_RAN("combine_in_order", type_name<T>, reduction_name<R>);
  constexpr auto size = static_cast<std::int64_t>(sizeof(T));
  const move_run run = all;  // a copy: stores of char may alias `all`
  const auto target = [](const char* from, std::int64_t k) { return std::int64_t{load<std::uint32_t>(from + k * 4)}; };
  if constexpr (!std::is_same_v<R, scaled_sum<T>>) {
    if (run.unit == size) {
      const R& reduce = reduction_of<R>(run.reduce);
      const std::int64_t end = run.ahead > 0 && run.ahead < run.last ? run.last - run.ahead : 0;
      const char* const later = targets + (end > 0 ? run.ahead * 4 : 0);
      std::int64_t i = 0;
      for (; i < end; ++i) {
        prefetch_to_write(run.output + target(later, i) * size, 0);
        reduce_single<T>(reduce, run.output + target(targets, i) * size, run.updates + i * size, nullptr);
      }
      for (; i < run.last; ++i) {
        reduce_single<T>(reduce, run.output + target(targets, i) * size, run.updates + i * size, nullptr);
      }
      return;
    }
  }
  const row_run row{run.unit / size, size, size, 0, size};
  if (run.unit < tuning::cache_line) {
    const combining_step<T, R> combine{reduction_of<R>(run.reduce), row};
    const std::int64_t ahead = combined_ahead(run.unit);
    std::int64_t i = 0;
    for (; run.ahead > 0 && i + ahead < run.last; ++i) {
      prefetch_to_write(run.output + target(targets, i + ahead) * run.unit, 0);
      combine(run.output + target(targets, i) * run.unit, run.updates + i * run.unit);
    }
    for (; i < run.last; ++i) combine(run.output + target(targets, i) * run.unit, run.updates + i * run.unit);
    return;
  }
  std::int64_t offset[tuning::positions];
  for (std::int64_t i = 0; i < run.last; i += tuning::positions) {
    const std::int64_t count = run.last - i < tuning::positions ? run.last - i : tuning::positions;
    for (std::int64_t k = 0; k < count; ++k) offset[k] = target(targets, i + k) * run.unit;
    const update_run some{
        run.output, 0, run.updates + i * run.unit, run.unit, nullptr, 0, offset, nullptr, nullptr, count, run.ahead};
    if constexpr (std::is_same_v<R, scaled_sum<T>>) {
      add_scaled<T>(run.reduce, some, row);
    } else {
      reduce_rows<T, R>(run.reduce, some, row);
    }
  }
}

template <class T, class R>
constexpr bound_loops make_combining_loops() noexcept {
  bound_loops loops{combine_entries<T, R, false>, nullptr, nullptr, combine_in_order<T, R>};
  if constexpr (sizeof(T) <= tuning::widest_bucketed) loops.make_sorted = combine_entries<T, R, true>;
  return loops;
}
template <class T, class R>
inline constexpr bound_loops combining_loops_of = make_combining_loops<T, R>();

}  // namespace strew::detail

#endif  // STREW_DETAIL_KERNELS_BOUND_LOOPS_HPP
