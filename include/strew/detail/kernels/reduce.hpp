// SPDX-License-Identifier: Apache-2.0
// The kernels of reductions and of scatters by multi-indices, on bytes.
#ifndef STREW_DETAIL_KERNELS_REDUCE_HPP
#define STREW_DETAIL_KERNELS_REDUCE_HPP

#include <strew/config.hpp>
#include <strew/detail/box.hpp>
#include <strew/detail/kernel_counter.hpp>
#include <strew/detail/kernels/check_indices.hpp>
#include <strew/detail/kernels/copy.hpp>
#include <strew/detail/kernels/index_loops.hpp>
#include <strew/detail/kernels/kernel_table.hpp>
#include <strew/detail/kernels/reduce_table.hpp>
#include <strew/detail/kernels/run_plan.hpp>
#include <strew/detail/kernels/scatter_part.hpp>
#include <strew/detail/kernels/stream.hpp>
#include <strew/detail/kernels/tiles.hpp>
#include <strew/detail/kernels/validated_call.hpp>
#include <strew/detail/plan/copy_plan.hpp>
#include <strew/detail/plan/loop_nest.hpp>
#include <strew/detail/plan/scatter_plan.hpp>
#include <strew/detail/plan/scratch_memory.hpp>
#include <strew/detail/rules/policy.hpp>
#include <strew/detail/rules/target_axis.hpp>
#include <strew/detail/tuning.hpp>
#include <strew/view/integer.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// Elements along an axis that is not the innermost one, in tiles, over a copy of data.
struct reduce_in_tiles {
  static constexpr const char* name = "reduce in tiles";

  static bool may(const scatter_part& part) noexcept {
    const erased::request& call = part.c.call;
    if (part.c.in_place || part.loops().tiles.tile == nullptr || call.type.rules.by != addressing::elements ||
        call.type.policy != index_policy::error || call.indices[0].loops->loop_size != part.loops().integer_size) {
      return false;
    }
    scatter_plan plan;
    part.make_plan_with_data(plan);
    return !plan.empty() && may_tile(plan, *call.indices[0].loops);
  }
  static bool pays(const scatter_part& part) noexcept {
    return part.c.facts.output_bytes > tuning::limits().tiled_from;
  }
  static bool run(const scatter_part& part) noexcept {
    scatter_plan plan;
    part.make_plan_with_data(plan);
    return pays_to_tile(plan) && !seems_broadcast(plan, part.c.index()) &&
           run_in_tiles(plan, part.c.operands(part.loops().tiles), part.memory);
  }
};

// The blocks of the output in which a part with states is computed: of as many states as fit in the memory, the
// workspace or `on_stack`, which has tuning::states_on_stack bytes.
struct state_blocks {
  state_layout grid;
  char* states;
  std::int64_t wanted;
  std::int64_t capacity;

  STREW_SMALL state_blocks(const scatter_part& part, char* on_stack) noexcept : states{on_stack} {
    const reduce_loops& loops = part.loops();
    const scatter_space space = part.c.space();
    const std::int64_t used = tuning::limits().used_states;
    const std::int64_t stack_size = used < loops.state_size ? loops.state_size : used;
    STREW_EXPECT(stack_size <= tuning::states_on_stack);
    grid = space.has_rows ? loops.grid : state_layout::elements;
    if (grid == state_layout::rows) {
      scatter_plan whole;
      part.make_plan(part.part, grid, whole);
      // The state of a row that is not one run would be updated once for each run.
      if (!has_states_of_rows(whole)) grid = state_layout::elements;
    }
    wanted = count_states(space, grid, part.part);
    capacity = stack_size / loops.state_size;
    for (std::int64_t some = wanted; some > capacity; some /= 2) {
      if (char* const taken = part.memory.take<char>(some * loops.state_size); taken != nullptr) {
        states = taken;
        capacity = some;
      }
    }
  }
  [[nodiscard]] bool has_several() const noexcept { return wanted > capacity; }
  // Calls body(block) for each block.
  template <class Body>
  void for_each(const scatter_part& part, const Body& body) const noexcept {
    run(part, &body, [](const void* of, const box& block) noexcept { (*static_cast<const Body*>(of))(block); });
  }

 private:
  STREW_NOINLINE void run(const scatter_part& part, const void* of,
                          void (*body)(const void* of, const box& block) noexcept) const noexcept {
    for_each_output_block(part.c.space(), grid, part.part, capacity, [&](const box& block) { body(of, block); });
  }
};

// Runs the plan of a block with states: where only states change, runs of indices that the loops read in place, in any
// order; other plans as all reductions.
STREW_SMALL inline void run_with_states(const validated_call& c, const scatter_plan& plan, char* states,
                                        state_layout grid) noexcept {
  using p = scatter_plan;
  const index_loops& of = *c.call.indices[0].loops;
  const reduce_loops& loops = *c.reachable.reduce;
  const target_axis& axis = plan.axis[0];
  bool is_run = loops.states != nullptr && c.call.type.components == 1 && plan.axes == 1 &&
                leaves_legal_indices(c.call.type.policy) && of.is_canonical_index &&
                of.loop_size == loops.integer_size && (axis.owns_all() || !axis.wraps);
  // A state of a row changes once for all of its lanes.
  for (int k = 0; k < plan.lanes.rank(); ++k) is_run = is_run && plan.lanes[k].strides[p::state] == 0;
  loop_nest<4> nest = plan.columns;
  for (int k = 0; k < plan.positions.rank(); ++k) nest.add_inner(plan.positions[k].extent, plan.positions[k].strides);
  std::int64_t cost[max_rank + 1];
  for (int k = 0; k < nest.rank(); ++k) cost[k] = nest[k].strides[p::index] == of.size ? 0 : 1;
  nest.sort_by_cost(cost);
  const auto run = nest.innermost();
  if (!is_run || run.strides[p::index] != of.size) return static_cast<void>(run_plan(c, plan, states, grid));
  const std::int64_t span = plan.state_step[0] * axis.owned.count;
  const std::int64_t ahead = span > tuning::limits().elements_prefetched_from ? tuning::prefetched_elements : 0;
  for (nest_cursor<4> at(nest, 1, plan.first); !at.done(); at.next()) {
    loops.states(c.call.type.reduce,
                 {c.call.indices[0].data + at[p::index], run.extent, states + at[p::state], run.strides[p::state],
                  plan.state_step[0], c.call.updates.data + at[p::updates], run.strides[p::updates], ahead},
                 axis);
  }
}

