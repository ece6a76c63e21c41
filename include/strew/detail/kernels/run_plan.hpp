// SPDX-License-Identifier: Apache-2.0
// Runs the plan of a scatter: which loop is inside follows from extents and strides.
#ifndef STREW_DETAIL_KERNELS_RUN_PLAN_HPP
#define STREW_DETAIL_KERNELS_RUN_PLAN_HPP

#include <strew/config.hpp>
#include <strew/detail/kernel_counter.hpp>
#include <strew/detail/kernels/index_reader.hpp>
#include <strew/detail/kernels/loop_table.hpp>
#include <strew/detail/kernels/plan_run.hpp>
#include <strew/detail/kernels/scatter_loops.hpp>
#include <strew/detail/kernels/validated_call.hpp>
#include <strew/detail/plan/loop_nest.hpp>
#include <strew/detail/plan/loop_order.hpp>
#include <strew/detail/plan/scatter_plan.hpp>
#include <strew/detail/rules/request.hpp>
#include <strew/detail/tuning.hpp>
#include <strew/view/index_list.hpp>
#include <strew/view/integer.hpp>

#include <cstdint>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// Runs along an axis of a nest, each with the next `offsets` offsets.
inline update_lines lines_along(const nest_axis& axis, std::int64_t offsets) noexcept {
  using p = scatter_plan;
  return {axis.extent, axis.strides[p::output], axis.strides[p::updates], axis.strides[p::state], offsets};
}

// Lines of updates of single elements whose indices the loops take, not as offsets. Returns false if indices are
// checked and one is illegal.
STREW_SMALL inline bool run_direct(const plan_run& all, const loop_nest<4>& nest, bool takes_lines) noexcept {
  using p = scatter_plan;
  const auto& [c, loops, plan, states, reader, ahead, data] = all;
  const auto run = nest.innermost();
  const bool in_place = all.is_in_place();
  const index_loops& of = *c.call.indices[0].loops;
  if (in_place && run.strides[p::index] == of.size) STREW_RAN("indices read in place");
  if (in_place && run.strides[p::index] != of.size) STREW_RAN("indices read with a stride");
  if (!in_place) STREW_RAN("indices read into a buffer");
  const target_axis& axis = plan.axis[0];
  const scatter_loops* const scatter = c.reachable.scatter;
  STREW_EXPECT(scatter == nullptr || !c.checks);  // see private_copy.hpp
  const std::int64_t span = axis.stride * (axis.extent - 1);
  const bool wraps = c.call.type.rules.rule == index_rule::wrapping && !of.is_unsigned;
  const bool are_alike = may_be_alike(all, run);
  // A buffer has a part of a run, which all lines share before the next: in the order of positions only if the lines
  // are none.
  const bool shares_indices = plan.positions.rank() <= 1 && takes_lines && nest[nest.rank() - 2].strides[p::index] == 0;
  const bool has_lines = takes_lines && !are_alike && (in_place || shares_indices);
  const nest_axis lines = has_lines ? nest[nest.rank() - 2] : nest_axis{1, {}};
  scattered_run moved{nullptr,
                      run.strides[p::output],
                      axis.stride,
                      nullptr,
                      run.strides[p::updates],
                      in_place ? run.strides[p::index] : of.loop_size,
                      plan.unit,
                      axis.extent,
                      lines.extent,
                      lines.strides[p::output],
                      lines.strides[p::updates],
                      lines.strides[p::index]};
  direct_run some{nullptr,
                  run.strides[p::output],
                  axis.stride,
                  nullptr,
                  run.strides[p::updates],
                  nullptr,
                  in_place ? run.strides[p::index] : of.loop_size,
                  run.extent,
                  prefetched_elements(magnitude(span)),
                  magnitude(span) > static_cast<std::uint64_t>(tuning::limits().streams_prefetched_from),
                  axis.extent,
                  wraps ? axis.extent : 0,
                  lines.extent,
                  lines.strides[p::output],
                  lines.strides[p::updates],
                  lines.strides[p::index]};
  // Lines that follow each other in the output: data is copied just ahead of them, in the first-level cache.
  const bool follows_data = data.blocks != nullptr && scatter != nullptr && in_place && has_lines && nest.rank() == 2 &&
                            span >= 0 && (run.extent - 1) * run.strides[p::output] + span < lines.strides[p::output];
  const std::int64_t most_lines = follows_data ? 1 + tuning::limits().copied_piece / lines.strides[p::output] : 0;
  if (follows_data) STREW_RAN("updates line by line over a copy");
  if (!follows_data) all.copy_data();
  for (nest_cursor<4> at(nest, has_lines ? 2 : 1, plan.first); !at.done(); at.next()) {
    if (are_alike && run_as_line(all, run, at.position())) continue;
    for (std::int64_t i = 0; i < run.extent; i += some.count) {
      some.to = all.to(at[p::output] + i * run.strides[p::output]);
      some.from = all.from(at[p::updates] + i * run.strides[p::updates]);
      some.indices = all.index(at[p::index]);
      if (!in_place) {
        const std::int64_t stride = run.strides[p::index];
        const target_run read = reader.read(at[p::index] + i * stride, stride, run.extent - i);
        some.indices = static_cast<const char*>(read.indices);
        some.count = read.count;
      }
      if (scatter != nullptr) {
        moved.to = some.to;
        moved.from = some.from;
        for (std::int64_t line = 0; line < lines.extent; line += moved.lines) {
          if (follows_data) {
            const std::int64_t rest = lines.extent - line;
            moved.lines = rest < most_lines ? rest : most_lines;
            all.copy_data((rest - moved.lines) * lines.strides[p::output]);
          }
          (axis.wraps ? scatter->wrapping : scatter->scatter)(moved, some.indices, some.count);
          moved.to += moved.lines * moved.to_line;
          moved.from += moved.lines * moved.from_line;
          some.indices += moved.lines * moved.index_line;
        }
      } else if (!c.checks) {
        loops.direct(c.call.type.reduce, some);
      } else if (!loops.checked(c.call.type.reduce, some)) {
        return false;
      }
    }
  }
  return true;
}

