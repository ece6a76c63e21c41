// SPDX-License-Identifier: Apache-2.0
// The loop plan of a scatter with a reduction, or with several index components per target.
#ifndef STREW_DETAIL_PLAN_SCATTER_PLAN_HPP
#define STREW_DETAIL_PLAN_SCATTER_PLAN_HPP

#include <strew/config.hpp>
#include <strew/detail/box.hpp>
#include <strew/detail/plan/loop_nest.hpp>
#include <strew/detail/rules/target_axis.hpp>
#include <strew/detail/tuning.hpp>
#include <strew/view/index_list.hpp>
#include <strew/view/integer.hpp>
#include <strew/view/layout.hpp>

#include <cstddef>
#include <cstdint>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// The layouts of the operands of such a scatter. Rows: the multi-index at each coordinate of `positions` addresses a
// row; updates have the extents output[:first] + positions + output[end:]. Elements: `positions` has the rank of the
// output, and each of its indices selects one element on one axis; updates have its extents.
struct scatter_space {
  bool has_rows;
  bool wraps;        // whether negative indices count from the end
  bool keeps_order;  // whether updates are combined in row-major order on the axes from the first target axis on
  target_axes axes;
  const strided_layout& positions;
  const strided_layout& updates;
  const strided_layout& output;
  const strided_layout* data = nullptr;  // see scatter_plan::data
  // Whether the offset of a position in the indices is its row-major number, since several components have each a
  // layout of their own.
  bool by_number = false;
};

// The states that a reduction keeps in addition to the output: none, one for each row of a box, or one for each
// element.
enum class state_layout : unsigned char { none, rows, elements };

// For each position of `columns` and each of `positions`, the latter in row-major order: the nest `lanes` of the
// updates is combined with that of the output at the target of the indices. Positions are the axes along which several
// indices may have one target, so their order is kept. Columns are axes off these along which indices differ, lanes
// those along which they do not, whatever the operator is called and wherever the axis is: rows, and elements with
// indices that are expanded. The targets of different columns and lanes are different, so their order is free.
struct scatter_plan {
  static constexpr std::size_t output = 0;
  static constexpr std::size_t updates = 1;
  static constexpr std::size_t index = 2;
  static constexpr std::size_t state = 3;
  static constexpr std::size_t data = 3;  // in a plan without states, if the layout of data is given

  loop_nest<4> columns;
  loop_nest<4> positions;
  loop_nest<4> lanes;
  per_operand<4> first{};
  // The target axes, and the stride of each in the states. Entries from `axes` on are not set.
  target_axis axis[max_rank];
  std::int64_t state_step[max_rank];
  int axes = 0;
  bool has_states = false;
  bool combines = false;          // whether an update waits for the one before it of the same element
  bool covers_columns = true;     // whether all columns of the box have updates, not only the first ones of some axis
  std::int64_t first_number = 0;  // the row-major number of the first position
  std::int64_t unit = 1;          // offsets that make an element
  std::int64_t index_unit = 1;    // offsets that make an index
  std::int64_t state_unit = 1;    // offsets that make a state
  std::int64_t data_stride = 0;   // of data on the target axis, if its layout is given
  loop_nest<2> all;               // the box: output and states
  per_operand<2> first_of_all{};
  std::int64_t updates_unit;  // offsets that make an update; set before the plan is made

  [[nodiscard]] constexpr bool empty() const noexcept { return columns.empty() || positions.empty() || lanes.empty(); }

  // Whether all indices select owned coordinates.
  [[nodiscard]] constexpr bool owns_all() const noexcept {
    for (int j = 0; j < axes; ++j) {
      if (!axis[j].owns_all()) return false;
    }
    return true;
  }

  // A row: the bytes of the output that one position of the indices replaces by contiguous bytes of the updates.
  [[nodiscard]] constexpr bool has_row_of_lanes() const noexcept {
    const auto last = lanes.innermost();
    return lanes.rank() > 0 && last.strides[output] == unit && last.strides[updates] == unit;
  }
  [[nodiscard]] constexpr std::int64_t row_bytes() const noexcept {
    return has_row_of_lanes() ? lanes.innermost().extent * unit : unit;
  }
  // The lanes beside it: all of them, or all but the innermost.
  [[nodiscard]] constexpr int lanes_in_row() const noexcept { return has_row_of_lanes() ? 1 : 0; }

  // Keeps only the positions in a range of their numbers, all of which select owned coordinates on the first axis. They
  // are a single run.
  constexpr void keep(const axis_range& own) noexcept {
    const auto run = positions.innermost();
    if (positions.rank() > 0) positions.set_extent(positions.rank() - 1, own.count);
    for (const std::size_t operand : {updates, index}) first[operand] += own.begin * run.strides[operand];
    first_number = own.begin;
    axis[0].has_own = true;
  }
};

