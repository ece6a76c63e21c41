// SPDX-License-Identifier: Apache-2.0
// Scatters by bound indices: they are checked once and turned into a slice or entries, so that a run only moves
// elements.
#ifndef STREW_DETAIL_KERNELS_RUN_SCHEDULE_HPP
#define STREW_DETAIL_KERNELS_RUN_SCHEDULE_HPP

#include <strew/config.hpp>
#include <strew/detail/kernel_counter.hpp>
#include <strew/detail/kernels/check_indices.hpp>
#include <strew/detail/kernels/copy_loops.hpp>
#include <strew/detail/kernels/index_loops.hpp>
#include <strew/detail/kernels/index_reader.hpp>
#include <strew/detail/kernels/launch.hpp>
#include <strew/detail/kernels/reduce.hpp>
#include <strew/detail/kernels/reduce_loops.hpp>
#include <strew/detail/kernels/reduce_runs.hpp>
#include <strew/detail/kernels/rows.hpp>
#include <strew/detail/kernels/slices.hpp>
#include <strew/detail/kernels/small_scatter.hpp>
#include <strew/detail/kernels/stream.hpp>
#include <strew/detail/plan/dense_plan.hpp>
#include <strew/detail/plan/partition.hpp>
#include <strew/detail/plan/schedule.hpp>
#include <strew/detail/plan/scratch_memory.hpp>
#include <strew/detail/rules/check_operands.hpp>
#include <strew/detail/rules/check_scatter.hpp>
#include <strew/detail/rules/request.hpp>
#include <strew/detail/tuning.hpp>
#include <strew/status.hpp>
#include <strew/view/index.hpp>
#include <strew/view/layout.hpp>
#include <strew/view/overlap.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// Bytes of caller memory needed for the schedule: entries, and for rows the sources of all targets.
constexpr std::int64_t bytes_for(const schedule_plan& entries) noexcept {
  return entries.bytes() + (entries.are_rows ? row_sources::bytes_for(entries.targets) : 0);
}

// Whether a run is faster with memory for sorting the updates: if the output is far larger than the cache.
constexpr bool sorts_bound_updates(const dense_plan& plan, const schedule_plan& entries) noexcept {
  const std::int64_t widest = entries.combines ? tuning::widest_bucketed : tuning::widest_sorted_assignment;
  return !entries.are_rows && entries.unit <= widest && plan.output_bytes >= tuning::limits().bucketed_from;
}

// Lists the entries of a dense scatter in row-major order. target_at(n): the target of index number n on the axis.
template <class TargetAt>
void list_entries(const dense_plan& plan, const schedule_plan& as, bool has_lanes, const TargetAt& target_at,
                  const entry_list& entries) noexcept {
  const std::int64_t inner = has_lanes ? plan.inner : 1;
  const std::int64_t outer = as.are_rows ? 1 : plan.outer;
  const std::int64_t extent = plan.extent;  // a copy, as of `count`: stores of char may alias the arguments
  const std::int64_t count = plan.count;
  std::int64_t n = 0;
  for (std::int64_t o = 0; o < outer; ++o) {
    for (std::int64_t i = 0; i < count; ++i) {
      for (std::int64_t j = 0; j < inner; ++j, ++n) {
        const std::int64_t target = target_at(has_lanes ? n : i);
        entries.set(n, {static_cast<std::uint32_t>((o * extent + target) * inner + j), static_cast<std::uint32_t>(n)});
      }
    }
  }
}

