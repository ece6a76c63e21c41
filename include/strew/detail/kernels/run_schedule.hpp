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
#include <strew/detail/kernels/launch.hpp>
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

// Whether each row is written once, from its last update or from data.
constexpr bool writes_rows_once(const schedule_plan& as) noexcept {
  return as.are_rows && !as.combines;
}
// Bytes of caller memory needed for the schedule: entries, and for assigned rows the sources of all targets.
constexpr std::int64_t bytes_for(const schedule_plan& entries) noexcept {
  return entries.bytes() + (writes_rows_once(entries) ? row_sources::bytes_for(entries.targets) : 0);
}

// Whether a run is faster with memory for sorting the updates: if the output is far larger than the cache.
constexpr bool sorts_bound_updates(const dense_plan& plan, const schedule_plan& entries) noexcept {
  return !entries.are_rows && entries.unit <= tuning::widest_bucketed &&
         plan.output_bytes >= tuning::limits().bucketed_from;
}

// Lists the entries of a dense scatter for legal indices, in row-major order. index_at(n): index number n.
template <class IndexAt>
void list_entries(const dense_plan& plan, const schedule_plan& as, bool has_lanes, const IndexAt& index_at,
                  const entry_list& entries) noexcept {
  const std::int64_t inner = has_lanes ? plan.inner : 1;
  const std::int64_t outer = as.are_rows ? 1 : plan.outer;
  std::int64_t n = 0;
  for (std::int64_t o = 0; o < outer; ++o) {
    for (std::int64_t i = 0; i < plan.count; ++i) {
      for (std::int64_t j = 0; j < inner; ++j, ++n) {
        std::int64_t target = index_at(has_lanes ? n : i);
        if (target < 0) target += plan.extent;
        entries.set(
            n, {static_cast<std::uint32_t>((o * plan.extent + target) * inner + j), static_cast<std::uint32_t>(n)});
      }
    }
  }
}

// Sorts the entries that were listed in bound.memory, of bytes_for(..) bytes, and makes the rest of the schedule.
inline void sort_schedule(const dense_plan& plan, const schedule_plan& as, bound_indices& bound) noexcept {
  char* const memory = bound.memory;
  bound.is = bound_indices::form::entries;
  const bool sorts = sorts_bound_updates(plan, as) && !are_local(entry_list(memory), as);
  bound.entries = sort_entries(memory, memory + as.bytes() / 2, as.count, as.shift, as.targets);
  bound.count = as.count;
  const entry_list entries(bound.entries);
  if (writes_rows_once(as)) {
    bound.count = drop_overwritten(entries, as.count);
    row_sources sources(memory + as.bytes());
    sources.clear(as.targets);
    for (std::int64_t i = 0; i < bound.count; ++i) {
      const schedule_entry m = entries[i];
      sources.set(m.target, static_cast<std::int32_t>(m.source));
    }
    return;
  }
  if (!sorts) return;
  bound.workspace = as.sorted_bytes() + scratch_memory::alignment;
  bound.places = bound.entries == memory ? memory + as.bytes() / 2 : memory;
  for (std::int64_t i = 0; i < bound.count; ++i) {
    const schedule_entry m = entries[i];
    const auto place = static_cast<std::uint32_t>(i + (std::int64_t{m.target} >> as.shift) * as.gap());
    std::memcpy(bound.places + std::int64_t{m.source} * 4, &place, sizeof place);
  }
}

// Checks indices and writes their schedule to `memory`, of bytes_for(..) bytes. Without a plan, as operands are not
// dense, there are no entries: unless the indices are a slice, the caller copies them.
inline void bind_indices(const dense_plan* plan, const index_constraint& demand, const erased::index_operand& from,
                         char* memory, bound_indices& bound, status& error) {
  index_analysis facts;
  const executor_ref nobody{};
  if (!check_indices(execution_context{nobody, nullptr}, demand, &from, facts, error)) return;
  bound = {};
  bound.memory = memory;
  const strided_layout& layout = *from.layout;
  const index_source indices{from.data, *from.loops};
  const bool has_lanes = !demand.rules.names_rows();
  const bool has_one_lane = has_lanes ? layout.size() == layout.extent(demand.axes.first) : layout.rank() == 1;
  if (facts.is_slice && has_one_lane) {
    bound.is = bound_indices::form::slice;
    bound.slice = {facts.first, facts.step, layout.size()};
    return;
  }
  bound.is = bound_indices::form::copied;
  if (plan == nullptr) return;
  const schedule_plan as = plan_schedule(*plan, has_lanes);
  list_entries(
      *plan, as, has_lanes, [&](std::int64_t n) { return indices[n * indices.loops.size]; }, entry_list(memory));
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
};