// Updates of single elements: positions, columns and lanes of a plan whose innermost loop has an index of its own for
// each of them. Which of them it is is free, since each element keeps the order of its positions. Returns false if
// indices are checked and one is illegal.
STREW_SMALL inline bool run_columns(const plan_run& all, const loop_nest<4>& nest) noexcept {
  using p = scatter_plan;
  const auto& [c, loops, plan, states, reader, ahead, data] = all;
  const auto run = nest.innermost();
  const bool takes_lines = nest.rank() > 1;
  if (all.is_direct(run)) return run_direct(all, nest, takes_lines && !c.checks);
  STREW_RAN("positions inside");
  all.copy_data();
  const bool are_alike = may_be_alike(all, run);
  const bool has_lines =
      takes_lines && !are_alike && !reader.keeps_some() && run.extent <= tuning::limits().used_positions / 2;
  const nest_axis lines = has_lines ? nest[nest.rank() - 2] : nest_axis{1, {}};
  const bool have_own = lines.strides[p::index] != 0;
  const std::int64_t most = have_own ? tuning::limits().used_positions / run.extent : lines.extent;
  update_lines together = lines_along(lines, have_own ? run.extent : 0);
  for (nest_cursor<4> at(nest, has_lines ? 2 : 1, plan.first); !at.done(); at.next()) {
    if (are_alike && run_as_line(all, run, at.position())) continue;
    update_run some{all.to(at[p::output]),
                    run.strides[p::output],
                    all.from(at[p::updates]),
                    run.strides[p::updates],
                    all.state(at[p::state]),
                    run.strides[p::state],
                    nullptr,
                    nullptr,
                    nullptr,
                    run.extent,
                    ahead,
                    has_lines ? &together : nullptr};
    const std::int64_t steps = has_lines ? lines.extent : run.extent;
    for (std::int64_t i = 0; i < steps;) {
      const std::int64_t rest = steps - i;
      index_reader::piece next{i, at[p::index] + i * run.strides[p::index], run.strides[p::index], rest};
      if (has_lines) {
        together.count = rest < most ? rest : most;
        next = {0,
                at[p::index] + i * lines.strides[p::index],
                run.strides[p::index],
                have_own ? together.count * run.extent : run.extent,
                lines.strides[p::index],
                run.extent};
      }
      const offset_run read = reader.read_offsets(next);
      if (read.taken == 0) return false;
      some.offset = read.offset;
      some.state_offset = read.state_offset;
      some.number = read.number;
      some.count = has_lines ? run.extent : read.count;
      loops.elements(c.call.type.reduce, some, {1, 0, 0, 0, plan.unit});
      const std::int64_t done = has_lines ? together.count : read.taken;
      some.to += done * (has_lines ? together.to : some.to_stride);
      some.from += done * (has_lines ? together.from : some.from_stride);
      if (states != nullptr) some.states += done * (has_lines ? together.state : some.state_stride);
      i += done;
    }
  }
  return true;
}