// Sorts the entries that were listed in bound.memory, of bytes_for(..) bytes, and makes the rest of the schedule.
inline void sort_schedule(const dense_plan& plan, const schedule_plan& as, bound_indices& bound) noexcept {
  char* const memory = bound.memory;
  bound.is = bound_indices::form::entries;
  bound.is_local = are_local(entry_list(memory), as);
  const bool sorts = sorts_bound_updates(plan, as) && !bound.is_local;
  bound.entries = sort_entries(memory, memory + as.bytes() / 2, as.count, as.shift, as.targets);
  bound.count = as.count;
  const entry_list entries(bound.entries);
  if (as.are_rows) {
    bound.count = drop_overwritten(entries, as.count);
    row_sources sources(memory + as.bytes());
    sources.clear(as.targets);
    for (std::int64_t i = 0; i < bound.count; ++i) {
      const schedule_entry m = entries[i];
      sources.set(m.target, static_cast<std::int32_t>(m.source));
    }
    return;
  }
  char* const spare = bound.entries == memory ? memory + as.bytes() / 2 : memory;
  if (as.combines) {
    bound.targets = spare + as.count * 4;
    for (std::int64_t i = 0; i < bound.count; ++i) {
      const schedule_entry m = entries[i];
      std::memcpy(bound.targets + std::int64_t{m.source} * 4, &m.target, sizeof m.target);
    }
  }
  if (!sorts) return;
  bound.workspace = as.sorted_bytes() + scratch_memory::alignment;
  bound.places = spare;
  for (std::int64_t i = 0; i < bound.count; ++i) {
    const schedule_entry m = entries[i];
    const auto place = static_cast<std::uint32_t>(i + (std::int64_t{m.target} >> as.shift) * as.gap());
    std::memcpy(bound.places + std::int64_t{m.source} * 4, &place, sizeof place);
  }
}

// Whether all indices of an axis are one slice for every lane, which then is what is bound.
inline bool bind_slice(const index_analysis& facts, bool has_lanes, int axis, const strided_layout& indices,
                       bound_indices& bound) noexcept {
  const bool has_one_lane = has_lanes ? indices.size() == indices.extent(axis) : indices.rank() == 1;
  if (!facts.is_slice || !has_one_lane) return false;
  bound.is = bound_indices::form::slice;
  bound.slice = {facts.first, facts.step, indices.size()};
  return true;
}

// Checks the indices of a call, and then writes their schedule to `memory`, of bytes_for(..) bytes. On an error neither
// `memory` nor `bound` is written: other runs may use them. Without a plan, as operands are not dense, there are no
// entries: unless the indices are a slice, the caller copies them. At most Most indices address a target together;
// index_at(j, offset) is that of component j.
template <int Most, class IndexAt>
void bind_indices(const dense_plan* plan, bool combines, const index_constraint& demand,
                  const erased::index_operand* indices, const IndexAt& index_at, char* memory, bound_indices& bound,
                  status& error) {
  index_analysis facts;
  const executor_ref nobody{};
  if (!check_indices(execution_context{nobody, nullptr}, demand, indices, facts, error)) return;
  bound = {};
  bound.memory = memory;
  const bool has_lanes = !demand.rules.names_rows();
  if (bind_slice(facts, has_lanes, demand.axes.first, *indices[0].layout, bound) || plan == nullptr) return;
  const schedule_plan as = plan_schedule(*plan, has_lanes, combines);
  // Copies: stores of char may alias the arguments.
  const int count = Most == 1 ? 1 : demand.count();
  std::int64_t extents[static_cast<std::size_t>(Most)];
  bool are_row_major = true;
  for (int j = 0; j < count; ++j) {
    extents[j] = demand.extent(j);
    are_row_major = are_row_major && indices[j].layout->is_row_major();
  }
  const auto target_at = [&](std::int64_t n) {
    std::int64_t target = 0;
    for (int j = 0; j < count; ++j) {
      const std::int64_t index = index_at(j, are_row_major ? n : offset_of_number(*indices[j].layout, n));
      target = target * extents[j] + (index < 0 ? index + extents[j] : index);
    }
    return target;
  };
  list_entries(*plan, as, has_lanes, target_at, entry_list(memory));
  sort_schedule(*plan, as, bound);
}

