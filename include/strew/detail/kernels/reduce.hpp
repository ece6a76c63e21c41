// SPDX-License-Identifier: Apache-2.0
// The kernels of reductions and of scatters by multi-indices, on bytes.
#ifndef STREW_DETAIL_KERNELS_REDUCE_HPP
#define STREW_DETAIL_KERNELS_REDUCE_HPP

#include <strew/config.hpp>
#include <strew/detail/box.hpp>
#include <strew/detail/kernel_counter.hpp>
#include <strew/detail/kernels/check_indices.hpp>
#include <strew/detail/kernels/copy.hpp>
#include <strew/detail/kernels/elements.hpp>
#include <strew/detail/kernels/index_reader.hpp>
#include <strew/detail/kernels/kernel_table.hpp>
#include <strew/detail/kernels/launch.hpp>
#include <strew/detail/kernels/reduce_table.hpp>
#include <strew/detail/kernels/stream.hpp>
#include <strew/detail/kernels/tiles.hpp>
#include <strew/detail/plan/copy_plan.hpp>
#include <strew/detail/plan/elements_plan.hpp>
#include <strew/detail/plan/loop_nest.hpp>
#include <strew/detail/plan/scatter_plan.hpp>
#include <strew/detail/plan/scratch_memory.hpp>
#include <strew/detail/tuning.hpp>
#include <strew/view/integer.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// A part of such a scatter: its box, the copy of data before it (out of place), and its share of the workspace.
struct reduce_part {
  const launch& c;
  const box& part;
  const scratch_memory& memory;
  copy_plan data{};

  reduce_part(const launch& call, const box& in, const scratch_memory& lent) noexcept
      : c{call}, part{in}, memory{lent} {
    if (!c.in_place) c.plan_data(part, data);
  }

  [[nodiscard]] const reduce_loops& loops() const noexcept { return *c.reachable.reduce; }
  // Whether data is one run in row-major order, so that it can be copied just ahead of the scatter.
  [[nodiscard]] bool is_over_flat() const noexcept { return !c.in_place && data.is_row_major; }
  [[nodiscard]] lagged_copy blocks() const noexcept {
    return {c.call.output.data + data.first[copy_plan::target], c.call.data.data + data.first[copy_plan::source],
            is_over_flat() ? data.flat_size() : 0, c.facts.copies_streamed_from};
  }
  // Copies all of data, out of place.
  void copy_data() const noexcept {
    if (!c.in_place) run_copy(data, c.call.output.data, c.call.data.data, *c.reachable.copy);
  }
  void make_plan(const box& in, state_layout grid, scatter_plan& plan) const noexcept {
    plan.unit = c.call.type.element_size;
    plan.index_unit = c.call.indices[0].loops->size;
    plan.state_unit = loops().state_size;
    plan_scatter(c.space(), in, grid, plan);
    const auto run = plan.positions.innermost();
    if (c.indices.ascends() && plan.positions.rank() == 1) {
      STREW_RAN("reduce by ascending indices");
      plan.keep(c.indices.find_own(c.index(), plan.first[scatter_plan::index], run.strides[scatter_plan::index],
                                   run.extent, plan.axis[0].owned));
    }
  }
};

// Whether the indices of one axis can be read in place, as integers of integer_size bytes.
STREW_NOINLINE inline bool may_be_direct(const erased::request& call, const scatter_plan& plan, int integer_size,
                                         bool checks) noexcept {
  const index_loops& loops = *call.indices[0].loops;
  return call.type.components == 1 && plan.axes == 1 && leaves_legal_indices(call.type.policy) &&
         plan.axis[0].owns_all() && (checks || !plan.axis[0].wraps || loops.is_unsigned) && loops.is_canonical_index &&
         loops.loop_size == integer_size && plan.positions.innermost().strides[scatter_plan::index] == loops.size;
}

// The elements of a row that is contiguous in the output and in the updates; otherwise 0.
STREW_NOINLINE inline std::int64_t elements_of_row(const scatter_plan& plan) noexcept {
  const auto row = plan.row.innermost();
  const bool is_line =
      row.strides[scatter_plan::output] == plan.unit && row.strides[scatter_plan::updates] == plan.unit;
  return plan.row.rank() == 0 ? 1 : plan.row.rank() == 1 && is_line ? row.extent : 0;
}

