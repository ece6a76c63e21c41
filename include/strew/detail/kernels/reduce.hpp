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
STREW_NOINLINE inline bool may_be_direct(const erased::request& call, const scatter_plan& plan, std::int64_t stride,
                                         int integer_size, bool checks) noexcept {
  const index_loops& loops = *call.indices[0].loops;
  return call.type.components == 1 && plan.axes == 1 && leaves_legal_indices(call.type.policy) &&
         plan.axis[0].owns_all() && (checks || !plan.axis[0].wraps || loops.is_unsigned) && loops.is_canonical_index &&
         loops.loop_size == integer_size && stride == loops.size;
}

// Whether the indices of a plan are a slice along one run of positions, which are then reduced line by line.
inline bool may_be_slice(const launch& c, const scatter_plan& plan, const char* states) noexcept {
  return !c.checks && c.indices.is_slice && c.reachable.reduce->line != nullptr && states == nullptr &&
         plan.owns_all() && has_one_lane(c);
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

// What the loops of one part have in common.
struct reduce_run {
  const launch& c;
  const reduce_loops& loops;
  const scatter_plan& plan;
  char* states;
  index_reader& reader;
  std::int64_t ahead;  // see update_run

  [[nodiscard]] char* to(std::int64_t offset) const noexcept { return c.call.output.data + offset; }
  [[nodiscard]] const char* from(std::int64_t offset) const noexcept { return c.call.updates.data + offset; }
  [[nodiscard]] char* state(std::int64_t offset) const noexcept {
    return states == nullptr ? nullptr : states + offset;
  }
};

// Updates of single elements, each with an index of its own: those of the positions and columns of a plan. Which of
// these loops is inside is free, since each column keeps the order of its positions. Returns false if indices are
// checked and one is illegal.
inline bool reduce_columns(const reduce_run& all) noexcept {
  using p = scatter_plan;
  const auto& [c, loops, plan, states, reader, ahead] = all;
  loop_nest<4> nest = plan.columns;
  for (int k = 0; k < plan.positions.rank(); ++k) nest.add_inner(plan.positions[k].extent, plan.positions[k].strides);
  if (plan.positions.rank() <= 1 && !loops.keeps_order) {
    nest.sort_by_cost([&](const loop_nest<4>::axis& of) {
      return of.strides[p::output] == 0 ? cost_inside(plan, of) : cost_inside(of);
    });
  }
  const auto run = nest.innermost();
  const bool is_line = run.strides[p::output] == plan.unit && run.strides[p::updates] == plan.unit;
  const bool may_be_alike = !c.checks && loops.line != nullptr && states == nullptr && is_line && plan.owns_all() &&
                            run.extent * plan.unit >= tuning::limits().shortest_line;
  const bool is_slice = may_be_slice(c, plan, states) && run.strides[p::output] == 0 &&
                        run.strides[p::updates] == plan.unit && c.step() == plan.unit;
  const bool is_direct = !is_slice && loops.direct != nullptr && states == nullptr &&
                         may_be_direct(c.call, plan, run.strides[p::index], loops.integer_size, c.checks) &&
                         (!c.checks || (run.strides[p::output] == 0 && plan.axis[0].stride == plan.unit));
  const bool takes_lines = !may_be_alike && !c.checks && !is_slice && nest.rank() > 1 && !reader.keeps_some() &&
                           (is_direct || run.extent <= tuning::limits().used_positions / 2);
  const int inner = takes_lines ? 2 : 1;
  const auto lines = takes_lines ? nest[nest.rank() - 2] : loop_nest<4>::axis{1, {}};
  if (is_direct) {
    const std::int64_t span = plan.axis[0].stride * (plan.axis[0].extent - 1);
    const bool wraps = c.call.type.rules.rule == index_rule::wrapping && !c.call.indices[0].loops->is_unsigned;
    direct_run some{nullptr,
                    run.strides[p::output],
                    plan.axis[0].stride,
                    nullptr,
                    run.strides[p::updates],
                    nullptr,
                    run.extent,
                    prefetched_elements(magnitude(span)),
                    magnitude(span) > static_cast<std::uint64_t>(tuning::limits().streams_prefetched_from),
                    plan.axis[0].extent,
                    wraps ? plan.axis[0].extent : 0,
                    lines.extent,
                    lines.strides[p::output],
                    lines.strides[p::updates],
                    lines.strides[p::index]};
    for (nest_cursor<4> at(nest, inner, plan.first); !at.done(); at.next()) {
      some.to = all.to(at[p::output]);
      some.from = all.from(at[p::updates]);
      some.indices = c.call.indices[0].data + at[p::index];
      if (!c.checks) {
        loops.direct(c.call.type.reduce, some);
      } else if (!loops.checked(c.call.type.reduce, some)) {
        return false;
      }
    }
    return true;
  }
  for (nest_cursor<4> at(nest, inner, plan.first); !at.done(); at.next()) {
    if (is_slice || (may_be_alike && have_one_index(c.call.indices[0], at[p::index], run.strides[p::index], run.extent))) {
      if (is_slice) STREW_RAN("reduce a slice line by line");
      if (!is_slice) STREW_RAN("reduce lanes that share an index");
      const offset_run read = reader.read_offsets(0, at[p::index], 0, 1);
      if (read.count == 0) continue;  // dropped
      loops.line(c.call.type.reduce, all.to(at[p::output]) + read.offset[0], all.from(at[p::updates]), run.extent,
                 plan.unit);
      continue;
    }
    update_run some{all.to(at[p::output]), run.strides[p::output], all.from(at[p::updates]), run.strides[p::updates],
                    all.state(at[p::state]), run.strides[p::state], nullptr, nullptr, nullptr, 0, ahead};
    if (takes_lines) {
      const std::int64_t most = tuning::limits().used_positions / run.extent;
      some.count = run.extent;
      some.to_line = lines.strides[p::output];
      some.from_line = lines.strides[p::updates];
      some.state_line = lines.strides[p::state];
      some.line_offsets = run.extent;
      for (std::int64_t line = 0; line < lines.extent; line += some.lines) {
        some.lines = lines.extent - line < most ? lines.extent - line : most;
        some.offset = reader.read_lines(at[p::index] + line * lines.strides[p::index], run.strides[p::index],
                                        run.extent, lines.strides[p::index], some.lines);
        some.state_offset = reader.state_offsets();
        loops.elements(c.call.type.reduce, some, {});
        some.to += some.lines * some.to_line;
        some.from += some.lines * some.from_line;
        if (states != nullptr) some.states += some.lines * some.state_line;
      }
      continue;
    }
    for (std::int64_t i = 0; i < run.extent;) {
      const offset_run read =
          reader.read_offsets(i, at[p::index] + i * run.strides[p::index], run.strides[p::index], run.extent - i);
      if (read.taken == 0) return false;
      some.offset = read.offset;
      some.state_offset = read.state_offset;
      some.number = read.number;
      some.count = read.count;
      loops.elements(c.call.type.reduce, some, {});
      some.to += read.taken * some.to_stride;
      some.from += read.taken * some.from_stride;
      if (states != nullptr) some.states += read.taken * some.state_stride;
      i += read.taken;
    }
  }
  return true;
}

// The loops over lanes that the leaf has: `inside` is the innermost, with the positions around it, or one element,
// with the positions inside `beside`.
struct lane_loops {
  loop_nest<4> nest;  // the other lanes, then those of the leaf
  int count = 0;      // of the leaf
  loop_nest<4>::axis beside{1, {}};
  loop_nest<4>::axis inside{1, {}};
};
inline lane_loops make_lane_loops(const scatter_plan& plan, const loop_nest<4>::axis& run, bool has_states_of_rows) {
  using p = scatter_plan;
  lane_loops made{plan.lanes};
  loop_nest<4>& nest = made.nest;
  if (nest.rank() == 0) return made;
  nest.sort_by_cost([&](const loop_nest<4>::axis& of) {
    return has_states_of_rows && of.strides[p::state] == 0 ? -1 : cost_inside(of);
  });
  const auto last = nest.innermost();
  const bool is_line = last.strides[p::output] == plan.unit && last.strides[p::updates] == plan.unit;
  const bool are_lanes_inside = (has_states_of_rows && last.strides[p::state] == 0) ||
                                (is_line && last.extent * plan.unit >= 16) ||
                                cost_inside(last) <= cost_inside(plan, run);
  if (are_lanes_inside) made.inside = last;
  if (!are_lanes_inside) made.beside = last;
  if (are_lanes_inside && nest.rank() > 1) made.beside = nest[nest.rank() - 2];
  made.count = are_lanes_inside && nest.rank() > 1 ? 2 : 1;
  return made;
}

// Updates whose indices are shared by lanes: the targets of a thousand positions are found once for all lanes.
inline bool reduce_lanes(const reduce_run& all, state_layout grid) noexcept {
  using p = scatter_plan;
  const auto& [c, loops, plan, states, reader, ahead] = all;
  const auto run = plan.positions.innermost();
  const auto last = plan.lanes.innermost();
  const bool is_row = last.strides[p::output] == plan.unit && last.strides[p::updates] == plan.unit;
  const std::int64_t line = plan.lanes.rank() == 0 ? 1 : is_row ? last.extent : 0;
  const bool is_slice = may_be_slice(c, plan, states) && line > 0 && run.strides[p::updates] == line * plan.unit &&
                        c.step() == line * plan.unit && run.extent * line * plan.unit >= tuning::limits().shortest_line;
  const lane_loops lanes = make_lane_loops(plan, run, grid == state_layout::rows);
  const row_run row{lanes.inside.extent, lanes.inside.strides[p::output], lanes.inside.strides[p::updates],
                    lanes.inside.strides[p::state], plan.unit};
  const auto leaf = row.extent == 1 ? loops.elements : loops.rows;
  for (nest_cursor<4> column(plan.columns, 0, plan.first); !column.done(); column.next()) {
    std::int64_t number = plan.first_number;
    for (nest_cursor<4> at(plan.positions, 1, column.position()); !at.done(); at.next(), number += run.extent) {
      if (is_slice) {
        STREW_RAN("reduce a slice line by line");
        const std::int64_t first = reader.read_offsets(number, at[p::index], 0, 1).offset[0];
        for (nest_cursor<4> lane(plan.lanes, 1, {}); !lane.done(); lane.next()) {
          loops.line(c.call.type.reduce, all.to(at[p::output] + lane[p::output] + first),
                     all.from(at[p::updates] + lane[p::updates]), run.extent * line, plan.unit);
        }
        continue;
      }
      for (std::int64_t i = 0; i < run.extent;) {
        const offset_run read = reader.read_offsets(number + i, at[p::index] + i * run.strides[p::index],
                                                    run.strides[p::index], run.extent - i);
        if (read.taken == 0) return false;
        const std::int64_t to = at[p::output] + i * run.strides[p::output];
        const std::int64_t from = at[p::updates] + i * run.strides[p::updates];
        const std::int64_t state = at[p::state] + i * run.strides[p::state];
        for (nest_cursor<4> lane(lanes.nest, lanes.count, {}); !lane.done(); lane.next()) {
          leaf(c.call.type.reduce,
               {all.to(to + lane[p::output]), run.strides[p::output], all.from(from + lane[p::updates]),
                run.strides[p::updates], all.state(state + lane[p::state]), run.strides[p::state], read.offset,
                read.state_offset, read.number, read.count, ahead, lanes.beside.extent,
                lanes.beside.strides[p::output], lanes.beside.strides[p::updates], lanes.beside.strides[p::state]},
               row);
        }
        i += read.taken;
      }
    }
  }
  return true;
}

// Runs a plan. Returns false if indices are checked and one is illegal.
inline bool run_reduce(const launch& c, const scatter_plan& plan, char* states, state_layout grid) noexcept {
  index_reader reader(c.call, plan, c.checks);
  const reduce_run all{c, *c.reachable.reduce, plan, states, reader,
                       prefetched_elements(static_cast<std::uint64_t>(c.facts.output_bytes))};
  const bool has_single_indices = c.call.type.components == 1 && plan.axes == 1;
  return plan.lanes.rank() == 0 && has_single_indices ? reduce_columns(all) : reduce_lanes(all, grid);
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
    if (!run_reduce(part.c, plan, states, grid)) return false;
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
      if (!has_states_of_rows(whole)) grid = state_layout::elements;
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
    const auto reduce_piece = [&](const box& piece, std::int64_t end) {
      if (is_flat) blocks.advance_to(end);
      scatter_plan plan;
      part.make_plan(piece, state_layout::none, plan);
      if (!plan.empty()) static_cast<void>(run_reduce(part.c, plan, nullptr, state_layout::none));
    };
    const scatter_space space = part.c.space();
    const std::int64_t count = space.has_rows ? space.positions.size() : space.positions.extent(space.axes.first);
    if (is_flat || count > tuning::limits().used_positions) {
      for_each_piece(space, part.part, part.c.call.type.element_size, reduce_piece);
    } else {
      reduce_piece(part.part, 0);
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
