// SPDX-License-Identifier: Apache-2.0
// The plan of a scatter of rows: each index selects the target row of one row of the updates.
#ifndef STREW_DETAIL_PLAN_ROWS_PLAN_HPP
#define STREW_DETAIL_PLAN_ROWS_PLAN_HPP

#include <strew/config.hpp>
#include <strew/detail/box.hpp>
#include <strew/detail/plan/loop_nest.hpp>
#include <strew/detail/rules/check_scatter.hpp>
#include <strew/detail/rules/target_axis.hpp>
#include <strew/view/layout.hpp>

#include <cstddef>
#include <cstdint>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// For each position of `outer` and each of `indices`, in row-major order: copy the nest `row` from the updates to the
// output's row number index. Rows of different positions of `outer` are distinct, so its order is free; the order of
// `indices` determines which of two equal indices wins, so it is kept.
struct rows_plan {
  static constexpr std::size_t output = 0;
  static constexpr std::size_t updates = 1;
  static constexpr std::size_t index = 0;  // in `indices`, whose operand 1 is the updates as elsewhere

  loop_nest<2> outer;
  loop_nest<2> indices;
  loop_nest<2> row;
  per_operand<2> first{};
  std::int64_t first_index = 0;
  target_axis axis;
  std::int64_t unit = 1;        // offsets that make an element
  std::int64_t index_unit = 1;  // offsets that make an index
  std::int64_t row_size = 0;    // of a row if it is contiguous in output and updates; otherwise 0

  // Chooses the loop order of the loops for which it is free: ascending addresses of the output.
  constexpr void finish() noexcept {
    for (loop_nest<2>* nest : {&outer, &row}) {
      const per_operand<2> moved = nest->sort_by(output);
      for (std::size_t i = 0; i < 2; ++i) first[i] += moved[i];
    }
    const auto inner = row.innermost();
    const bool is_contiguous =
        row.rank() == 0 || (row.rank() == 1 && inner.strides[output] == unit && inner.strides[updates] == unit);
    row_size = is_contiguous ? inner.extent * unit : 0;
  }

  // Keeps only the indices in a range of their numbers, all of which select owned rows. They are a single run.
  constexpr void keep(const axis_range& own) noexcept {
    const auto run = indices[0];
    indices.set_extent(0, own.count);
    first[updates] += own.begin * run.strides[updates];
    first_index += own.begin * run.strides[index];
    axis.has_own = true;
  }

  [[nodiscard]] constexpr bool empty() const noexcept { return outer.empty() || indices.empty() || row.empty(); }

  // Whether the rows of the output are contiguous.
  [[nodiscard]] constexpr bool has_flat_rows() const noexcept { return row_size > 0 && row_size == axis.stride; }
};

// Plans the scatter of the rows in the box. The plan's units are set before.
constexpr void plan_rows(const scatter_layouts& at, int axis, const box& part, rows_plan& plan) noexcept {
  const strided_layout& indices = at.indices;
  const strided_layout& updates = at.updates;
  const strided_layout& output = at.output;
  const int inserted = indices.rank();
  plan.axis = {output.extent(axis), scaled(step_along(output, axis), plan.unit), part[axis], false, false};
  for (int k = 0; k < output.rank(); ++k) {
    if (k == axis) continue;
    const std::int64_t update_stride = updates.stride(k < axis ? k : k + inserted - 1);
    const per_operand<2> stride{scaled(output.stride(k), plan.unit), scaled(update_stride, plan.unit)};
    for (std::size_t i = 0; i < 2; ++i) plan.first[i] += scaled(stride[i], part[k].begin);
    (k < axis ? plan.outer : plan.row).add_inner(part[k].count, stride);
  }
  for (int k = 0; k < inserted; ++k) {
    plan.indices.add_inner(indices.extent(k),
                           {scaled(indices.stride(k), plan.index_unit), scaled(updates.stride(axis + k), plan.unit)});
  }
  plan.finish();
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_PLAN_ROWS_PLAN_HPP
