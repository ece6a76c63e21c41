// SPDX-License-Identifier: Apache-2.0
// The scatter of elements along an axis that is not the innermost one: in tiles of a few columns, which are gathered
// into a small buffer, scattered into there and written out. Along such an axis neighbouring targets are far apart, so
// that each costs a cache line, and for widths of a power of two all map to the same few cache sets.
#ifndef STREW_DETAIL_KERNELS_TILES_HPP
#define STREW_DETAIL_KERNELS_TILES_HPP

#include <strew/config.hpp>
#include <strew/detail/kernel_counter.hpp>
#include <strew/detail/kernels/copy.hpp>
#include <strew/detail/kernels/rows.hpp>
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
#include <limits>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// Whether run_in_tiles may run: columns are contiguous, all lanes have updates, and all targets are owned. Elements
// must divide the rows of a tile: there are no loops for other sizes.
inline bool may_tile(const scatter_plan& plan) noexcept {
  using p = scatter_plan;
  const auto run = plan.columns.innermost();
  return plan.covers_columns && plan.axis[0].is_whole() && plan.lanes.rank() == 0 && plan.columns.rank() > 0 &&
         run.strides[p::output] == plan.unit && run.strides[p::updates] == plan.unit &&
         run.strides[p::index] == plan.index_unit && run.strides[p::data] == plan.unit;
}
// The bytes of all coordinates of the axis, in an output without gaps.
inline std::int64_t span_of_axis(const scatter_plan& plan) noexcept {
  return plan.axis[0].extent * static_cast<std::int64_t>(magnitude(plan.axis[0].stride));
}
// Whether tiles pay: their lines have several updates, and columns do not fit in L1.
inline bool pays_to_tile(const scatter_plan& plan) noexcept {
  const std::int64_t columns = plan.columns.innermost().extent;
  const std::int64_t of_line = tuning::cache_line / plan.unit;
  return plan.positions.innermost().extent * (columns < of_line ? columns : of_line) >=
             scaled(plan.axis[0].extent, tuning::limits().fewest_tiled_updates) &&
         span_of_axis(plan) > tuning::limits().tiled_from;
}

// Copies rows of a tile, of `Bytes` bytes each, or of `told` bytes if that is 0.
template <std::size_t Bytes, bool Prefetches>
STREW_INLINE void copy_tile_rows_of(char* to, std::int64_t to_stride, const char* from, std::int64_t from_stride,
                                    std::int64_t rows, [[maybe_unused]] std::int64_t told) noexcept {
  STREW_EXPECT(Bytes == any_width || told == static_cast<std::int64_t>(Bytes));
  STREW_RAN("copy_tile_rows", Bytes, Prefetches);
  constexpr std::int64_t ahead = tuning::prefetched_tile_rows;
  const std::int64_t bytes = Bytes == any_width ? told : static_cast<std::int64_t>(Bytes);
  for (std::int64_t row = 0; row < rows; ++row, to += to_stride, from += from_stride) {
    if (Prefetches && row + ahead < rows) prefetch(from + ahead * from_stride, bytes);
    std::memcpy(to, from, static_cast<std::size_t>(bytes));
  }
}
template <bool Prefetches>
STREW_NOINLINE void copy_tile_rows(char* to, std::int64_t to_stride, const char* from, std::int64_t from_stride,
                                   std::int64_t rows, std::int64_t bytes) noexcept {
  switch (bytes) {
    case tuning::widest_tile:
      return copy_tile_rows_of<tuning::widest_tile, Prefetches>(to, to_stride, from, from_stride, rows, bytes);
    default:
      return copy_tile_rows_of<any_width, Prefetches>(to, to_stride, from, from_stride, rows, bytes);
  }
}