// The first byte of states from byte n on that is not 0, or `bytes`.
STREW_NOINLINE inline std::int64_t skip_zeros(const char* states, std::int64_t n, std::int64_t bytes) noexcept {
  const auto eight_at = [&](std::int64_t i) { return load<std::uint64_t>(states + n + 8 * i); };
  while (n + 64 <= bytes && (eight_at(0) | eight_at(1) | eight_at(2) | eight_at(3) | eight_at(4) | eight_at(5) |
                             eight_at(6) | eight_at(7)) == 0)
    n += 64;
  while (n + 8 <= bytes && eight_at(0) == 0) n += 8;
  while (n < bytes && states[n] == 0) ++n;
  return n;
}
// Elements of a run of the output, from an offset on, each with a state or all with one.
struct updated_elements {
  std::int64_t to;
  std::int64_t to_stride;
  std::int64_t state;
  std::int64_t state_stride;
  std::int64_t count;
};
// Runs the body on the elements of a plan of whose states, in `bytes` bytes, some are not 0, since the others have no
// updates: on pieces of a run, of few elements at first, of more where few are 0 between them.
struct updated_kernel {
  void (*run)(const void* context, const updated_elements& of) noexcept;
  const void* context;
};
STREW_SMALL inline void for_each_updated(const scatter_plan& plan, const char* states, std::int64_t bytes,
                                         const updated_kernel& body) noexcept {
  constexpr std::int64_t fewest = 16;
  constexpr std::int64_t short_gap = 512;  // bytes that take less time than another piece
  const auto run = plan.all.innermost();
  const std::int64_t unit = plan.state_unit;
  const bool is_shared = run.strides[1] == 0;
  const std::int64_t of_run = unit * (is_shared ? 1 : run.extent);
  std::int64_t end = 0;    // of the states of the run that was the last
  std::int64_t first = 0;  // the offset of that run in the output
  std::int64_t most = fewest;
  for (std::int64_t n = 0;;) {
    const std::int64_t next = skip_zeros(states, n, bytes);
    if (next == bytes) return;
    most = next - n > short_gap ? fewest : most < tuning::positions ? 2 * most : most;
    if (next >= end) {
      const std::int64_t number = next / of_run;
      nest_cursor<2> at(plan.all, 1, plan.first_of_all);
      at.skip(number);
      STREW_EXPECT(at[1] == number * of_run);
      first = at[0];
      end = (number + 1) * of_run;
    }
    const std::int64_t begin = end - of_run;
    const std::int64_t i = (next - begin) / unit;
    const std::int64_t left = is_shared ? 1 : run.extent - i;
    const std::int64_t some = left < most ? left : most;
    body.run(body.context, {first + i * run.strides[0], run.strides[0], begin + i * unit, run.strides[1],
                            is_shared ? run.extent : some});
    n = begin + (i + some) * unit;
  }
}

struct finished_block {
  const reduce_loops& loops;
  char* output;
  const char* states;
};
inline void finish_elements(const void* context, const updated_elements& of) noexcept {
  const auto& [loops, output, states] = *static_cast<const finished_block*>(context);
  loops.finish(output + of.to, of.to_stride, states + of.state, of.state_stride, of.count);
}

// Reductions with states: one block of the output after the other, of as many states as fit in the memory.
struct reduce_with_states : any_other {
  static constexpr const char* name = "reduce with states";

  static bool run(const scatter_part& part) noexcept {
    if (part.is_over_flat()) {
      part.blocks().finish();
    } else {
      part.copy_data();
    }
    run_output_blocks(part);
    return true;
  }

  // Reduces a block of the output with `states`.
  STREW_SMALL static void reduce_block(const scatter_part& part, state_layout grid, const box& block,
                                       char* states) noexcept {
    const reduce_loops& loops = part.loops();
    scatter_plan plan;
    part.make_plan(block, grid, plan);
    if (plan.empty()) return;
    const std::int64_t bytes = count_states(part.c.space(), grid, block) * loops.state_size;
    std::memset(states, 0, static_cast<std::size_t>(bytes));
    run_with_states(part.c, plan, states, grid);
    if (loops.finish == nullptr) return;
    const finished_block all{loops, part.c.call.output.data, states};
    for_each_updated(plan, states, bytes, {finish_elements, &all});
  }

 private:
  static void run_output_blocks(const scatter_part& part) noexcept {
    alignas(scratch_memory::alignment) char on_stack[tuning::states_on_stack];
    const state_blocks blocks(part, on_stack);
    const state_layout grid = blocks.grid;
    blocks.for_each(part, [&](const box& block) {
      if (blocks.has_several()) STREW_RAN("reduce in output blocks");
      if (!blocks.has_several() && grid == state_layout::rows) STREW_RAN("reduce with states of rows");
      if (!blocks.has_several() && grid == state_layout::elements) STREW_RAN("reduce with states of elements");
      reduce_block(part, grid, block, blocks.states);
    });
  }
};

}  // namespace strew::detail

#endif  // STREW_DETAIL_KERNELS_REDUCE_HPP