// ---- Runs

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
struct schedule_loops {
  void (*make)(const entry_list& entries, const move_run& run) noexcept;
  // The same in two passes without random accesses outside the cache: copies all updates to their positions in the
  // order of the entries, then from there to the output.
  void (*place)(const char* places, std::int64_t first, std::int64_t last, char* sorted, const char* updates,
                std::int64_t unit) noexcept;
  void (*make_sorted)(const entry_list& entries, const move_run& run) noexcept;
  // For updates that are combined with their targets: all in order, the target of each given.
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
constexpr schedule_loops make_schedule_loops() noexcept {
  schedule_loops loops{make_entries<Width, false>, nullptr, nullptr, nullptr};
  if constexpr (Width <= tuning::widest_sorted_assignment) {  // as for sorts_bound_updates
    loops.place = place_updates<Width>;
    loops.make_sorted = make_entries<Width, true>;
  }
  return loops;
}
template <std::size_t Width>
inline constexpr schedule_loops schedule_loops_of = make_schedule_loops<Width>();

inline const schedule_loops& find_schedule_loops(std::int64_t unit) noexcept {
  if (unit == 32) return schedule_loops_of<32>;
  if (unit == tuning::cache_line) return schedule_loops_of<tuning::cache_line>;
  return *with_width(unit, [](auto width) { return &schedule_loops_of<width()>; });
}

// How many entries ahead sources or targets of `unit` bytes are prefetched.
inline std::int64_t combined_ahead(std::int64_t unit) noexcept {
  const std::int64_t ahead = tuning::prefetched_targets / unit;
  return ahead > tuning::most_prefetched_targets     ? tuning::most_prefetched_targets
         : ahead < tuning::fewest_prefetched_targets ? tuning::fewest_prefetched_targets
                                                     : ahead;
}

// The same for updates that are combined with their targets: elements, or rows of a number of them.
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
constexpr schedule_loops make_combining_loops() noexcept {
  schedule_loops loops{combine_entries<T, R, false>, nullptr, nullptr, combine_in_order<T, R>};
  if constexpr (sizeof(T) <= tuning::widest_bucketed) loops.make_sorted = combine_entries<T, R, true>;
  return loops;
}
template <class T, class R>
inline constexpr schedule_loops combining_loops_of = make_combining_loops<T, R>();

struct bound_run {
  const launch& c;
  const dense_plan& plan;
  const bound_indices& bound;
  schedule_plan as;
  const schedule_loops* combining;  // null: updates are assigned
  char* sorted;                     // memory for the updates in the order of the entries; null where there is none

