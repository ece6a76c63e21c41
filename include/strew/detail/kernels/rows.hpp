// SPDX-License-Identifier: Apache-2.0
// The kernels of the scatter of rows, on bytes.
#ifndef STREW_DETAIL_KERNELS_ROWS_HPP
#define STREW_DETAIL_KERNELS_ROWS_HPP

#include <strew/config.hpp>
#include <strew/detail/kernels/rows_once.hpp>
#include <strew/detail/kernels/scatter_loops.hpp>
#include <strew/detail/kernels/scatter_part.hpp>
#include <strew/detail/plan/copy_plan.hpp>
#include <strew/detail/plan/scatter_plan.hpp>
#include <strew/detail/tuning.hpp>

#include <cstdint>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// Rows with the size of an element: buckets in the part of the output that is not yet written.
struct rows_by_output_buckets {
  static constexpr const char* name = "rows by buckets in the output";

  static const scatter_loops* loops(const plain_part& part) noexcept {
    return loops_for_rows(part.at.scatter, part.plan.unit, part.plan.row_bytes());
  }
  STREW_SMALL static bool may(const plain_part& part) noexcept {
    const scatter_plan& plan = part.plan;
    if (!part.is_over_copy() || !are_rows_of_flat(part.data, plan)) return false;
    const auto run = plan.positions.innermost();
    const scatter_loops* const as_elements = loops(part);
    return as_elements != nullptr && as_elements->buckets != nullptr && plan.axis[0].is_whole() &&
           plan.lanes.rank() == plan.lanes_in_row() && plan.positions.rank() <= 1 &&
           run.strides[scatter_plan::updates] == plan.row_bytes() &&
           run.strides[scatter_plan::index] == plan.index_unit;
  }
  static bool pays(const plain_part& part) noexcept {
    return part.c.facts.output_bytes >=
           run_bucketed_from(part.plan.row_bytes(), part.at.indices.loops, part.plan.axis[0].wraps);
  }
  static bool run(const plain_part& part) noexcept {
    const scatter_loops* const as_elements = loops(part);
    if (as_elements == nullptr) return false;
    const bucket_loops& buckets = *as_elements->buckets;
    return buckets.in_output(
        {part.plan.axis[0].owned.count, 1, part.plan.positions.innermost().extent, part.plan.row_bytes()},
        part.plan.axis[0], part.over_copy(), buckets);
  }
};

// Rows of a cache line or more: each is written once, from its last update or from data.
struct rows_written_once {
  static constexpr const char* name = "rows written once";

  static bool may(const plain_part& part) noexcept {
    return part.is_over_copy() && may_write_rows_once(part.data, part.plan);
  }
  static bool pays(const plain_part& part) noexcept { return pays_to_write_rows_once(part.plan, part.c.facts); }
  static bool run(const plain_part& part) noexcept {
    write_rows_once(part.data, part.plan, part.at, part.c.facts);
    return true;
  }
};

}  // namespace strew::detail

#endif  // STREW_DETAIL_KERNELS_ROWS_HPP
