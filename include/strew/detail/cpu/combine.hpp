// SPDX-License-Identifier: Apache-2.0
// The scatter on bytes in which updates meet what is there, or in which tuples name places.
#ifndef STREW_DETAIL_CPU_COMBINE_HPP
#define STREW_DETAIL_CPU_COMBINE_HPP

#include <strew/config.hpp>
#include <strew/detail/call.hpp>
#include <strew/detail/cpu/combine_leaves.hpp>
#include <strew/detail/cpu/copy.hpp>
#include <strew/detail/cpu/rows.hpp>
#include <strew/detail/cpu/stream.hpp>
#include <strew/detail/cpu/tiles.hpp>
#include <strew/detail/cpu/tuple_buckets.hpp>
#include <strew/detail/cpu/tuple_reader.hpp>
#include <strew/detail/kernel_counter.hpp>
#include <strew/detail/plan/box.hpp>
#include <strew/detail/plan/copy_plan.hpp>
#include <strew/detail/plan/dense_plan.hpp>
#include <strew/detail/plan/elements_plan.hpp>
#include <strew/detail/plan/loop_nest.hpp>
#include <strew/detail/plan/partition.hpp>
#include <strew/detail/plan/scatter_plan.hpp>
#include <strew/detail/plan/scratch.hpp>
#include <strew/detail/tuning.hpp>
#include <strew/integer.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// A scatter whose checks are done.
struct combine_call {
  const erased::call& call;
  const scatter_space& space;
  const tuple_source& source;
  const copy_leaves& copy;
  const combine_leaves& leaves;
  const void* reduce;  // the reduction, where it is an object of the caller's
  bool in_place;
  call_facts facts = {};  // found by run_combined
};

// Runs a plan. Where `blocks` is not null it copies data first, as far as one position of `outer` may write.
inline void run_combine(const combine_call& c, const scatter_plan& plan, char* cells, copy_ahead* blocks,
                        std::int64_t block_size) noexcept {
  using p = scatter_plan;
  const auto run = plan.positions.innermost();
  const auto row = plan.row.innermost();
  const row_run elements{row.extent, row.strides[p::output], row.strides[p::updates], row.strides[p::cell], plan.unit};
  tuple_reader reader(c.source, plan, c.space.axes, c.space.output);
  const bool is_direct = c.leaves.direct != nullptr && cells == nullptr && plan.row.rank() == 0 &&
                         reader.is_direct(run.strides[p::index], c.leaves.integer_size);
  const std::int64_t span = is_direct ? plan.weight[0] * (c.space.output.extent(c.space.axes.first) - 1) : 0;
  const bool is_wide = magnitude(span) > static_cast<std::uint64_t>(tuning::limits().elements_prefetched_from);
  STREW_EXPECT(plan.row.rank() == 0 || c.leaves.rows != nullptr);
  for (nest_cursor<4> outer(plan.outer, 0, plan.first); !outer.done(); outer.next()) {
    if (blocks != nullptr) blocks->up_to(outer[p::output] - plan.first[p::output] + block_size);
    std::int64_t number = 0;
    if (is_direct) {
      for (nest_cursor<4> at(plan.positions, 1, outer.position()); !at.done(); at.next()) {
        c.leaves.direct(c.reduce, {c.call.output.data + at[p::output], run.strides[p::output], plan.weight[0],
                                   c.call.updates.data + at[p::updates], run.strides[p::updates],
                                   c.source.component[0].data + at[p::index], run.extent, is_wide});
      }
      continue;
    }
    for (nest_cursor<4> at(plan.positions, 1, outer.position()); !at.done(); at.next(), number += run.extent) {
      for (std::int64_t i = 0; i < run.extent;) {
        const auto& read =
            reader.read(number + i, at[p::index] + i * run.strides[p::index], run.strides[p::index], run.extent - i);
        update_run some{c.call.output.data + at[p::output] + i * run.strides[p::output],
                        run.strides[p::output],
                        c.call.updates.data + at[p::updates] + i * run.strides[p::updates],
                        run.strides[p::updates],
                        cells == nullptr ? nullptr : cells + at[p::cell] + i * run.strides[p::cell],
                        run.strides[p::cell],
                        read.offset,
                        read.cell_offset,
                        read.number,
                        read.count};
        if (plan.row.rank() == 0) {
          c.leaves.elements(c.reduce, some, elements);
        } else {
          const update_run first = some;
          for (nest_cursor<4> r(plan.row, 1, {}); !r.done(); r.next()) {
            some.to = first.to + r[p::output];
            some.from = first.from + r[p::updates];
            if (cells != nullptr) some.cells = first.cells + r[p::cell];
            c.leaves.rows(c.reduce, some, elements);
          }
        }
        i += read.taken;
      }
    }
  }
}