// The loops for units of one size.
struct schedule_loops {
  void (*make)(const entry_list& entries, const move_run& run) noexcept;
  // The same in two passes without random accesses outside the cache: copies all updates to their positions in the
  // order of the entries, then from there to the output.
  void (*place)(const char* places, std::int64_t first, std::int64_t last, char* sorted, const char* updates,
                std::int64_t unit) noexcept;
  void (*make_sorted)(const entry_list& entries, const move_run& run) noexcept;
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
  schedule_loops loops{make_entries<Width, false>, nullptr, nullptr};
  if constexpr (Width <= tuning::widest_bucketed) {  // as for sorts_bound_updates
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

// The same for updates that are combined with their targets: elements, or rows of a number of them.
template <class T, class R, bool Sorted>
STREW_VECTORISED void combine_entries(const entry_list& list, const move_run& all) noexcept {
  STREW_RAN("combine_entries", type_name<T>, reduction_name<R>, Sorted);
  constexpr auto size = static_cast<std::int64_t>(sizeof(T));
  const entry_list entries = list;  // copies: stores of char may alias the arguments
  const move_run run = all;
  const R& reduce = reduction_of<R>(run.reduce);
  const row_run row{run.unit / size, size, size, 0, size};
  const auto combine = [&](std::int64_t k) {
    const schedule_entry m = entries[k];
    const std::int64_t source = Sorted ? k : std::int64_t{m.source};
    char* const to = run.output + std::int64_t{m.target} * run.unit;
    const char* const from = run.updates + source * run.unit;
    if constexpr (std::is_same_v<R, scaled_sum<T>>) {
      add_scaled_row<T>(reduce, to, from, row);
    } else if (run.unit == size) {
      reduce_single<T>(reduce, to, from, nullptr);
    } else {
      reduce_row<T, R, true>(reduce, to, from, nullptr, row);
    }
  };
  std::int64_t ahead = tuning::prefetched_targets / run.unit;
  if (ahead > tuning::most_prefetched_targets) ahead = tuning::most_prefetched_targets;
  if (ahead < tuning::fewest_prefetched_targets) ahead = tuning::fewest_prefetched_targets;
  std::int64_t i = run.first;
  if constexpr (!Sorted) {
    const std::int64_t bytes = run.unit < tuning::prefetched_update ? run.unit : tuning::prefetched_update;
    for (; run.is_far && i + ahead < run.last; ++i) {
      prefetch(run.updates + std::int64_t{entries[i + ahead].source} * run.unit, bytes);
      combine(i);
    }
  }
  for (; i < run.last; ++i) combine(i);
}

template <class T, class R>
constexpr schedule_loops make_combining_loops() noexcept {
  schedule_loops loops{combine_entries<T, R, false>, nullptr, nullptr};
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
  const schedule_loops& loops = r.combining != nullptr ? *r.combining : find_schedule_loops(unit);
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
      loops.make_sorted(entries,
                        {first, last, output, r.sorted + b * r.as.gap() * unit, unit, r.c.call.type.reduce, true});
    } else {
      const bool is_far = r.plan.updates_bytes > tuning::limits().entries_prefetched_from && r.as.blocks() > 1;
      loops.make(entries, {first, last, output, r.c.call.updates.data, unit, r.c.call.type.reduce, is_far});
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

// Combines the updates of a range of rows with them, for each position of `outer`. Some rows are copied at a time, so
// that they are in the cache when their updates follow.
inline void combine_rows_of_part(const void* context, const box& part, const scratch_memory&) noexcept {
  const auto& r = *static_cast<const bound_run*>(context);
  const std::int64_t row = r.as.unit;
  const entry_list entries(r.bound.entries);
  const std::int64_t some = row < tuning::limits().combined_rows ? tuning::limits().combined_rows / row : 1;
  const bool is_far = r.plan.updates_bytes > tuning::limits().entries_prefetched_from;
  STREW_RAN("bound rows combined");
  for (std::int64_t o = 0; o < r.plan.outer; ++o) {
    char* const to = r.c.call.output.data + o * r.plan.extent * row;
    const char* const data = r.c.call.data.data + o * r.plan.extent * row;
    const char* const updates = r.c.call.updates.data + o * r.plan.count * row;
    std::int64_t first = r.first_at(part[0].begin);
    const std::int64_t end = part[0].begin + part[0].count;
    for (std::int64_t begin = part[0].begin; begin < end; begin += some) {
      const std::int64_t stop = begin + some < end ? begin + some : end;
      if (!r.c.in_place) {
        std::memcpy(to + begin * row, data + begin * row, static_cast<std::size_t>((stop - begin) * row));
      }
      std::int64_t last = first;
      while (last < r.bound.count && std::int64_t{entries[last].target} < stop) ++last;
      r.combining->make(entries, {first, last, to, updates, row, r.c.call.type.reduce, is_far});
      first = last;
    }
  }
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
  if (bound.places != nullptr) {
    run.sorted = ctx.memory().take<char>(run.as.sorted_bytes());
    // The workspace must not overlap the memory of the bound indices.
    const bool is_free =
        run.sorted != nullptr && are_apart(run.sorted, run.as.sorted_bytes(), bound.memory, bytes_for(run.as));
    if (!is_free) run.sorted = nullptr;
    if (is_free) ctx.for_each_part({run.as.count, run.as.count, unit}, {place_part, &run});
  }
  const std::int64_t block = unit << run.as.shift;
  const std::int64_t bytes = (c.in_place ? 0 : plan.output_bytes) + plan.updates_bytes;
  const auto run_part = !run.as.are_rows       ? make_entries_of_part
                        : combining != nullptr ? combine_rows_of_part
                                               : move_rows_of_part;
  ctx.for_each_part({run.as.blocks(), bytes / block, block}, {run_part, &run});
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
    STREW_RAN("bound slice");
    const bool has_lanes = !call.type.rules.names_rows();
    resolved_slice slice(has_lanes ? call.updates.layout->extents() : call.data.layout->extents());
    slice.narrow(axis, to.indices.slice);
    replace_slice(ctx, c, slice);
    return;
  }
  run_schedule(ctx, c, to, error);
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_KERNELS_RUN_SCHEDULE_HPP
