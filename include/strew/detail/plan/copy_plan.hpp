// SPDX-License-Identifier: Apache-2.0
// The plan of a strided copy from one operand to another.
#ifndef STREW_DETAIL_PLAN_COPY_PLAN_HPP
#define STREW_DETAIL_PLAN_COPY_PLAN_HPP

#include <strew/config.hpp>
#include <strew/detail/box.hpp>
#include <strew/detail/plan/loop_nest.hpp>
#include <strew/view/layout.hpp>

#include <cstddef>
#include <cstdint>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// The positions to copy in the target (operand 0) and in the source (operand 1), as offsets from the operands' elements
// at coordinate 0. The order of the copies is free, since the target's elements are distinct.
//
// Offsets of all plans count units, of which `unit` are an element: the element's size for kernels on bytes, 1 for
// loops over a type.
struct copy_plan {
  static constexpr std::size_t target = 0;
  static constexpr std::size_t source = 1;

  loop_nest<2> nest;
  per_operand<2> first{};
  std::int64_t unit = 1;
  bool is_row_major = false;  // flat (see below), and in the row-major order of the operands' coordinates

  // Chooses the loop order: ascending addresses of the target.
  constexpr void finish() noexcept {
    is_row_major = is_flat();
    const per_operand<2> moved = nest.sort_by(target);
    for (std::size_t i = 0; i < 2; ++i) first[i] += moved[i];
  }

  // Whether target and source are contiguous in the same order: element i of one is copied to element i of the other.
  [[nodiscard]] constexpr bool is_flat() const noexcept {
    return !nest.empty() && (nest.rank() == 0 ||
                             (nest.rank() == 1 && nest[0].strides[target] == unit && nest[0].strides[source] == unit));
  }
  [[nodiscard]] constexpr std::int64_t flat_size() const noexcept { return nest.innermost().extent * unit; }
};

// Plans the copy of data to the output within the box. The plan's unit is set before.
STREW_SMALL constexpr void plan_data_copy(const strided_layout& data, const strided_layout& output, const box& part,
                                          copy_plan& plan) noexcept {
  if (part.is_whole() && data.is_row_major() && output.is_row_major()) {  // a shortcut with the same result as below
    plan.nest.add_inner(output.size(), {plan.unit, plan.unit});
    plan.is_row_major = !output.empty();
    return;
  }
  for (int k = 0; k < data.rank(); ++k) {
    const per_operand<2> stride{scaled(output.stride(k), plan.unit), scaled(data.stride(k), plan.unit)};
    for (std::size_t i = 0; i < 2; ++i) plan.first[i] += scaled(stride[i], part[k].begin);
    plan.nest.add_inner(part[k].count, stride);
  }
  plan.finish();
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_PLAN_COPY_PLAN_HPP