// The plan of what lies in a box.
inline void plan_part(const combine_call& c, const box& part, cell_grid grid, scatter_plan& plan) noexcept {
  plan.unit = c.call.element_size;
  plan.index_unit = c.source.component[0].leaves->size;
  plan.cell_unit = c.leaves.cell_size;
  plan_scatter(c.space, part, grid, plan);
}

// A scatter whose reduction needs cells: window by window of the output, as many as there are cells for.
inline void run_in_windows(const combine_call& c, const box& part, const scratch& memory) noexcept {
  const std::int64_t used = tuning::limits().used_cells;
  const std::int64_t stack_size = used < c.leaves.cell_size ? c.leaves.cell_size : used;
  STREW_EXPECT(stack_size <= tuning::cells_on_stack);
  alignas(scratch::alignment) char on_stack[tuning::cells_on_stack];
  cell_grid grid = c.space.has_rows ? c.leaves.grid : cell_grid::elements;
  if (grid == cell_grid::rows) {
    scatter_plan whole;
    plan_part(c, part, grid, whole);
    // A row in several runs would meet its cell once in each.
    if (whole.row.rank() > 1) grid = cell_grid::elements;
  }
  const std::int64_t cells_wanted = count_cells(c.space, grid, part);
  char* cells = on_stack;
  std::int64_t capacity = stack_size / c.leaves.cell_size;
  for (std::int64_t some = cells_wanted; some > capacity; some /= 2) {
    if (char* const lent = memory.take<char>(some * c.leaves.cell_size); lent != nullptr) {
      cells = lent;
      capacity = some;
    }
  }
  for_each_window(c.space, grid, part, capacity, [&](const box& window) {
    scatter_plan plan;
    plan_part(c, window, grid, plan);
    if (plan.empty()) return;
    if (cells_wanted > capacity) STREW_RAN("combine in windows");
    if (cells_wanted <= capacity && grid == cell_grid::rows) STREW_RAN("combine with cells of rows");
    if (cells_wanted <= capacity && grid == cell_grid::elements) STREW_RAN("combine with cells of elements");
    std::memset(cells, 0, static_cast<std::size_t>(count_cells(c.space, grid, window) * c.leaves.cell_size));
    run_combine(c, plan, cells, nullptr, 0);
    if (c.leaves.finish == nullptr) return;
    const auto run = plan.all.innermost();
    for (nest_cursor<2> at(plan.all, 1, plan.first_of_all); !at.done(); at.next()) {
      c.leaves.finish(c.call.output.data + at[0], run.strides[0], cells + at[1], run.strides[1], run.extent);
    }
  });
}

// Elements along an axis that is not the innermost one, over a copy of data in tiles. Returns false, and does nothing,
// where these do not suit.
inline bool combine_in_tiles(const combine_call& c, const box& part, const scratch& memory) noexcept {
  if (c.leaves.tiles.tile == nullptr || c.space.has_rows || c.source.rules.by != naming::coordinate ||
      c.source.rules.policy != index_policy::error ||
      c.source.component[0].leaves->loop_size != c.leaves.integer_size) {
    return false;
  }
  elements_plan plan;
  plan.unit = c.call.element_size;
  plan.index_unit = c.source.component[0].leaves->size;
  plan_elements(*c.call.data.layout, c.space.positions, c.space.updates, c.space.axes.first, c.space.output, part,
                plan);
  const tuple_component& from = c.source.component[0];
  plan.axis.wraps = c.source.rules.rule == index_rule::wrapping && c.source.wraps && !from.leaves->is_unsigned;
  return !plan.empty() && may_tile(plan) && pays_to_tile(plan) &&
         run_in_tiles(plan,
                      {c.call.output.data,
                       c.call.data.data,
                       {from.data, *from.leaves},
                       c.call.updates.data,
                       c.copy,
                       c.leaves.tiles},
                      memory);
}