// Whether all indices of a run are equal.
inline bool have_one_index(const erased::index_operand& from, std::int64_t first, std::int64_t stride,
                           std::int64_t count) noexcept {
  return stride == 0 || (stride == from.loops->size && are_equal(from.data + first, count, stride));
}

// How many elements ahead targets are prefetched that are somewhere in `span` bytes.
inline std::int64_t prefetched_elements(std::uint64_t span) noexcept {
  const tuning::thresholds& limits = tuning::limits();
  if (span <= static_cast<std::uint64_t>(limits.elements_prefetched_from)) return 0;
  return span <= static_cast<std::uint64_t>(limits.far_elements_from) ? tuning::prefetched_elements
                                                                      : tuning::prefetched_far_elements;
}

// Runs a plan. If `blocks` is not null it copies data ahead, up to the end of what one position of `outer` may write.
// Returns false if indices are checked and one is illegal.
inline bool run_reduce(const launch& c, const scatter_plan& plan, char* states, lagged_copy* blocks,
                       std::int64_t block_size) noexcept {
  using p = scatter_plan;
  const reduce_loops& loops = *c.reachable.reduce;
  const auto run = plan.positions.innermost();
  const auto row = plan.row.innermost();
  const row_run elements{row.extent, row.strides[p::output], row.strides[p::updates], row.strides[p::state], plan.unit};
  // Runs of positions whose targets and updates are contiguous are lines: of slices, and of lanes that share an index.
  const std::int64_t line = elements_of_row(plan);
  const bool may_be_lines = !c.checks && loops.line != nullptr && states == nullptr && line > 0 &&
                            run.strides[p::updates] == line * plan.unit && plan.owns_all() &&
                            run.extent * line * plan.unit >= tuning::limits().shortest_line;
  const bool is_slice = may_be_lines && c.indices.is_slice && has_one_lane(c) && c.step() == line * plan.unit;
  const bool may_be_alike = may_be_lines && !c.call.type.rules.names_rows() && run.strides[p::output] == plan.unit;
  index_reader reader(c.call, plan, c.checks);
  const bool is_direct = !is_slice && loops.direct != nullptr && states == nullptr && plan.row.rank() == 0 &&
                         may_be_direct(c.call, plan, loops.integer_size, c.checks) &&
                         (!c.checks || (run.strides[p::output] == 0 && plan.axis[0].stride == plan.unit));
  const std::int64_t span = is_direct ? plan.axis[0].stride * (plan.axis[0].extent - 1) : 0;
  const std::int64_t ahead_in_axis = prefetched_elements(magnitude(span));
  const std::int64_t ahead = prefetched_elements(static_cast<std::uint64_t>(c.facts.output_bytes));
  const bool streams = magnitude(span) > static_cast<std::uint64_t>(tuning::limits().streams_prefetched_from);
  const std::int64_t extent = is_direct ? plan.axis[0].extent : 0;
  const std::int64_t wrapped =
      is_direct && c.call.type.rules.rule == index_rule::wrapping && !c.call.indices[0].loops->is_unsigned ? extent : 0;
  STREW_EXPECT(plan.row.rank() == 0 || loops.rows != nullptr);
  for (nest_cursor<4> outer(plan.outer, 0, plan.first); !outer.done(); outer.next()) {
    if (blocks != nullptr) blocks->advance_to(outer[p::output] - plan.first[p::output] + block_size);
    std::int64_t number = plan.first_number;
    if (is_direct) {
      for (nest_cursor<4> at(plan.positions, 1, outer.position()); !at.done(); at.next()) {
        const direct_run all{c.call.output.data + at[p::output],
                             run.strides[p::output],
                             plan.axis[0].stride,
                             c.call.updates.data + at[p::updates],
                             run.strides[p::updates],
                             c.call.indices[0].data + at[p::index],
                             run.extent,
                             ahead_in_axis,
                             streams,
                             extent,
                             wrapped};
        if (!c.checks) {
          loops.direct(c.call.type.reduce, all);
        } else if (!loops.checked(c.call.type.reduce, all)) {
          return false;
        }
      }
      continue;
    }
    for (nest_cursor<4> at(plan.positions, 1, outer.position()); !at.done(); at.next(), number += run.extent) {
      if (is_slice ||
          (may_be_alike && have_one_index(c.call.indices[0], at[p::index], run.strides[p::index], run.extent))) {
        if (is_slice) STREW_RAN("reduce a slice line by line");
        if (!is_slice) STREW_RAN("reduce lanes that share an index");
        const offset_run read = reader.read_offsets(number, at[p::index], 0, 1);
        if (read.count == 0) continue;  // dropped
        loops.line(c.call.type.reduce, c.call.output.data + at[p::output] + read.offset[0],
                   c.call.updates.data + at[p::updates], run.extent * line, plan.unit);
        continue;
      }
      for (std::int64_t i = 0; i < run.extent;) {
        const offset_run read = reader.read_offsets(number + i, at[p::index] + i * run.strides[p::index],
                                                    run.strides[p::index], run.extent - i);
        if (read.taken == 0) return false;
        update_run some{c.call.output.data + at[p::output] + i * run.strides[p::output],
                        run.strides[p::output],
                        c.call.updates.data + at[p::updates] + i * run.strides[p::updates],
                        run.strides[p::updates],
                        states == nullptr ? nullptr : states + at[p::state] + i * run.strides[p::state],
                        run.strides[p::state],
                        read.offset,
                        read.state_offset,
                        read.number,
                        read.count,
                        ahead};
        if (plan.row.rank() == 0) {
          loops.elements(c.call.type.reduce, some, elements);
        } else {
          const update_run first = some;
          for (nest_cursor<4> r(plan.row, 1, {}); !r.done(); r.next()) {
            some.to = first.to + r[p::output];
            some.from = first.from + r[p::updates];
            if (states != nullptr) some.states = first.states + r[p::state];
            loops.rows(c.call.type.reduce, some, elements);
          }
        }
        i += read.taken;
      }
    }
  }
  return true;
}