  [[nodiscard]] std::int64_t first_at(std::int64_t target) const noexcept {
    return first_entry(entry_list(bound.entries), bound.count, target, as.shift);
  }
  // The first block of a part of the work, which is one step for each block and each entry.
  [[nodiscard]] std::int64_t block_at(std::int64_t work) const noexcept {
    std::int64_t begin = 0;
    std::int64_t end = as.blocks();
    while (begin < end) {
      const std::int64_t middle = begin + (end - begin) / 2;
      if (middle + first_at(middle << as.shift) < work) {
        begin = middle + 1;
      } else {
        end = middle;
      }
    }
    return begin;
  }
};

inline void place_part(const void* context, const box& part, const scratch_memory&) noexcept {
  const auto& r = *static_cast<const bound_run*>(context);
  find_schedule_loops(r.as.unit).place(r.bound.places, part[0].begin, part[0].begin + part[0].count, r.sorted,
                                       r.c.call.updates.data, r.as.unit);
}

// Writes the targets in a range of blocks.
inline void make_entries_of_part(const void* context, const box& part, const scratch_memory&) noexcept {
  const auto& r = *static_cast<const bound_run*>(context);
  const std::int64_t unit = r.as.unit;
  const schedule_loops& loops = find_schedule_loops(unit);
  char* const output = r.c.call.output.data;
  std::int64_t first = r.first_at(part[0].begin << r.as.shift);
  for (std::int64_t b = part[0].begin; b < part[0].begin + part[0].count; ++b) {
    const std::int64_t begin = b << r.as.shift;
    const bool is_last = b + 1 == r.as.blocks();
    const std::int64_t end = is_last ? r.as.targets : (b + 1) << r.as.shift;
    if (!r.c.in_place) {
      std::memcpy(output + begin * unit, r.c.call.data.data + begin * unit,
                  static_cast<std::size_t>((end - begin) * unit));
    }
    const std::int64_t last = is_last ? r.bound.count : r.first_at(end);
    const entry_list entries(r.bound.entries);
    if (r.sorted != nullptr) {
      loops.make_sorted(entries, {first, last, output, r.sorted + b * r.as.gap() * unit, unit, nullptr, true});
    } else {
      const bool is_far = r.plan.updates_bytes > tuning::limits().entries_prefetched_from && r.as.blocks() > 1;
      loops.make(entries, {first, last, output, r.c.call.updates.data, unit, nullptr, is_far});
    }
    first = last;
  }
}

// Combines updates with the targets in a range of blocks. Some bytes of data are copied at a time, so that they are in
// the cache when their updates follow.
inline void combine_entries_of_part(const void* context, const box& part, const scratch_memory&) noexcept {
  const auto& r = *static_cast<const bound_run*>(context);
  const std::int64_t unit = r.as.unit;
  const int shift = r.as.shift;
  const entry_list entries(r.bound.entries);
  char* const output = r.c.call.output.data;
  const std::int64_t begin = r.block_at(part[0].begin);
  const std::int64_t end = r.block_at(part[0].begin + part[0].count);
  const std::int64_t some = (tuning::limits().combined_piece / unit) >> shift;
  const std::int64_t step = r.sorted == nullptr && some > 1 ? some : 1;
  const std::int64_t ahead = combined_ahead(unit);
  const bool is_far = r.plan.updates_bytes > tuning::limits().entries_prefetched_from && !r.bound.is_local;
  std::int64_t first = r.first_at(begin << shift);
  for (std::int64_t b = begin; b < end; b += step) {
    const std::int64_t from = b << shift;
    const std::int64_t next = b + step < end ? b + step : end;
    const std::int64_t stop = next < r.as.blocks() ? next << shift : r.as.targets;
    if (!r.c.in_place) {
      std::memcpy(output + from * unit, r.c.call.data.data + from * unit,
                  static_cast<std::size_t>((stop - from) * unit));
    }
    std::int64_t last = first;
    if (stop == r.as.targets) {
      last = r.bound.count;
    } else if (shift > 0) {
      last = r.first_at(stop);
    } else {
      while (last < r.bound.count && std::int64_t{entries[last].target} < stop) ++last;
    }
    move_run run{first, last, output, r.c.call.updates.data, unit, r.c.call.type.reduce, is_far, r.bound.count, ahead};
    if (r.sorted != nullptr) {
      run.updates = r.sorted + b * r.as.gap() * unit;
      r.combining->make_sorted(entries, run);
    } else {
      r.combining->make(entries, run);
    }
    first = last;
  }
}

// Writes a range of rows for each position of `outer`.
inline void move_rows_of_part(const void* context, const box& part, const scratch_memory&) noexcept {
  const auto& r = *static_cast<const bound_run*>(context);
  const std::int64_t row = r.as.unit;
  const axis_range rows = part[0];
  const entry_list entries(r.bound.entries);
  const row_writing how = choose_row_writing(r.c.call.output.data, {rows.count, row}, r.c.facts);
  const std::int64_t first = r.first_at(rows.begin);
  const std::int64_t last = r.first_at(rows.begin + rows.count);
  for (std::int64_t o = 0; o < r.plan.outer; ++o) {
    char* const to = r.c.call.output.data + o * r.plan.extent * row;
    const char* const updates = r.c.call.updates.data + o * r.plan.count * row;
    if (r.c.in_place) {
      STREW_RAN("bound rows in place");
      for (std::int64_t i = first; i < last; ++i) {
        const schedule_entry m = entries[i];
        std::memcpy(to + m.target * row, updates + m.source * row, static_cast<std::size_t>(row));
      }
    } else {
      STREW_RAN("bound rows written once");
      write_rows(
          {to + rows.begin * row, r.c.call.data.data + (o * r.plan.extent + rows.begin) * row, updates, row,
           row_sources(r.bound.memory + r.as.bytes()).from(rows.begin), rows.count, row, how.ahead, how.prefetched},
          how.streams);
    }
  }
  if (how.streams) stream_fence();
}

// Runs a call with bound indices.
struct bound_plan {
  const dense_plan& plan;
  const bound_indices& indices;
  const schedule_loops* combining;  // null: updates are assigned
};
// Runs a validated call by its entries.
inline void run_schedule(const execution_context& ctx, const launch& c, const bound_plan& to, status& error) {
  const erased::request& call = c.call;
  const auto& [plan, bound, combining] = to;
  bound_run run{c,         plan,   bound, plan_schedule(plan, !call.type.rules.names_rows(), combining != nullptr),
                combining, nullptr};
  const bool is_apart = are_apart(call.output.data, plan.output_bytes, bound.memory, bytes_for(run.as));
  if (!check_apart(call.type.rules.name, is_apart ? overlap_result::no : overlap_result::yes,
                   "the memory of its bound indices", error)) {
    return;
  }
  const std::int64_t unit = run.as.unit;
  // On one thread combining updates in order takes less time than sorting them, unless the output is far larger than
  // the cache.
  const bool in_order =
      combining != nullptr && !ctx.are_several() && plan.output_bytes < tuning::limits().run_bucketed_from;
  if (bound.places != nullptr && !in_order) {
    run.sorted = ctx.memory().take<char>(run.as.sorted_bytes());
    // The workspace must not overlap the memory of the bound indices.
    const bool is_free =
        run.sorted != nullptr && are_apart(run.sorted, run.as.sorted_bytes(), bound.memory, bytes_for(run.as));
    if (!is_free) run.sorted = nullptr;
    if (is_free) ctx.for_each_part({run.as.count, run.as.count, unit}, {place_part, &run});
  }
  const std::int64_t block = unit << run.as.shift;
  const std::int64_t bytes = (c.in_place ? 0 : plan.output_bytes) + plan.updates_bytes;
  if (combining != nullptr && !ctx.are_several() && run.sorted == nullptr) {
    STREW_RAN("bound updates combined in order");
    if (!c.in_place) std::memcpy(call.output.data, call.data.data, static_cast<std::size_t>(plan.output_bytes));
    combining->in_order(bound.targets,
                        {0, run.as.count, call.output.data, call.updates.data, unit, call.type.reduce, false,
                         run.as.count, prefetched_elements(static_cast<std::uint64_t>(plan.output_bytes))});
  } else if (combining != nullptr) {
    // Parts of about as many updates each: some targets may have most of them.
    ctx.for_each_part({run.as.blocks() + run.as.count, bytes / unit, unit}, {combine_entries_of_part, &run});
  } else {
    ctx.for_each_part({run.as.blocks(), bytes / block, block},
                      {run.as.are_rows ? move_rows_of_part : make_entries_of_part, &run});
  }
}
inline void run_bound_slice(const execution_context& ctx, launch& c, const slice_range& part, int axis) {
  STREW_RAN("bound slice");
  const bool has_lanes = !c.call.type.rules.names_rows();
  resolved_slice slice(has_lanes ? c.call.updates.layout->extents() : c.call.data.layout->extents());
  slice.narrow(axis, part);
  replace_slice(ctx, c, slice);
}
inline void run_bound(const execution_context& ctx, const erased::request& call, const reachable_loops& reachable,
                      const bound_plan& to, int axis, status& error) {
  const char* const operation = call.type.rules.name;
  const shared_memory shared = find_shared(call);
  if (!check_apart(operation, shared.data, "data without being the very same view", error) ||
      !check_apart(operation, shared.updates, "updates", error)) {
    return;
  }
  launch c{call, reachable};
  c.set_in_place(shared.in_place);
  if (to.indices.is == bound_indices::form::slice) {
    run_bound_slice(ctx, c, to.indices.slice, axis);
    return;
  }
  run_schedule(ctx, c, to, error);
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_KERNELS_RUN_SCHEDULE_HPP
