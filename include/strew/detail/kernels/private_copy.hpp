// SPDX-License-Identifier: Apache-2.0
// Small dense outputs with many updates: these go into a private copy of the output while the indices are checked, so
// that indices are read once. The copy is written back if all were legal; otherwise nothing has been written.
#ifndef STREW_DETAIL_KERNELS_PRIVATE_COPY_HPP
#define STREW_DETAIL_KERNELS_PRIVATE_COPY_HPP

#include <strew/config.hpp>
#include <strew/detail/box.hpp>
#include <strew/detail/kernel_counter.hpp>
#include <strew/detail/kernels/loop_table.hpp>
#include <strew/detail/kernels/reduce.hpp>
#include <strew/detail/kernels/validated_call.hpp>
#include <strew/detail/plan/partition.hpp>
#include <strew/detail/plan/private_tables.hpp>
#include <strew/detail/plan/scatter_plan.hpp>
#include <strew/detail/plan/scratch_memory.hpp>
#include <strew/detail/rules/request.hpp>
#include <strew/detail/tuning.hpp>
#include <strew/view/index.hpp>
#include <strew/view/layout.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// Scatters share `number` of the updates into a copy. `c` is in place. Returns false at an illegal index.
STREW_SMALL inline bool run_checked(const validated_call& c, std::int64_t number, std::int64_t shares) noexcept {
  const box all(c.call.output.layout->extents());
  const scratch_memory none;
  scatter_plan plan;
  scatter_part(c, all, none).make_plan(all, state_layout::none, plan);
  if (shares > 1) {
    const std::int64_t count = plan.positions.innermost().extent;
    const std::int64_t begin = count / shares * number;
    plan.keep({begin, number + 1 < shares ? count / shares : count - begin});
  }
  return run_plan(c, plan, nullptr, state_layout::none);
}

// Whether a private copy may take the updates of a call. (Assignments would take 1.3 to 3 times as long: they do not
// wait for their targets; lanes with indices of their own up to 2.7 times, since the loops that check indices go along
// one run. Reductions with states would gain nothing.)
constexpr bool may_copy_privately(const erased::request& call, bool assigns) noexcept {
  bool is_run = call.type.rules.by != addressing::elements;
  for (int k = 0; k < call.indices[0].layout->rank(); ++k) {
    is_run = is_run || call.indices[0].layout->extent(k) == call.indices[0].layout->size();
  }
  return is_run && call.type.components > 0 && !assigns && !call.updates.layout->empty() &&
         call.type.policy == index_policy::error && call.output.layout->is_row_major() &&
         call.data.layout->is_row_major();
}
constexpr bool pays_to_copy_privately(const erased::request& call, std::int64_t output_bytes) noexcept {
  return suits_private_tables(output_bytes, call.indices[0].layout->size());
}

// What the shares of a call have in common.
struct private_copies {
  const validated_call& c;
  char* tables;
  std::int64_t table;  // bytes
  std::int64_t shares;
  bool* are_legal;  // for each share
};

// Scatters the updates of share i into its table.
STREW_SMALL inline void run_share(const void* context, std::int64_t i) noexcept {
  const auto& all = *static_cast<const private_copies*>(context);
  erased::request own_call = all.c.call;
  own_call.output.data = all.tables + i * all.table;
  own_call.data = {own_call.output.data, own_call.output.layout};
  validated_call own{own_call, all.c.reachable};
  own.axes = all.c.axes;
  own.in_place = own.checks = true;
  own.facts = all.c.facts;
  own.indices.wraps = own_call.type.rules.rule == index_rule::wrapping &&
                      (own_call.type.components > 1 || !own_call.indices[0].loops->is_unsigned);
  all.are_legal[i] = run_checked(own, i, all.shares);
}

// Stores the elements that are not as they were `before` bytes behind them. Others are not written, as in any call in
// place.
template <std::int64_t Unit>
STREW_INLINE void store_changed(char* output, const char* table, std::int64_t before, std::int64_t bytes,
                                std::int64_t any) noexcept {
  const std::int64_t unit = Unit == 0 ? any : Unit;
  for (std::int64_t k = 0; k < bytes; k += unit) {
    if (std::memcmp(table + k, table + k + before, static_cast<std::size_t>(unit)) != 0) {
      std::memcpy(output + k, table + k, static_cast<std::size_t>(unit));
    }
  }
}

