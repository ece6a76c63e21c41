// SPDX-License-Identifier: Apache-2.0
// The kernels of the scatter of elements, on bytes.
#ifndef STREW_DETAIL_KERNELS_ELEMENTS_HPP
#define STREW_DETAIL_KERNELS_ELEMENTS_HPP

#include <strew/config.hpp>
#include <strew/detail/kernels/scatter_loops.hpp>
#include <strew/detail/kernels/scatter_part.hpp>
#include <strew/detail/kernels/tiles.hpp>
#include <strew/detail/plan/copy_plan.hpp>
#include <strew/detail/plan/scatter_plan.hpp>
#include <strew/detail/tuning.hpp>

#include <cstdint>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// Buckets in the part of the output that is not yet written. For dense operands with updates for all columns.
struct elements_by_output_buckets {
  static constexpr const char* name = "elements by buckets in the output";

  static bool may(const plain_part& part) noexcept {
    using p = scatter_plan;
    if (!part.is_over_copy()) return false;
    const scatter_plan& plan = part.plan;
    const auto columns = plan.columns.innermost();
    const auto run = plan.positions.innermost();
    const std::int64_t row = columns.extent * plan.unit;
    return part.at.scatter.buckets != nullptr && part.data.is_row_major && plan.axis[0].is_whole() &&
           plan.lanes.rank() == 0 && plan.columns.rank() <= 1 && plan.covers_columns && plan.axis[0].stride == row &&
           run.strides[p::updates] == row && run.strides[p::index] == columns.extent * plan.index_unit &&
           (plan.columns.rank() == 0 ||
            (columns.strides[p::updates] == plan.unit && columns.strides[p::index] == plan.index_unit));
  }
  static bool pays(const plain_part& part) noexcept {
    const bool is_run = part.plan.columns.rank() == 0;
    return part.c.facts.output_bytes >=
           (is_run ? run_bucketed_from(part.plan.unit, part.at.indices.loops, part.plan.axis[0].wraps)
                   : tuning::limits().output_bucketed_from);
  }
  static bool run(const plain_part& part) noexcept {
    const scatter_plan& plan = part.plan;
    const std::int64_t columns = plan.columns.innermost().extent;
    const bucket_loops& buckets = *part.at.scatter.buckets;
    return buckets.in_output(
        {plan.axis[0].owned.count, columns, plan.positions.innermost().extent * columns, plan.unit}, plan.axis[0],
        part.over_copy(), buckets);
  }
};

// In tiles of some columns, if the axis is not the innermost one.
struct elements_in_tiles {
  static constexpr const char* name = "elements in tiles";

  static bool may(const plain_part& part) noexcept {
    return part.is_over_copy() && part.at.scatter.tile != nullptr && may_tile(part.plan, part.at.indices.loops);
  }
  static bool pays(const plain_part& part) noexcept { return pays_to_tile(part.plan); }
  static bool run(const plain_part& part) noexcept {
    return !seems_broadcast(part.plan, part.at.indices) && run_in_tiles(part.plan, part.at, part.memory);
  }
};

}  // namespace strew::detail

#endif  // STREW_DETAIL_KERNELS_ELEMENTS_HPP