// Whether states differ along axis k.
constexpr bool has_states(const scatter_space& of, state_layout grid, int k) noexcept {
  return grid == state_layout::elements || (grid == state_layout::rows && k < of.axes.end());
}

// Whether a state of a row belongs to one loop of the lanes and to one run of the output, so that it changes once with
// each update and is finished once.
constexpr bool has_states_of_rows(const scatter_plan& plan) noexcept {
  int loops = 0;
  int runs = 0;
  for (int k = 0; k < plan.lanes.rank(); ++k) loops += plan.lanes[k].strides[scatter_plan::state] == 0 ? 1 : 0;
  for (int k = 0; k < plan.all.rank(); ++k) runs += plan.all[k].strides[1] == 0 ? 1 : 0;
  return loops <= 1 && runs <= 1;
}

// The number of states of a box.
constexpr std::int64_t count_states(const scatter_space& of, state_layout grid, const box& part) noexcept {
  std::int64_t count = 1;
  for (int k = 0; k < of.output.rank(); ++k) count *= has_states(of, grid, k) ? part[k].count : 1;
  return count;
}

// The offset, in elements, of the element with a row-major number.
constexpr std::int64_t offset_of_number(const strided_layout& layout, std::int64_t number) noexcept {
  std::int64_t offset = 0;
  for (int k = layout.rank(); k-- > 0;) {
    offset += number % layout.extent(k) * layout.stride(k);
    number /= layout.extent(k);
  }
  return offset;
}

// A layout without its last axis, along which are the components of multi-indices.
constexpr strided_layout without_last_axis(const strided_layout& layout) noexcept {
  index_list extents;
  index_list strides;
  for (int k = 0; k + 1 < layout.rank(); ++k) {
    extents.push_back(layout.extent(k));
    strides.push_back(layout.stride(k));
  }
  strided_layout result;
  static_cast<void>(strided_layout::try_make(extents, strides, 1, result));  // a part of a layout
  return result;
}

// The stride of a layout that is one run.
constexpr std::int64_t stride_of_run(const strided_layout& layout) noexcept {
  std::int64_t stride = 0;
  for (int k = 0; k < layout.rank(); ++k) stride = layout.extent(k) > 1 ? layout.stride(k) : stride;
  return stride;
}

// Plans the scatter within the box. The plan's units are set before.
STREW_SMALL constexpr void plan_scatter(const scatter_space& of, const box& part, state_layout grid,
                                        scatter_plan& plan) noexcept {
  using p = scatter_plan;
  const strided_layout& output = of.output;
  const int rank = output.rank();
  plan.has_states = grid != state_layout::none;
  std::int64_t state_stride[max_rank] = {};
  std::int64_t states = plan.state_unit;
  for (int k = rank; k-- > 0;) {
    if (!has_states(of, grid, k)) continue;
    state_stride[k] = states;
    states *= part[k].count;
  }
  for (int k = 0; k < rank; ++k) {
    const std::int64_t stride = scaled(output.stride(k), plan.unit);
    plan.first_of_all[0] += scaled(stride, part[k].begin);
    plan.all.add_inner(part[k].count, {stride, state_stride[k]});
  }
  // Coordinates selected by indices count from 0 in the output, and from the first owned one in the states.
  plan.axes = of.axes.count;
  for (int j = 0; j < of.axes.count; ++j) {
    const int k = of.axes.first + j;
    plan.axis[j] = {output.extent(k), scaled(step_along(output, k), plan.unit), part[k], of.wraps, false};
    plan.state_step[j] = state_stride[k];
  }
  if (of.data != nullptr) plan.data_stride = scaled(step_along(*of.data, of.axes.first), plan.unit);
  const auto add = [&](loop_nest<4>& nest, int k, std::int64_t count, std::int64_t update_stride,
                       std::int64_t index_stride) {
    const bool has_data = of.data != nullptr;
    const per_operand<4> stride{scaled(output.stride(k), plan.unit), scaled(update_stride, plan.updates_unit),
                                scaled(index_stride, plan.index_unit),
                                has_data ? scaled(of.data->stride(k), plan.unit) : state_stride[k]};
    nest.add_inner(count, stride);
    if (count == 0) return;
    for (const std::size_t operand : {p::output, p::updates, p::index}) {
      plan.first[operand] += scaled(stride[operand], part[k].begin);
    }
    if (has_data) plan.first[p::data] += scaled(stride[p::data], part[k].begin);
  };
  if (of.has_rows) {
    const int inserted = of.positions.rank();
    for (int k = 0; k < rank; ++k) {
      if (k < of.axes.first) {
        add(of.keeps_order ? plan.columns : plan.lanes, k, part[k].count, of.updates.stride(k), 0);
      } else if (k >= of.axes.end()) {
        add(plan.lanes, k, part[k].count, of.updates.stride(k - of.axes.count + inserted), 0);
      }
    }
    for (int i = 0; i < inserted; ++i) {
      const std::int64_t index_stride =
          of.by_number ? row_major_stride(of.positions, i) : scaled(of.positions.stride(i), plan.index_unit);
      plan.positions.add_inner(of.positions.extent(i),
                               {0, scaled(of.updates.stride(of.axes.first + i), plan.updates_unit), index_stride, 0});
    }
  } else {
    const int axis = of.axes.first;
    for (int k = 0; k < rank; ++k) {
      if (k == axis) {
        plan.positions.add_inner(of.positions.extent(k), {0, scaled(of.updates.stride(k), plan.updates_unit),
                                                          scaled(of.positions.stride(k), plan.index_unit), 0});
        continue;
      }
      // If indices are shorter than the output, the box may extend beyond them, or not intersect them.
      const std::int64_t rest = of.positions.extent(k) - part[k].begin;
      const std::int64_t count = rest < 0 ? 0 : rest < part[k].count ? rest : part[k].count;
      plan.covers_columns = plan.covers_columns && count == part[k].count;
      loop_nest<4>& free = of.positions.stride(k) == 0 ? plan.lanes : plan.columns;
      add(!of.keeps_order ? free
          : k < axis      ? plan.columns
                          : plan.positions,
          k, count, of.updates.stride(k), of.positions.stride(k));
    }
  }
  for (loop_nest<4>* nest : {&plan.columns, &plan.lanes}) {  // their order is free: ascending addresses of the output
    const per_operand<4> moved = nest->sort_by(p::output);
    for (std::size_t i = 0; i < 4; ++i) plan.first[i] += moved[i];
  }
}