// Elements along an axis that is not the innermost one, in tiles, over a copy of data.
struct reduce_in_tiles {
  static constexpr const char* name = "reduce in tiles";

  static void make_plan(const reduce_part& part, elements_plan& plan) noexcept {
    const launch& c = part.c;
    plan.unit = c.call.type.element_size;
    plan.index_unit = c.call.indices[0].loops->size;
    plan_elements(layouts_of(c.call), c.axes.first, part.part, plan);
    plan.axis.wraps = c.space().wraps && !c.call.indices[0].loops->is_unsigned;
  }

  static bool may(const reduce_part& part) noexcept {
    const erased::request& call = part.c.call;
    if (part.c.in_place || part.loops().tiles.tile == nullptr || call.type.rules.by != addressing::elements ||
        call.type.policy != index_policy::error || call.indices[0].loops->loop_size != part.loops().integer_size) {
      return false;
    }
    elements_plan plan;
    make_plan(part, plan);
    return !plan.empty() && may_tile(plan);
  }
  static bool pays(const reduce_part& part) noexcept { return part.c.facts.output_bytes > tuning::limits().tiled_from; }
  static bool run(const reduce_part& part) noexcept {
    elements_plan plan;
    make_plan(part, plan);
    return pays_to_tile(plan) && !seems_broadcast(plan, part.c.index()) &&
           run_in_tiles(plan, part.c.operands(part.loops().tiles), part.memory);
  }
};

// Reductions with states: one block of the output after the other, of as many states as fit in the memory.
struct reduce_with_states {
  static constexpr const char* name = "reduce with states";

  static bool may(const reduce_part& part) noexcept { return part.loops().grid != state_layout::none; }
  static bool pays(const reduce_part&) noexcept { return true; }
  static bool run(const reduce_part& part) noexcept {
    if (part.is_over_flat()) {
      part.blocks().finish();
    } else {
      part.copy_data();
    }
    run_output_blocks(part);
    return true;
  }

