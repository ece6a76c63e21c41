// SPDX-License-Identifier: Apache-2.0
// Reductions with states, computed in steps by the loops of reductions without: without the initial value the identity
// is stored at all targets first; a mean is a sum, whose updates are counted afterwards. Each step reads the indices;
// with states, each block of as many elements as there is memory for would read indices and updates.
#ifndef STREW_DETAIL_KERNELS_REDUCE_IN_STEPS_HPP
#define STREW_DETAIL_KERNELS_REDUCE_IN_STEPS_HPP

#include <strew/config.hpp>
#include <strew/detail/box.hpp>
#include <strew/detail/kernel_counter.hpp>
#include <strew/detail/kernels/count_loops.hpp>
#include <strew/detail/kernels/reduce.hpp>
#include <strew/detail/kernels/reduce_few.hpp>
#include <strew/detail/kernels/reduce_table.hpp>
#include <strew/detail/kernels/scatter_part.hpp>
#include <strew/detail/kernels/validated_call.hpp>
#include <strew/detail/plan/loop_nest.hpp>
#include <strew/detail/plan/scatter_plan.hpp>
#include <strew/detail/plan/scratch_memory.hpp>
#include <strew/detail/rules/request.hpp>
#include <strew/detail/tuning.hpp>
#include <strew/detail/typed/reduction_states.hpp>
#include <strew/detail/typed/reduction_steps.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// Where arithmetic is as usual and no update is a NaN.
template <class T>
bool keeps_first_updates(const scatter_part& part) noexcept {
  using p = scatter_plan;
  if (!keeps_first_update<T>()) return false;
  scatter_plan plan;
  part.make_plan(part.part, state_layout::none, plan);
  if (plan.empty()) return true;
  loop_nest<4> nest = plan.columns;
  for (const loop_nest<4>* more : {&plan.positions, &plan.lanes}) {
    for (int k = 0; k < more->rank(); ++k) nest.add_inner((*more)[k].extent, (*more)[k].strides);
  }
  const per_operand<4> moved = nest.sort_by(p::updates);
  for (std::size_t i = 0; i < 4; ++i) plan.first[i] += moved[i];
  const auto run = nest.innermost();
  for (nest_cursor<4> at(nest, 1, plan.first); !at.done(); at.next()) {
    if (has_nan<T>(part.c.call.updates.data + at[p::updates], run.strides[p::updates], run.extent)) return false;
  }
  return true;
}

struct reduce_in_steps {
  static constexpr const char* name = "reduce in steps";

  static bool may(const scatter_part& part) noexcept { return part.loops().steps != nullptr; }
  // Without a division steps are the fastest. A mean in one pass is faster if all states are on the stack, or few
  // targets have some; counts of a byte would be repeated often for many updates.
  STREW_SMALL static bool pays(const scatter_part& part) noexcept {
    const reduce_loops& loops = part.loops();
    if (loops.steps == nullptr || loops.steps->divide == nullptr) return loops.steps != nullptr;
    const erased::request& call = part.c.call;
    if (!counts_in_bytes(call.updates.layout->size(), call.output.layout->size()) || reduce_few::pays(part))
      return false;
    const scatter_space space = part.c.space();
    const state_layout grid = space.has_rows ? loops.grid : state_layout::elements;
    return count_states(space, grid, part.part) > tuning::limits().used_states / loops.state_size;
  }
  STREW_SMALL static bool run(const scatter_part& part) noexcept {
    const reduction_steps& steps = *part.loops().steps;
    if (steps.keeps_first_updates != nullptr && !steps.keeps_first_updates(part)) return false;
    if (steps.first != nullptr) {
      STREW_RAN("reduce from the identity");
      run_step(part, *steps.first, false);
    }
    run_step(part, *steps.plain, steps.first != nullptr);
    if (steps.divide != nullptr) divide_by_counts_of(part, steps.divide);
    return true;
  }

 private:
  // Runs a step by loops without states. `over_output`: not over data, since the step before has copied it.
  STREW_SMALL static void run_step(const scatter_part& part, const reduce_loops& loops, bool over_output) noexcept {
    const validated_call& c = part.c;
    erased::request call = c.call;
    reachable_loops reachable = c.reachable;
    reachable.reduce = &loops;
    if (over_output) call.data = {call.output.data, call.output.layout};
    validated_call step{call, reachable};
    step.axes = c.axes;
    step.indices = c.indices;
    step.facts = c.facts;
    step.in_place = c.in_place;
    if (over_output) step.set_in_place(true);
    one_after_the_other::run(scatter_part(step, part.part, part.memory));
  }

  // ---- Counts

  struct divided_block {
    reduction_steps::divide_function divide;
    char* output;
    char* counts;
    count_round& round;
  };
  static void divide_elements(const void* context, const updated_elements& of) noexcept {
    const auto& [divide, output, counts, round] = *static_cast<const divided_block*>(context);
    divide(output + of.to, of.to_stride, counts + of.state, of.state_stride, of.count, round);
  }

  STREW_SMALL static void divide_by_counts_of(const scatter_part& part,
                                              reduction_steps::divide_function divide) noexcept {
    const validated_call& c = part.c;
    count_round round;
    erased::call_type type = c.call.type;
    type.reduce = &round;
    erased::request call{type, c.call.data, c.call.updates, c.call.output, c.call.indices, {c.call.axis}};
    reachable_loops reachable = c.reachable;
    reachable.reduce = &count_loops_of<false>;
    validated_call counted{call, reachable};
    counted.axes = c.axes;
    counted.indices = c.indices;
    counted.facts = c.facts;
    counted.in_place = true;
    const scatter_part of(counted, part.part, part.memory);
    alignas(scratch_memory::alignment) char on_stack[tuning::states_on_stack];
    const state_blocks blocks(of, on_stack);
    blocks.for_each(of, [&](const box& block) {
      if (blocks.has_several()) STREW_RAN("count in output blocks");
      scatter_plan plan;
      of.make_plan(block, blocks.grid, plan);
      if (plan.empty()) return;
      const std::int64_t counts = count_states(counted.space(), blocks.grid, block);
      std::memset(blocks.states, 0, static_cast<std::size_t>(counts));
      reachable.reduce = &count_loops_of<false>;
      round.is_first = true;
      for (;;) {
        run_with_states(counted, plan, blocks.states, blocks.grid);
        round.repeated = 0;
        const divided_block all{divide, call.output.data, blocks.states, round};
        for_each_updated(plan, blocks.states, counts, {divide_elements, &all});
        if (round.repeated == 0) return;
        STREW_RAN("counts repeated");
        reachable.reduce = &count_loops_of<true>;
        round.is_first = false;
        std::memset(round.wide, 0, sizeof round.wide);
      }
    });
  }
};

}  // namespace strew::detail

#endif  // STREW_DETAIL_KERNELS_REDUCE_IN_STEPS_HPP
