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