// Whether rows of updates along one axis use the cache lines again that those before them along the other have used, as
// where updates are transposed: then all rows of an update follow each other, rather than those of all updates.
inline bool reuse_cache_lines(const nest_axis& row, const nest_axis& around) noexcept {
  const std::int64_t shortest = tuning::limits().shortest_reused_row;
  return shortest == 0 ||
         (row.extent >= shortest && magnitude(row.strides[scatter_plan::updates]) >= tuning::cache_line &&
          magnitude(around.strides[scatter_plan::updates]) < tuning::cache_line);
}
// Runs updates, each with all of its lines before the next if they are `apart`.
STREW_SMALL inline void run_updates(const plan_run& all, update_run& next, const row_run& row, bool apart) noexcept {
  const std::int64_t count = apart ? next.count : 1;
  if (apart) STREW_RAN("positions outside");
  if (apart) next.count = 1;
  for (std::int64_t i = 0; i < count; ++i) {
    (row.extent == 1 ? all.loops.elements : all.loops.rows)(all.c.call.type.reduce, next, row);
    next.to += next.to_stride;
    next.from += next.from_stride;
    if (next.states != nullptr) next.states += next.state_stride;
    ++next.offset;
    ++next.state_offset;
  }
}

// Updates whose indices are shared by lanes: the targets of a thousand positions are found once for all lanes. `lanes`
// has the loop that is inside innermost, with the positions around it, or the positions are inside. Short runs of
// positions are read in blocks of many: single indices along a column, whose order is free, others along the positions
// around them.
STREW_SMALL inline bool run_lanes(const plan_run& all, const loop_nest<4>& lanes, bool are_lanes_inside) noexcept {
  using p = scatter_plan;
  const auto& [c, loops, plan, states, reader, ahead, data] = all;
  const auto run = plan.positions.innermost();
  const std::int64_t line = plan.row_bytes();
  const bool is_slice = all.is_slice(run, line);
  const nest_axis inside = are_lanes_inside ? lanes.innermost() : nest_axis{1, {}};
  const int around = lanes.rank() - (are_lanes_inside ? 2 : 1);
  const int rank = plan.positions.rank();
  const std::int64_t most = tuning::limits().used_positions / (run.extent < 1 ? 1 : run.extent);
  const bool may_block = !is_slice && !reader.keeps_some() && most >= 2;
  const bool by_columns = may_block && c.call.type.components == 1 && plan.columns.rank() > 0 && !loops.keeps_order;
  const bool by_positions = may_block && !by_columns && rank >= 2;
  const bool in_blocks = by_columns || by_positions;
  const nest_axis outer = by_columns     ? plan.columns.innermost()
                          : by_positions ? plan.positions[rank - 2]
                                         : nest_axis{1, {}};
  const row_run row{inside.extent, inside.strides[p::output], inside.strides[p::updates], inside.strides[p::state],
                    plan.unit};
  const nest_axis lines = in_blocks ? outer : around < 0 ? nest_axis{1, {}} : lanes[around];
  update_lines together = lines_along(lines, in_blocks ? run.extent : 0);
  update_run next{};
  next.to_stride = run.strides[p::output];
  next.from_stride = run.strides[p::updates];
  next.state_stride = run.strides[p::state];
  next.ahead = ahead;
  if (in_blocks || around >= 0) next.lines = &together;
  const bool are_apart = !in_blocks && around >= 0 && !reader.keeps_some() && reuse_cache_lines(inside, lines);
  if (are_lanes_inside) STREW_RAN("lanes inside");
  if (!are_lanes_inside) STREW_RAN("positions inside");
  // One line of updates that are assigned: data is not copied where they will be.
  const bool is_one_line =
      is_slice && loops.assigns && rank <= 1 && plan.columns.rank() == 0 && plan.lanes.rank() == plan.lanes_in_row();
  if (!is_one_line) all.copy_data();
  for (nest_cursor<4> column(plan.columns, by_columns ? 1 : 0, plan.first); !column.done(); column.next()) {
    std::int64_t number = plan.first_number;
    for (nest_cursor<4> at(plan.positions, by_positions ? 2 : 1, column.position()); !at.done(); at.next()) {
      if (is_slice) {
        STREW_RAN("reduce a slice line by line");
        const std::int64_t first = reader.read_offsets({number, at[p::index], 0, 1}).offset[0];
        if (is_one_line) all.skip_data(at[p::output] + first, run.extent * line);
        if (is_one_line && data.blocks != nullptr) STREW_RAN("a slice in one pass with data");
        for (nest_cursor<4> lane(plan.lanes, plan.lanes_in_row(), {}); !lane.done(); lane.next()) {
          all.reduce_line(at[p::output] + lane[p::output] + first, at[p::updates] + lane[p::updates],
                          run.extent * line);
        }
        number += run.extent;
        continue;
      }
      const nest_axis& step = in_blocks ? outer : run;  // of the reads
      for (std::int64_t i = 0; i < step.extent;) {
        const std::int64_t rest = step.extent - i;
        const std::int64_t some = !in_blocks ? rest : (rest < most ? rest : most) * run.extent;
        const offset_run read = reader.read_offsets({number, at[p::index] + i * step.strides[p::index],
                                                     run.strides[p::index], some, outer.strides[p::index],
                                                     in_blocks && c.call.type.components == 1 ? run.extent : some});
        if (read.taken == 0) return false;
        if (by_columns) STREW_RAN("indices of several columns");
        if (by_positions) STREW_RAN("indices of several runs");
        if (in_blocks) together.count = some / run.extent;
        const std::int64_t to = at[p::output] + i * step.strides[p::output];
        const std::int64_t from = at[p::updates] + i * step.strides[p::updates];
        const std::int64_t state = at[p::state] + i * step.strides[p::state];
        for (nest_cursor<4> lane(lanes, (are_lanes_inside ? 1 : 0) + (in_blocks ? 0 : 1), {}); !lane.done();
             lane.next()) {
          next.to = all.to(to + lane[p::output]);
          next.from = all.from(from + lane[p::updates]);
          next.states = all.state(state + lane[p::state]);
          next.offset = read.offset;
          next.state_offset = read.state_offset;
          next.number = read.number;
          next.count = in_blocks ? run.extent : read.count;
          run_updates(all, next, row, are_apart);
        }
        i += in_blocks ? together.count : read.taken;
        number += read.taken;
      }
    }
  }
  return true;
}