// Writes rows of a tile to the output and copies those of the next tile, of the same columns, in their place: rows of
// `bytes` bytes, whole cache lines. Both at once, since rows of the output that are a power of two apart map to one set
// of L1: a store to one waits until another was written back, and meanwhile data is loaded. Tiles then take 0.75 to 1.0
// of the time (1024 rows of 4 KiB).
STREW_NOINLINE inline void exchange_tile_rows(char* output, std::int64_t output_stride, char* tile, const char* data,
                                              std::int64_t data_stride, std::int64_t rows,
                                              std::int64_t bytes) noexcept {
  STREW_EXPECT(bytes % tuning::cache_line == 0);
  STREW_RAN("exchange_tile_rows");
  constexpr std::int64_t ahead = tuning::prefetched_tile_rows;
  for (std::int64_t row = 0; row < rows; ++row, output += output_stride, tile += bytes, data += data_stride) {
    if (row + ahead < rows) prefetch(data + ahead * data_stride, bytes);
    if (bytes == tuning::widest_tile) {
      std::memcpy(output, tile, tuning::widest_tile);
      std::memcpy(tile, data, tuning::widest_tile);
      continue;
    }
    for (std::int64_t b = 0; b < bytes; b += tuning::cache_line) exchange_line(output + b, tile + b, data + b);
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

// The memory for a tile, the bytes of one of its rows, and the columns in it that are still to be written.
struct tile_memory {
  char* tile;
  std::int64_t row_bytes;
  char* output = nullptr;  // the place of the first of them
  std::int64_t bytes = 0;  // of their rows
};

inline void write_tile(const scatter_plan& plan, tile_memory& memory) noexcept {
  if (memory.bytes == 0) return;
  copy_tile_rows<false>(memory.output, plan.axis[0].stride, memory.tile, memory.row_bytes, plan.axis[0].extent,
                        memory.bytes);
  memory.bytes = 0;
}

// Makes targets of indices of `size` bytes that were read.
STREW_SMALL inline void wrap_read(std::int64_t* read, int size, std::int64_t count, std::int64_t extent) noexcept {
  if (size == 8) return wrap_targets(read, count, extent);
  auto* const short_ones = reinterpret_cast<char*>(read);
  for (std::int64_t i = 0; i < count; ++i) {
    auto index = load<std::int32_t>(short_ones + i * 4);
    if (index < 0) index += static_cast<std::int32_t>(extent);  // see run_in_tiles
    std::memcpy(short_ones + i * 4, &index, sizeof index);
  }
}

// Runs one tile of at most `columns` columns; `position` is that of its first column. The tile before is written first,
// and this one is left to be.
STREW_SMALL inline void run_tile(const scatter_plan& plan, const scatter_operands& at, tile_memory& memory,
                                 const per_operand<4>& position, std::int64_t columns) noexcept {
  using p = scatter_plan;
  const std::int64_t bytes = columns * plan.unit;
  const char* const data = at.data + position[p::data];
  if (memory.bytes == memory.row_bytes && bytes == memory.row_bytes) {
    exchange_tile_rows(memory.output, plan.axis[0].stride, memory.tile, data, plan.data_stride, plan.axis[0].extent,
                       bytes);
  } else {
    write_tile(plan, memory);
    copy_tile_rows<true>(memory.tile, memory.row_bytes, data, plan.data_stride, plan.axis[0].extent, bytes);
  }
  memory.output = at.output + position[p::output];
  memory.bytes = bytes;

  const auto rows = plan.positions.innermost();
  tile_columns into{memory.tile,           0, columns, at.updates + position[p::updates], rows.strides[p::updates],
                    rows.strides[p::index]};
  while ((plan.unit << into.shift) < memory.row_bytes) ++into.shift;
  STREW_EXPECT(plan.unit << into.shift == memory.row_bytes);
  const index_loops& loops = at.indices.loops;
  const auto scatter = at.scatter.tile;
  const char* index = at.indices.data + position[p::index];
  if (loops.is_canonical_index && !plan.axis[0].wraps) {
    scatter(into, index, rows.extent);
  } else {
    STREW_RAN("tile by indices that are read");
    STREW_EXPECT(columns <= tuning::widest_tile);
    std::int64_t read[tuning::widest_tile];  // as many as the tile has columns, as either integer of the loops
    for (std::int64_t i = 0; i < rows.extent; ++i, index += into.index_stride, into.updates += into.update_stride) {
      loops.read(index, loops.size, columns, read);
      if (plan.axis[0].wraps) wrap_read(read, loops.loop_size, columns, plan.axis[0].extent);
      scatter(into, read, 1);
    }
  }
}

// Copies data to the output and scatters the updates in tiles (may_tile), as wide as the memory allows. Returns false,
// with nothing done, if the memory holds none that pay.
STREW_SMALL inline bool run_in_tiles(const scatter_plan& plan, const scatter_operands& at,
                                     const scratch_memory& memory) noexcept {
  using p = scatter_plan;
  STREW_EXPECT(may_tile(plan) && divides_tiles(plan.unit));
  alignas(scratch_memory::alignment) char on_stack[tuning::tile_on_stack];
  const std::int64_t rows = plan.axis[0].extent;
  const std::int64_t best = best_tile_width(rows, int64_max);
  tile_memory tile{best > 0 ? memory.take<char>(rows * best) : nullptr, best};
  if (tile.tile == nullptr) tile = {on_stack, best_tile_width(rows, tuning::limits().used_tile_on_stack)};
  if (plan.axis[0].wraps && rows > (std::numeric_limits<std::int32_t>::max)()) return false;
  if (tile.row_bytes == 0) return false;
  const std::int64_t width = tile.row_bytes / plan.unit;
  const std::int64_t columns = plan.columns.innermost().extent;
  for (nest_cursor<4> c(plan.columns, 1, plan.first); !c.done(); c.next()) {
    per_operand<4> position = c.position();
    for (std::int64_t j = 0; j < columns; j += width) {
      run_tile(plan, at, tile, position, columns - j < width ? columns - j : width);
      for (const std::size_t operand : {p::output, p::updates, p::data}) position[operand] += tile.row_bytes;
      position[p::index] += width * plan.index_unit;
    }
  }
  write_tile(plan, tile);
  return true;
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_KERNELS_TILES_HPP