// The tables of private copies: on the stack, or in a workspace.
struct memory_of_tables {
  std::int64_t shares = 0;    // 0 if there is too little memory
  char* workspace = nullptr;  // null: on the stack

  STREW_SMALL memory_of_tables(const execution_context& ctx, const validated_call& c) noexcept {
    const strided_layout& indices = *c.call.indices[0].layout;
    const bool may_share = c.reachable.reduce->merge.is_exact && indices.rank() == 1;
    for (shares = may_share ? most_shares(indices.size(), ctx.threads()) : 1; shares > 0; --shares) {
      const private_tables all(c.facts.output_bytes, shares, c.in_place);
      if (all.workspace() == 0) return;
      workspace = ctx.memory().take<char>(all.bytes());
      if (workspace != nullptr) return;
    }
  }
};

// Runs a validated call on private copies of its output. Returns false, with nothing written, if an index is illegal.
// Compiled for size: the updates take the time.
STREW_SMALL inline bool run_on_private_copies(const execution_context& ctx, const validated_call& c,
                                              const memory_of_tables& memory) {
  const erased::request& call = c.call;
  const reduce_loops& loops = *c.reachable.reduce;
  const std::int64_t size = call.type.element_size;
  const auto bytes = static_cast<std::size_t>(c.facts.output_bytes);
  alignas(scratch_memory::alignment) char on_stack[tuning::private_copy_on_stack];
  const std::int64_t shares = memory.shares;
  char* const tables = memory.workspace != nullptr ? memory.workspace : on_stack;
  const std::int64_t table = private_tables(c.facts.output_bytes, shares, c.in_place).size;
  STREW_RAN("in a private copy");
  std::memcpy(tables, call.data.data, bytes);
  const std::int64_t before = shares * table;
  if (c.in_place) std::memcpy(tables + before, tables, bytes);
  bool are_legal[tuning::most_checks] = {};
  if (shares > 1) STREW_RAN("in a private copy a thread");
  for (std::int64_t i = 1; i < shares; ++i) {
    // So that its merge with the first is the result of all updates in order.
    const void* const first = loops.merge.identity;
    const std::int64_t unit = first == nullptr ? c.facts.output_bytes : size;
    for (std::int64_t k = 0; k < c.facts.output_bytes; k += unit) {
      std::memcpy(tables + i * table + k, first == nullptr ? tables : first, static_cast<std::size_t>(unit));
    }
  }
  const private_copies copies{c, tables, table, shares, are_legal};
  ctx.for_each(shares, {run_share, &copies});
  for (std::int64_t i = 0; i < shares; ++i) {
    if (!are_legal[i]) return false;
    if (i > 0) loops.line(call.type.reduce, tables, tables + i * table, c.facts.output_bytes / size, size);
  }
  if (!c.in_place) {
    std::memcpy(call.output.data, tables, bytes);
  } else if (size == 4) {
    store_changed<4>(call.output.data, tables, before, c.facts.output_bytes, size);
  } else {
    store_changed<0>(call.output.data, tables, before, c.facts.output_bytes, size);
  }
  return true;
}

struct private_copy {
  static constexpr const char* name = "private copy";

  static bool pays(const scatter_job& job) noexcept {
    const validated_call& c = job.c;
    return pays_to_copy_privately(c.call, c.facts.output_bytes) &&
           (!job.ctx.has_threads() || runs_as_one_part(c.call, c.axes, c.indices.ascends()));
  }
  static bool may(const scatter_job& job) noexcept {
    return may_copy_privately(job.c.call, job.c.reachable.reduce->assigns) &&
           memory_of_tables(job.ctx, job.c).shares > 0;
  }
  static bool run(const scatter_job& job) {
    return run_on_private_copies(job.ctx, job.c, memory_of_tables(job.ctx, job.c));
  }
};

}  // namespace strew::detail

#endif  // STREW_DETAIL_KERNELS_PRIVATE_COPY_HPP