// Runs the body on pieces of a box that stay in the second cache while all positions are read for them: axes off
// the target axes are cut along which the output moves further than along these. `end` is that of the piece in an
// output without gaps, whose part of the box begins at `begin`.
struct piece_kernel {
  void (*run)(const void* context, const box& piece, std::int64_t end) noexcept;
  const void* context;
};
STREW_SMALL inline void for_each_piece(const scatter_space& of, const box& part, std::int64_t unit,
                                       const piece_kernel& body, std::int64_t begin = 0) noexcept {
  int cut = -1;
  std::uint64_t widest = 0;
  for (int k = 0; k < of.output.rank(); ++k) {
    const std::uint64_t stride = magnitude(of.output.stride(k));
    if (part[k].count <= 1 || stride <= widest) continue;
    widest = stride;
    cut = of.axes.contains(k) ? -1 : k;
  }
  std::int64_t inside = unit;
  for (int k = 0; k < of.output.rank(); ++k) inside *= k == cut ? 1 : part[k].count;
  const axis_range whole = cut < 0 ? axis_range{0, 1} : part[cut];
  const std::int64_t most = inside < 1 ? whole.count : tuning::limits().scattered_piece / inside;
  if (cut < 0 || whole.count <= most) {
    body.run(body.context, part, begin + whole.count * inside);
    return;
  }
  const std::int64_t step = most < 1 ? 1 : most;
  for (std::int64_t i = 0; i < whole.count; i += step) {
    box some = part;
    some.narrow(cut, {whole.begin + i, whole.count - i < step ? whole.count - i : step});
    for_each_piece(of, some, unit, body, begin + i * inside);
  }
}

// Calls body(box) for pieces of a box with at most `capacity` states each. Only pieces along target axes read the
// indices again, so these axes are cut last.
template <class Body>
STREW_SMALL constexpr void for_each_output_block(const scatter_space& of, state_layout grid, const box& part,
                                                 std::int64_t capacity, const Body& body) {
  const std::int64_t states = count_states(of, grid, part);
  if (states <= capacity) {
    body(part);
    return;
  }
  const int rank = of.output.rank();
  int cut = -1;
  for (int k = rank; k-- > 0;) {
    const bool is_cut = has_states(of, grid, k) && part[k].count > 1;
    if (is_cut && (cut < 0 || !of.axes.contains(k) || of.axes.contains(cut))) cut = k;
  }
  const std::int64_t inside = states / part[cut].count;
  const std::int64_t piece = inside < capacity ? capacity / inside : 1;
  const axis_range whole = part[cut];
  for (std::int64_t i = 0; i < whole.count; i += piece) {
    box block = part;
    block.narrow(cut, {whole.begin + i, whole.count - i < piece ? whole.count - i : piece});
    for_each_output_block(of, grid, block, capacity, body);
  }
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_PLAN_SCATTER_PLAN_HPP