  // Reduces a block of the output with `states`. Returns false if indices are checked and one is illegal.
  static bool reduce_block(const reduce_part& part, state_layout grid, const box& block, char* states) noexcept {
    const reduce_loops& loops = part.loops();
    scatter_plan plan;
    part.make_plan(block, grid, plan);
    if (plan.empty()) return true;
    std::memset(states, 0, static_cast<std::size_t>(count_states(part.c.space(), grid, block) * loops.state_size));
    if (!run_reduce(part.c, plan, states, nullptr, 0)) return false;
    if (loops.finish == nullptr) return true;
    const auto run = plan.all.innermost();
    for (nest_cursor<2> at(plan.all, 1, plan.first_of_all); !at.done(); at.next()) {
      loops.finish(part.c.call.output.data + at[0], run.strides[0], states + at[1], run.strides[1], run.extent);
    }
    return true;
  }

 private:
  static void run_output_blocks(const reduce_part& part) noexcept {
    const reduce_loops& loops = part.loops();
    const scatter_space space = part.c.space();
    const std::int64_t used = tuning::limits().used_states;
    const std::int64_t stack_size = used < loops.state_size ? loops.state_size : used;
    STREW_EXPECT(stack_size <= tuning::states_on_stack);
    alignas(scratch_memory::alignment) char on_stack[tuning::states_on_stack];
    state_layout grid = space.has_rows ? loops.grid : state_layout::elements;
    if (grid == state_layout::rows) {
      scatter_plan whole;
      part.make_plan(part.part, grid, whole);
      // The state of a row that is not one run would be updated once for each run.
      if (whole.row.rank() > 1) grid = state_layout::elements;
    }
    const std::int64_t states_wanted = count_states(space, grid, part.part);
    char* states = on_stack;
    std::int64_t capacity = stack_size / loops.state_size;
    for (std::int64_t some = states_wanted; some > capacity; some /= 2) {
      if (char* const lent = part.memory.take<char>(some * loops.state_size); lent != nullptr) {
        states = lent;
        capacity = some;
      }
    }
    for_each_output_block(space, grid, part.part, capacity, [&](const box& block) {
      if (states_wanted > capacity) STREW_RAN("reduce in output blocks");
      if (states_wanted <= capacity && grid == state_layout::rows) STREW_RAN("reduce with states of rows");
      if (states_wanted <= capacity && grid == state_layout::elements) STREW_RAN("reduce with states of elements");
      static_cast<void>(reduce_block(part, grid, block, states));
    });
  }
};

// Any other call: reduces updates one after the other, with data copied just ahead if possible.
struct reduce_each : any_other {
  static constexpr const char* name = "reduce one update after the other";

  static bool run(const reduce_part& part) noexcept {
    const bool is_flat = part.is_over_flat();
    if (!is_flat) part.copy_data();
    lagged_copy blocks = part.blocks();
    scatter_plan plan;
    part.make_plan(part.part, state_layout::none, plan);
    if (!plan.empty()) {
      // One position of `outer` writes within the extents from the first target axis on.
      std::int64_t block = part.c.call.type.element_size;
      for (int k = part.c.axes.first; k < part.c.call.output.layout->rank(); ++k) block *= part.part[k].count;
      static_cast<void>(run_reduce(part.c, plan, nullptr, is_flat ? &blocks : nullptr, block));
    }
    if (is_flat) blocks.finish();
    return true;
  }
};

// The bytes that one position of the indices addresses.
inline std::int64_t bytes_of_row(const launch& c) noexcept {
  const strided_layout& output = *c.call.output.layout;
  std::int64_t bytes = c.call.type.element_size;
  for (int k = c.axes.end(); k < output.rank(); ++k) bytes *= output.extent(k);
  return bytes;
}

// Whether the call is run as one part: several parts would each read all indices, which is expensive with short rows,
// most of all for multi-indices. Row-major numbers address elements on any axis, so each part would have to read them
// all.
STREW_INLINE bool is_dear_to_cut(const launch& c) noexcept {
  const strided_layout& output = *c.call.output.layout;
  if (c.call.type.rules.by == addressing::numbers && output.rank() != 1) return true;
  const std::int64_t shortest = c.call.type.components > 1 ? tuning::limits().shortest_shared_multi_index_row
                                                           : tuning::limits().shortest_shared_row;
  const bool has_other_axes = c.axes.first > 0 || (!c.call.type.rules.names_rows() && output.rank() > 1);
  return !has_other_axes && !c.indices.ascends() && bytes_of_row(c) < shortest;
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_KERNELS_REDUCE_HPP
