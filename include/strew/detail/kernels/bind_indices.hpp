// SPDX-License-Identifier: Apache-2.0
// Bound indices: they are checked once and turned into a slice or into entries.
#ifndef STREW_DETAIL_KERNELS_BIND_INDICES_HPP
#define STREW_DETAIL_KERNELS_BIND_INDICES_HPP

#include <strew/config.hpp>
#include <strew/detail/kernel_counter.hpp>
#include <strew/detail/kernels/check_indices.hpp>
#include <strew/detail/kernels/index_loops.hpp>
#include <strew/detail/kernels/index_reader.hpp>
#include <strew/detail/kernels/rows_once.hpp>
#include <strew/detail/kernels/validated_call.hpp>
#include <strew/detail/plan/dense_plan.hpp>
#include <strew/detail/plan/schedule.hpp>
#include <strew/detail/plan/scratch_memory.hpp>
#include <strew/detail/rules/check_scatter.hpp>
#include <strew/detail/rules/policy.hpp>
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

// Plans the schedule of the indices of a validated call. Returns false if there is none and the call is run by a copy
// of its indices: it is small, operands are not dense, or there are 2^31 targets or updates and more.
constexpr bool plan_bound(const operation_rules& rules, const scatter_layouts& at, const target_axes& axes,
                          std::int64_t element_size, bool combines, erased::bound_schedule& made) noexcept {
  made.axis = axes.first;
  if (!plan_bound_operands(rules, at, axes, element_size, made.plan)) return false;
  const bool is_small = is_small_problem(at, element_size, false) || is_small_problem(at, element_size, true);
  if (is_small && (combines || has_few_rows(made.plan))) return false;
  made.as = plan_schedule(made.plan, !rules.names_rows(), combines);
  return made.as.can_be_listed();
}

// Whether a run is faster with memory for sorting the updates: if the output is far larger than the cache.
constexpr bool sorts_bound_updates(const dense_plan& plan, const schedule_plan& entries) noexcept {
  const std::int64_t widest = entries.combines ? tuning::widest_bucketed : tuning::widest_sorted_assignment;
  return !entries.are_rows && entries.unit <= widest && plan.output_bytes >= tuning::limits().bucketed_from;
}

// Lists the entries of a dense scatter in row-major order and returns their number. target_at(n): the target of index
// number n on the axis, out_of_bounds if its update is dropped.
template <class TargetAt>
std::int64_t list_entries(const dense_plan& plan, const schedule_plan& as, bool has_lanes, const TargetAt& target_at,
                          const entry_list& entries) noexcept {
  const std::int64_t inner = has_lanes ? plan.inner : 1;
  const std::int64_t outer = as.are_rows ? 1 : plan.outer;
  const std::int64_t extent = plan.extent;  // a copy, as of `count`: stores of char may alias the arguments
  const std::int64_t count = plan.count;
  std::int64_t n = 0;
  std::int64_t listed = 0;
  for (std::int64_t o = 0; o < outer; ++o) {
    for (std::int64_t i = 0; i < count; ++i) {
      for (std::int64_t j = 0; j < inner; ++j, ++n) {
        const std::int64_t target = target_at(has_lanes ? n : i);
        if (target == out_of_bounds) continue;
        entries.set(listed++,
                    {static_cast<std::uint32_t>((o * extent + target) * inner + j), static_cast<std::uint32_t>(n)});
      }
    }
  }
  return listed;
}

// Sorts the bound.count entries that were listed in bound.memory, of bytes_for(..) bytes, and makes the rest of the
// schedule.
inline void sort_schedule(const dense_plan& plan, const schedule_plan& as, bound_indices& bound) noexcept {
  char* const memory = bound.memory;
  const std::int64_t listed = bound.count;
  const bool has_all = listed == as.count;  // whether each source has a target
  bound.is = bound_indices::form::entries;
  bound.is_local = are_local(entry_list(memory), listed, as.unit);
  const bool sorts = has_all && sorts_bound_updates(plan, as) && !bound.is_local;
  bound.entries = sort_entries(memory, memory + as.bytes() / 2, listed, as.shift, as.targets);
  const entry_list entries(bound.entries);
  if (as.are_rows) {
    bound.count = drop_overwritten(entries, listed);
    row_sources sources(memory + as.bytes());
    sources.clear(as.targets);
    for (std::int64_t i = 0; i < bound.count; ++i) {
      const schedule_entry m = entries[i];
      sources.set(m.target, static_cast<std::int32_t>(m.source));
    }
    return;
  }
  char* const spare = bound.entries == memory ? memory + as.bytes() / 2 : memory;
  bool follows_sources = as.combines && has_all;
  if (!as.combines && !sorts) {
    std::int64_t left = listed;
    if (as.targets * 4 <= as.bytes() / 2) {  // memory for all last sources
      const last_sources last(entries, listed, spare);
      left = last.count();
      if (left <= listed / 4 * 3) {
        last.keep();
        bound.count = left;
      }
    }
    // In the order of the sources an update needs its target alone; that takes 0.6 to 0.9 of the time of as many
    // entries, if their targets stay in the cache.
    follows_sources = bound.count == as.count && (as.blocks() <= 2 || bound.is_local);
  }
  if (follows_sources) {
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

// Checks the indices of a call, and then writes their schedule to `memory`, of bytes_for(planned.as) bytes. On an error
// neither `memory` nor `made` is written: other runs may use them. At most Most indices address a target together;
// index_at(j, offset) is that of component j.
template <int Most, class IndexAt>
void bind_indices(const operation_rules& rules, index_policy policy, const strided_layout& output,
                  const target_axes& axes, const erased::bound_schedule& planned, const erased::index_operand* indices,
                  const IndexAt& index_at, char* memory, erased::bound_schedule& made, status& error) {
  const bool may_be_slice = (rules.by == addressing::rows || rules.by == addressing::elements) &&
                            !planned.as.combines && policy == index_policy::error;
  const index_constraint constraint{rules, policy, axes, output, may_be_slice};
  index_analysis facts;
  const executor_ref no_threads{};
  if (!check_indices(execution_context{no_threads, nullptr}, constraint, indices, facts, error)) return;
  made = planned;
  bound_indices& bound = made.indices;
  bound = {};
  bound.memory = memory;
  const bool has_lanes = !rules.names_rows();
  if (may_be_slice && bind_slice(facts, has_lanes, axes.first, *indices[0].layout, bound)) return;
  // Copies: stores of char may alias the arguments.
  const int count = Most == 1 ? 1 : constraint.count();
  std::int64_t extents[static_cast<std::size_t>(Most)];
  bool are_row_major = true;
  const bool is_resolved = !leaves_legal_indices(policy);
  for (int j = 0; j < count; ++j) {
    extents[j] = constraint.extent(j);
    are_row_major = are_row_major && indices[j].layout->is_row_major();
  }
  const auto target_at = [&](std::int64_t n) {
    std::int64_t target = 0;
    for (int j = 0; j < count; ++j) {
      std::int64_t index = index_at(j, are_row_major ? n : offset_of_number(*indices[j].layout, n));
      if (is_resolved) {
        index = resolve_index(index, indices[j].loops->is_unsigned, extents[j], rules.rule, policy);
        if (index == out_of_bounds) return index;
      }
      target = target * extents[j] + (index < 0 ? index + extents[j] : index);
    }
    return target;
  };
  bound.count = list_entries(made.plan, made.as, has_lanes, target_at, entry_list(memory));
  sort_schedule(made.plan, made.as, bound);
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_KERNELS_BIND_INDICES_HPP
