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