inline void combine_part(const void* context, const box& part, const scratch& memory) noexcept {
  const auto& c = *static_cast<const combine_call*>(context);
  if (!c.in_place && combine_in_tiles(c, part, memory)) return;
  copy_plan data;
  data.unit = c.call.element_size;
  if (!c.in_place) plan_data_copy(*c.call.data.layout, *c.call.output.layout, part, data);
  const bool is_flat = !c.in_place && data.is_row_major;
  copy_ahead blocks{c.call.output.data + data.first[copy_plan::target],
                    c.call.data.data + data.first[copy_plan::source], is_flat ? data.flat_size() : 0,
                    c.facts.streamed_from};
  if (!c.in_place && !is_flat) run_copy(data, c.call.output.data, c.call.data.data, c.copy);
  if (c.leaves.grid != cell_grid::none) {
    if (is_flat) blocks.finish();
    run_in_windows(c, part, memory);
    return;
  }
  scatter_plan plan;
  plan_part(c, part, cell_grid::none, plan);
  if (!plan.empty()) {
    // What one position of `outer` may write lies within the extents from the first target axis on.
    std::int64_t block = c.call.element_size;
    for (int k = c.space.axes.first; k < c.space.output.rank(); ++k) block *= part[k].count;
    run_combine(c, plan, nullptr, is_flat ? &blocks : nullptr, block);
  }
  if (is_flat) blocks.finish();
}

// Makes a scatter of dense operands by way of buckets in lent memory, where that pays; its indices need not be checked
// yet. Returns false, and has written nothing, where it does not, and where an index is illegal.
inline bool combine_many(const workers& who, const combine_call& c) {
  const target_rules& rules = c.source.rules;
  if (c.leaves.buckets == nullptr || rules.policy != index_policy::error ||
      (rules.by == naming::number && c.space.output.rank() != 1) ||
      dense_bytes(c.space.output, c.call.element_size) < tuning::limits().bucketed_from) {
    return false;
  }
  if (c.source.count != 1) {
    bucket_series series{};
    tuple_numbers tuples;
    if (c.leaves.tuples == nullptr || !(c.in_place || c.call.data.layout->is_row_major()) ||
        !plan_tuples(c.space, c.source, c.call.element_size, series, tuples)) {
      return false;
    }
    const bucket_leaves& leaves =
        series.problem.width == c.call.element_size ? *c.leaves.buckets : *c.leaves.row_buckets;
    return c.leaves.tuples(who, series,
                           {c.call.output.data, c.in_place ? nullptr : c.call.data.data, tuples, c.call.updates.data},
                           leaves);
  }
  constexpr elements_rules any{"", index_rule::wrapping, true};
  const tuple_component& from = c.source.component[0];
  dense_plan plan;
  if (!plan_dense({*c.call.data.layout, c.space.positions, c.space.updates, c.space.output}, c.space.axes.first,
                  c.space.has_rows ? nullptr : &any, c.call.element_size, from.leaves->size, plan)) {
    return false;
  }
  bucket_series series{{plan.extent, plan.inner, plan.count * plan.inner, plan.width}, plan.outer, false};
  const bucket_leaves* leaves = c.leaves.buckets;
  if (c.space.has_rows) {  // rows as elements of their width
    series = {{plan.extent, 1, plan.count, plan.inner * plan.width}, plan.outer, true};
    if (plan.inner != 1) leaves = c.leaves.row_buckets;
  }
  return leaves != nullptr && leaves->in_workspace(who, series,
                                                   {c.call.output.data,
                                                    c.in_place ? nullptr : c.call.data.data,
                                                    {from.data, *from.leaves},
                                                    c.call.updates.data},
                                                   *leaves);
}

// The bytes of what one position of the indices names.
inline std::int64_t bytes_of_row(const scatter_space& of, std::int64_t element_size) noexcept {
  std::int64_t bytes = element_size;
  for (int k = of.axes.end(); k < of.output.rank(); ++k) bytes *= of.output.extent(k);
  return bytes;
}

// Runs a checked scatter on an executor.
inline void run_combined(const workers& who, combine_call& c) {
  const strided_layout& output = c.space.output;
  if (output.empty()) return;  // then there may be no memory to point into
  c.facts.output_bytes = output.size() * c.call.element_size;
  c.facts.streamed_from = c.in_place ? int64_max : streamed_from(c.facts.output_bytes);
  const std::int64_t moved = c.call.updates.layout->size() + (c.in_place ? 0 : output.size());
  // Each part of a cut target axis reads all indices: dear beside short rows, most of all for tuples. Elements numbered
  // in row-major order may lie on any axis.
  const std::int64_t shortest =
      c.source.count > 1 ? tuning::limits().shortest_shared_tuple_row : tuning::limits().shortest_shared_row;
  const bool has_other_axes = c.space.axes.first > 0 || (!c.space.has_rows && output.rank() > 1);
  const bool is_dear = !has_other_axes && bytes_of_row(c.space, c.call.element_size) < shortest;
  if (is_dear || (c.source.rules.by == naming::number && output.rank() != 1)) {
    combine_part(&c, box(output.extents()), who.memory());
    return;
  }
  who.for_each_part({output.extents(), moved, c.call.element_size, c.space.axes.first, !c.space.has_rows || c.in_place},
                    {combine_part, &c});
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_CPU_COMBINE_HPP
