// SPDX-License-Identifier: Apache-2.0
// The plan of a scatter of dense operands. Making it checks their shapes.
#ifndef STREW_DETAIL_PLAN_DENSE_PLAN_HPP
#define STREW_DETAIL_PLAN_DENSE_PLAN_HPP

#include <strew/config.hpp>
#include <strew/detail/rules/check_scatter.hpp>
#include <strew/detail/tuning.hpp>
#include <strew/view/index.hpp>
#include <strew/view/index_list.hpp>
#include <strew/view/layout.hpp>

#include <cstdint>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// Row-major operands: data and output are [outer, extent, inner], updates are [outer, count, inner]. Indices have the
// extents of updates for elements, [count] for rows. None of them is empty.
struct dense_plan {
  std::int64_t outer;
  std::int64_t extent;
  std::int64_t count;
  std::int64_t inner;
  std::int64_t width;  // bytes of an element
  std::int64_t output_bytes;
  std::int64_t updates_bytes;
  std::int64_t indices_bytes;

  friend constexpr bool operator==(const dense_plan&, const dense_plan&) = default;
};

// The bytes of a dense layout, for which the product cannot overflow; 0 for other layouts.
constexpr std::int64_t dense_bytes(const strided_layout& layout, std::int64_t element_size) noexcept {
  return layout.is_row_major() ? layout.size() * element_size : 0;
}
constexpr bool is_small_tensor(const strided_layout& layout, std::int64_t element_size,
                               std::int64_t most = tuning::limits().small_output) noexcept {
  return layout.is_row_major() && layout.size() * element_size <= most;
}

// A list that overflowed has max_rank entries.
constexpr bool is_single(const index_list& list) noexcept {
  return list.size() == 1 && (max_rank > 1 || !list.overflowed());
}

// Whether a call moves so little that its general checks would take as long: in place updates alone.
constexpr bool is_small_problem(const scatter_layouts& at, std::int64_t element_size, bool in_place) noexcept {
  return is_small_tensor(at.updates, element_size) && (in_place || is_small_tensor(at.output, element_size)) &&
         at.indices.size() <= tuning::limits().few_indices;
}

// Whether a plain scatter has so few rows that the loops of small calls take no longer than all that a plan costs.
constexpr bool has_few_rows(const dense_plan& plan) noexcept {
  return plan.outer * plan.count <= 2 * tuning::limits().few_indices;
}

// Whether each index belongs to a lane of its own (elements), and whether indices may be longer than data.
struct axis_rules {
  bool has_lanes;
  bool axis_may_exceed_data;
};
// The bytes of an element and of an index.
struct operand_sizes {
  std::int64_t element;
  std::int64_t index;
};

// Makes the plan of a scatter on one axis. Returns false if operands are not dense, if lanes have no updates, or if a
// rule for shapes is violated, which the general checks then report. Addresses and the values of indices are not
// checked. It has few branches, since for small calls it takes as long as the rest.
STREW_INLINE constexpr bool plan_dense(const axis_rules& rules, const scatter_layouts& at, const index_list& axis,
                                       const operand_sizes& sizes, dense_plan& plan) noexcept {
  const bool has_lanes = rules.has_lanes;
  const int rank = at.data.rank();
  const int inserted = has_lanes ? 1 : at.indices.rank();
  const bool is_dense = at.data.is_row_major() && at.indices.is_row_major() && at.updates.is_row_major() &&
                        at.output.is_row_major() && !at.output.empty() && !at.updates.empty();
  const bool has_ranks =
      at.output.rank() == rank && at.updates.rank() == rank + inserted - 1 && (!has_lanes || at.indices.rank() == rank);
  if (!is_dense || !has_ranks || !is_single(axis)) return false;
  const std::int64_t k = normalize_axis(axis[0], rank);
  if (k == out_of_bounds) return false;
  const std::int64_t* const data = at.data.extents().data();
  const std::int64_t* const output = at.output.extents().data();
  const std::int64_t* const updates = at.updates.extents().data();
  // Off the axis the indices of elements have the extents of data; those of rows have no other axes.
  const std::int64_t* const indices = has_lanes ? at.indices.extents().data() : data;
  std::int64_t differences = 0;
  plan.outer = 1;
  for (std::int64_t i = 0; i < k; ++i) {
    differences |= (output[i] ^ data[i]) | (updates[i] ^ data[i]) | (indices[i] ^ data[i]);
    plan.outer *= data[i];
  }
  plan.inner = 1;
  for (std::int64_t i = k + 1; i < rank; ++i) {
    differences |= (output[i] ^ data[i]) | (updates[i + inserted - 1] ^ data[i]) | (indices[i] ^ data[i]);
    plan.inner *= data[i];
  }
  plan.extent = data[k];
  differences |= output[k] ^ data[k];
  if (has_lanes) {
    plan.count = indices[k];
    differences |= updates[k] ^ plan.count;
    if (plan.count > plan.extent && !rules.axis_may_exceed_data) return false;
  } else {
    plan.count = at.indices.size();
    for (int i = 0; i < inserted; ++i) differences |= updates[k + i] ^ at.indices.extent(i);
  }
  plan.width = sizes.element;
  plan.output_bytes = at.output.size() * sizes.element;
  plan.updates_bytes = at.updates.size() * sizes.element;
  plan.indices_bytes = at.indices.size() * sizes.index;
  return differences == 0;
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_PLAN_DENSE_PLAN_HPP
