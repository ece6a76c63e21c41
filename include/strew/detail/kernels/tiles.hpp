// SPDX-License-Identifier: Apache-2.0
// The scatter of elements along an axis that is not the innermost one: in tiles of a few columns, which are gathered
// into a small buffer, scattered into there and written out. Along such an axis neighbouring targets are far apart, so
// that each costs a cache line, and for widths of a power of two all map to the same few cache sets.
#ifndef STREW_DETAIL_KERNELS_TILES_HPP
#define STREW_DETAIL_KERNELS_TILES_HPP

#include <strew/config.hpp>
#include <strew/detail/kernel_counter.hpp>
#include <strew/detail/kernels/copy.hpp>
#include <strew/detail/kernels/scatter_loops.hpp>
#include <strew/detail/kernels/stream.hpp>
#include <strew/detail/plan/loop_nest.hpp>
#include <strew/detail/plan/scatter_plan.hpp>
#include <strew/detail/plan/scratch_memory.hpp>
#include <strew/detail/plan/tile_width.hpp>
#include <strew/detail/tuning.hpp>
#include <strew/view/integer.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// Whether run_in_tiles may run: columns are contiguous, all lanes have updates, all targets are owned, and loops take
// the indices in place. Elements must divide the rows of a tile: there are no loops for other sizes.
constexpr bool may_tile(const scatter_plan& plan, const index_loops& indices) noexcept {
  using p = scatter_plan;
  const auto run = plan.columns.innermost();
  return indices.is_canonical_index && !plan.axis[0].wraps && plan.covers_columns && plan.axis[0].is_whole() &&
         plan.lanes.rank() == 0 && plan.columns.rank() > 0 && run.strides[p::output] == plan.unit &&
         run.strides[p::updates] == plan.unit && run.strides[p::index] == plan.index_unit &&
         run.strides[p::data] == plan.unit;
}
// Whether tiles pay: their lines have several updates, and columns do not fit in L1.
constexpr bool pays_to_tile(const scatter_plan& plan) noexcept {
  const target_axis& axis = plan.axis[0];
  return fill_tiles(axis.extent, plan.columns.innermost().extent, plan.positions.innermost().extent, plan.unit) &&
         magnitude(scaled(axis.extent, axis.stride)) > static_cast<std::uint64_t>(tuning::limits().tiled_from);
}

// Copies rows of data, `bytes` bytes of each, to a tile.
STREW_NOINLINE inline void fill_tile(char* to, std::int64_t to_stride, const char* from, std::int64_t from_stride,
                                     std::int64_t rows, std::int64_t bytes) noexcept {
  STREW_RAN("fill_tile");
  constexpr std::int64_t ahead = tuning::prefetched_tile_rows;
  for (std::int64_t row = 0; row < rows; ++row, to += to_stride, from += from_stride) {
    if (row + ahead < rows) prefetch(from + ahead * from_stride, bytes);
    std::memcpy(to, from, static_cast<std::size_t>(bytes));
  }
}

// Whether all columns seem to have one index (a broadcast index tensor), so that runs are copies. Tests three indices
// of the first and of the last run; the plan is not empty.
STREW_SMALL inline bool seems_broadcast(const scatter_plan& plan, const index_source& indices) noexcept {
  const auto columns = plan.columns.innermost();
  const auto run = plan.positions.innermost();
  const std::int64_t stride = columns.strides[scatter_plan::index];
  for (const std::int64_t i : {std::int64_t{0}, run.extent - 1}) {
    const std::int64_t first = plan.first[scatter_plan::index] + i * run.strides[scatter_plan::index];
    const std::int64_t index = indices[first];
    if (index != indices[first + (columns.extent - 1) * stride] ||
        index != indices[first + columns.extent / 2 * stride]) {
      return false;
    }
  }
  return true;
}

// Copies data to the output and scatters the updates in tiles (may_tile), as wide as the memory allows. Returns false,
// with nothing done, if the memory holds none that pay.
STREW_SMALL inline bool run_in_tiles(const scatter_plan& plan, const scatter_operands& at,
                                     const scratch_memory& memory) noexcept {
  using p = scatter_plan;
  STREW_EXPECT(may_tile(plan, at.indices.loops) && divides_tiles(plan.unit));
  alignas(scratch_memory::alignment) char on_stack[tuning::tile_on_stack];
  const target_axis& axis = plan.axis[0];
  std::int64_t row = best_tile_width(axis.extent, int64_max);  // bytes
  char* tile = row > 0 ? memory.take<char>(axis.extent * row) : nullptr;
  if (tile == nullptr) {
    tile = on_stack;
    row = best_tile_width(axis.extent, tuning::limits().used_tile_on_stack,
                          plan.unit <= 2 ? tuning::cache_line : tuning::narrowest_tile);
  }
  if (row == 0) return false;
  const std::int64_t columns = plan.columns.innermost().extent;
  const auto positions = plan.positions.innermost();
  tile_columns into{tile, 0, 0, nullptr, positions.strides[p::updates], positions.strides[p::index]};
  while ((plan.unit << into.shift) < row) ++into.shift;
  for (nest_cursor<4> c(plan.columns, 1, plan.first); !c.done(); c.next()) {
    for (std::int64_t j = 0; j < columns; j += into.columns) {
      into.columns = columns - j < row / plan.unit ? columns - j : row / plan.unit;
      const std::int64_t before = j * plan.unit;
      into.updates = at.updates + c[p::updates] + before;
      fill_tile(tile, row, at.data + c[p::data] + before, plan.data_stride, axis.extent, into.columns * plan.unit);
      at.scatter.tile(into, at.indices.data + c[p::index] + j * plan.index_unit, positions.extent);
      copy_blocks(at.output + c[p::output] + before, axis.stride, tile, row, axis.extent, into.columns * plan.unit);
    }
  }
  return true;
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_KERNELS_TILES_HPP
