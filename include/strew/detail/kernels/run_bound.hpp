// SPDX-License-Identifier: Apache-2.0
// Scatters by bound indices: a run only moves elements, along a slice or by entries.
#ifndef STREW_DETAIL_KERNELS_RUN_BOUND_HPP
#define STREW_DETAIL_KERNELS_RUN_BOUND_HPP

#include <strew/config.hpp>
#include <strew/detail/kernel_counter.hpp>
#include <strew/detail/kernel_notes.hpp>
#include <strew/detail/kernels/bind_indices.hpp>
#include <strew/detail/kernels/bound_loops.hpp>
#include <strew/detail/kernels/check_indices.hpp>
#include <strew/detail/kernels/copy_loops.hpp>
#include <strew/detail/kernels/index_loops.hpp>
#include <strew/detail/kernels/index_reader.hpp>
#include <strew/detail/kernels/kernel_table.hpp>
#include <strew/detail/kernels/reduce.hpp>
#include <strew/detail/kernels/reduce_loops.hpp>
#include <strew/detail/kernels/reduce_runs.hpp>
#include <strew/detail/kernels/rows_once.hpp>
#include <strew/detail/kernels/slices.hpp>
#include <strew/detail/kernels/small_scatter.hpp>
#include <strew/detail/kernels/stream.hpp>
#include <strew/detail/kernels/trace_call.hpp>
#include <strew/detail/kernels/validated_call.hpp>
#include <strew/detail/plan/dense_plan.hpp>
#include <strew/detail/plan/partition.hpp>
#include <strew/detail/plan/schedule.hpp>
#include <strew/detail/plan/scratch_memory.hpp>
#include <strew/detail/plan/slice_plan.hpp>
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

struct bound_run {
  const validated_call& c;
  const dense_plan& plan;
  const bound_indices& bound;
  schedule_plan as;
  const bound_loops* combining;  // null: updates are assigned
  char* sorted;                  // memory for the updates in the order of the entries; null where there is none

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
  find_bound_loops(r.as.unit).place(r.bound.places, part[0].begin, part[0].begin + part[0].count, r.sorted,
                                    r.c.call.updates.data, r.as.unit);
}

// Writes the targets in a range of blocks.
inline void make_entries_of_part(const void* context, const box& part, const scratch_memory&) noexcept {
  const auto& r = *static_cast<const bound_run*>(context);
  const std::int64_t unit = r.as.unit;
  const bound_loops& loops = find_bound_loops(unit);
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

// Whether updates are combined in their order, by one thread. Entries are sorted by their targets, and each waits for
// the one before: they take four times as long as updates in order, whose targets are in cache, so that few threads
// gain nothing but by copying data.
inline bool pays_in_order(std::int64_t threads, const bound_run& run) noexcept {
  const std::int64_t output = run.plan.output_bytes;
  if (threads == 1) return output < tuning::limits().run_bucketed_from;
  return threads <= tuning::limits().most_threads_in_order && output < tuning::limits().bucketed_from &&
         (run.c.in_place || output / tuning::limits().copied_beside_update < run.as.count);
}

inline void run_bound_slice(const execution_context& ctx, validated_call& c, const slice_range& part, int axis) {
  STREW_RAN("bound slice");
  const bool has_lanes = !c.call.type.rules.names_rows();
  resolved_slice slice(has_lanes ? c.call.updates.layout->extents() : c.call.data.layout->extents());
  slice.narrow(axis, part);
  replace_slice(ctx, c, slice);
}

#if STREW_NOTES_KERNELS
struct by_schedule : any_other {
  static constexpr const char* name = "schedule of bound indices";
};
#endif

// Runs a validated call by its schedule. combining: null if updates are assigned.
inline void run_bound(const execution_context& ctx, validated_call& c, const erased::bound_schedule& made,
                      const bound_loops* combining, status& error) {
  STREW_TRACED(ctx, c.call, nullptr, error, run_bound(ctx, c, made, combining, error));
  const erased::request& call = c.call;
  const dense_plan& plan = made.plan;
  const bound_indices& bound = made.indices;
  if (bound.is == bound_indices::form::slice) return run_bound_slice(ctx, c, bound.slice, made.axis);
#if STREW_NOTES_KERNELS
  if (notes_calls()) [[unlikely]] {
    note_kernel<by_schedule>(c, true);
    if (only_asks()) return;
  }
#endif
  bound_run run{c, plan, bound, made.as, combining, nullptr};
  const bool is_apart = are_apart(call.output.data, plan.output_bytes, bound.memory, bytes_for(run.as));
  if (!check_apart(call.type.rules.name, is_apart ? overlap_result::no : overlap_result::yes,
                   "the memory of its bound indices", error)) {
    return;
  }
  const std::int64_t unit = run.as.unit;
  const bool in_order = combining != nullptr && pays_in_order(ctx.threads(), run);
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
  if (bound.targets != nullptr && (in_order || !ctx.has_threads()) && run.sorted == nullptr) {
    STREW_RAN("bound updates in order");
    if (ctx.has_threads()) STREW_RAN("bound updates in order by one of several threads");
    const bound_loops& loops = combining != nullptr ? *combining : find_bound_loops(unit);
    if (!c.in_place) std::memcpy(call.output.data, call.data.data, static_cast<std::size_t>(plan.output_bytes));
    loops.in_order(bound.targets, {0, run.as.count, call.output.data, call.updates.data, unit, call.type.reduce, false,
                                   run.as.count, prefetched_elements(static_cast<std::uint64_t>(plan.output_bytes))});
  } else if (combining != nullptr) {
    // Parts of about as many updates each: some targets may have most of them.
    ctx.for_each_part({run.as.blocks() + run.as.count, bytes / unit, unit}, {combine_entries_of_part, &run});
  } else {
    ctx.for_each_part({run.as.blocks(), bytes / block, block},
                      {run.as.are_rows ? move_rows_of_part : make_entries_of_part, &run});
  }
}
// Runs a call whose operands have the layouts for which the schedule was made, so that only addresses are checked.
inline void run_bound(const execution_context& ctx, const erased::request& call, const copy_loops& copy,
                      const erased::bound_schedule& made, const bound_loops* combining, status& error) {
  const shared_memory shared = find_shared(call);
  if (!check_apart(call.type.rules.name, shared.data, "data without being the very same view", error) ||
      !check_apart(call.type.rules.name, shared.updates, "updates", error)) {
    return;
  }
  const reachable_loops reachable{&copy};
  validated_call c{call, reachable};
  c.set_in_place(shared.in_place);
  run_bound(ctx, c, made, combining, error);
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_KERNELS_RUN_BOUND_HPP