// Rows for whose size there are loops that read indices in place. Returns false, with nothing done, if there are none.
template <class Run>
STREW_SMALL bool run_rows(const Run& all) noexcept {
  using p = scatter_plan;
  const auto& [c, loops, plan, states, reader, ahead, data] = all;
  const auto run = plan.positions.innermost();
  const std::int64_t bytes = plan.row_bytes();
  const target_axis& axis = plan.axis[0];
  if (plan.columns.rank() > 0 || axis.wraps || !all.is_direct(run) || !all.is_in_place()) return false;
  const auto& strides = run.strides;
  scattered_run rows{nullptr, 0, axis.stride, nullptr, strides[p::updates], strides[p::index], bytes, axis.extent};
  const scatter_loops* const as_elements = loops_for_rows(*c.reachable.scatter, plan.unit, bytes);
  const scatter_loops::scatter_function scatter = as_elements != nullptr        ? as_elements->scatter
                                                  : may_scatter_flat_rows(rows) ? c.reachable.scatter->flat_rows
                                                                                : nullptr;
  if (scatter == nullptr) return false;
  STREW_RAN("rows of a size that has loops");
  all.copy_data();
  for (nest_cursor<4> lane(plan.lanes, plan.lanes_in_row(), plan.first); !lane.done(); lane.next()) {
    for (nest_cursor<4> at(plan.positions, 1, lane.position()); !at.done(); at.next()) {
      rows.to = all.to(at[p::output]);
      rows.from = all.from(at[p::updates]);
      scatter(rows, all.index(at[p::index]), run.extent);
    }
  }
  return true;
}

// Runs a plan. Returns false if indices are checked and one is illegal.
STREW_SMALL inline bool run_plan(const validated_call& c, const scatter_plan& plan, char* states, state_layout grid,
                                 const data_ahead& data = {}) noexcept {
  index_reader reader(c.call, plan, c.checks, c.reachable.reduce->read_own);
  const std::int64_t ahead = prefetched_elements(static_cast<std::uint64_t>(c.facts.output_bytes));
  const plan_run all{c, *c.reachable.reduce, plan, states, reader, ahead, data};
  const bool are_many = plan.positions.innermost().extent >= tuning::fewest_rows || plan.lanes.rank() <= 1;
  if (c.reachable.scatter != nullptr && tuning::limits().loop_order == 0 && plan.has_row_of_lanes() && are_many &&
      c.reachable.scatter->run_rows(all)) {
    return true;
  }
  loop_nest<4> nest = plan.lanes;
  const bool has_lanes_inside = sort_lanes(plan, nest, grid == state_layout::rows);
  if (has_lanes_inside || c.call.type.components != 1 || plan.axes != 1 || (reader.keeps_some() && nest.rank() > 0) ||
      all.is_slice(plan.positions.innermost(), plan.row_bytes())) {
    return run_lanes(all, nest, has_lanes_inside);
  }
  for (int k = 0; k < plan.columns.rank(); ++k) nest.add_inner(plan.columns[k].extent, plan.columns[k].strides);
  for (int k = 0; k < plan.positions.rank(); ++k) nest.add_inner(plan.positions[k].extent, plan.positions[k].strides);
  if (plan.positions.rank() <= 1 && !all.loops.keeps_order) sort_columns(plan, nest);
  return run_columns(all, nest);
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_KERNELS_RUN_PLAN_HPP
