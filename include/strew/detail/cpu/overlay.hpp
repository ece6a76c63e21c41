// SPDX-License-Identifier: Apache-2.0
// The overlay: one copy laid over another, in a single pass over ascending addresses of the target, so that
// each element is written once. SliceScatter out of place.
#ifndef STREW_DETAIL_CPU_OVERLAY_HPP
#define STREW_DETAIL_CPU_OVERLAY_HPP

#include <strew/config.hpp>
#include <strew/detail/cpu/copy.hpp>
#include <strew/detail/cpu/copy_leaves.hpp>
#include <strew/detail/cpu/stream.hpp>
#include <strew/detail/kernel_counter.hpp>
#include <strew/detail/plan/copy_plan.hpp>
#include <strew/detail/plan/loop_nest.hpp>
#include <strew/detail/tuning.hpp>
#include <strew/integer.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// `count` contiguous blocks of `block` bytes each, `cell` bytes apart in the target and `stride` bytes apart in
// `updates`.
struct placed_blocks {
  const char* updates;
  std::int64_t stride;
  std::int64_t count;
  std::int64_t block;
  std::int64_t cell;
};

// Whether blocks lie apart in the target, each with the data of its cell behind it: what all loops over cells ask. A
// cell may be a block: then there is no data between the blocks.
constexpr bool are_cells(const placed_blocks& blocks) noexcept {
  return blocks.block >= 1 && blocks.cell >= blocks.block && blocks.count >= 0;
}
// Whether make_cells_of may make them: Block bytes a block, and of data some blocks more, none included.
template <std::int64_t Block>
constexpr bool may_make_cells_of(const placed_blocks& blocks) noexcept {
  return are_cells(blocks) && blocks.block == Block && blocks.cell % Block == 0;
}

// Cells of a block of updates and some blocks of data, moved as compiled in: `Cell` bytes, or any multiple of a block
// where that is 0; updates `Stride` bytes apart, or as told where that is 0.
template <std::int64_t Block, std::int64_t Cell, std::int64_t Stride>
STREW_INLINE void make_cells_of(char* __restrict to, const char* data, const placed_blocks& blocks) noexcept {
  STREW_EXPECT(may_make_cells_of<Block>(blocks) && (Cell == 0 || blocks.cell == Cell) &&
               (Stride == 0 || blocks.stride == Stride));
  STREW_RAN("make_cells", Block, Cell, Stride);
  const std::int64_t cell = Cell == 0 ? blocks.cell : Cell;
  const std::int64_t stride = Stride == 0 ? blocks.stride : Stride;
  const char* update = blocks.updates;
  for (std::int64_t n = blocks.count; n > 0; --n, to += cell, data += cell, update += stride) {
    std::memcpy(to, update, static_cast<std::size_t>(Block));
    for (std::int64_t k = Block; k < cell; k += Block) std::memcpy(to + k, data + k, static_cast<std::size_t>(Block));
  }
}

// Makes blocks.count cells, each a block of updates and the data after it. Contiguous blocks that replace every other
// one are the most frequent.
inline void make_cells(char* to, const char* data, const placed_blocks& blocks) noexcept {
  const std::int64_t block = blocks.block;
  const std::int64_t cell = blocks.cell;
  const std::int64_t rest = cell - block;
  STREW_EXPECT(are_cells(blocks));
  if (rest == block && blocks.stride == block) {
    switch (block) {
      case 16:
        return make_cells_of<16, 32, 16>(to, data, blocks);
      case 32:
        return make_cells_of<32, 64, 32>(to, data, blocks);
      case 64:
        return make_cells_of<64, 128, 64>(to, data, blocks);
      case 256:
        return make_cells_of<256, 512, 256>(to, data, blocks);
      default:
        break;
    }
  }
  if (cell <= 2 * tuning::limits().longest_block) {
    if (may_make_cells_of<16>(blocks)) return make_cells_of<16, 0, 0>(to, data, blocks);
    if (may_make_cells_of<32>(blocks)) return make_cells_of<32, 0, 0>(to, data, blocks);
  }
  if (may_copy_by_moves<64>(block) && may_copy_by_moves<64>(rest) && pays_to_copy_by_moves(rest)) {
    STREW_RAN("make_cells by moves", 64);
    const char* update = blocks.updates;
    for (std::int64_t n = blocks.count; n > 0; --n, to += cell, data += cell, update += blocks.stride) {
      copy_by_moves<64>(to, update, block);
      copy_by_moves<64>(to + block, data + block, rest);
    }
    return;
  }
  const bool by_moves = may_copy_by_moves<16>(block) && may_copy_by_moves<16>(rest) && pays_to_copy_by_moves(rest);
  const char* update = blocks.updates;
  for (std::int64_t n = blocks.count; n > 0; --n, to += cell, data += cell, update += blocks.stride) {
    if (by_moves) {
      STREW_RAN("make_cells by moves", 16);
      copy_by_moves<16>(to, update, block);
      copy_by_moves<16>(to + block, data + block, rest);
    } else {
      STREW_RAN("make_cells by memcpy");
      std::memcpy(to, update, static_cast<std::size_t>(block));
      std::memcpy(to + block, data + block, static_cast<std::size_t>(rest));
    }
  }
}

// The pass over a flat target. Everything below `done` is written; what lies between there and the next updates comes
// from data, so that consecutive gaps become one copy. All in bytes.
class overlay_pass {
 public:
  overlay_pass(char* target, const char* data, std::int64_t width, const copy_leaves& leaves, bool streaming) noexcept
      : output_{target, streaming}, data_{data}, width_{width}, leaves_{leaves} {}

  // Places one run of updates that is contiguous in the target.
  void place_run(std::int64_t position, const char* updates, std::int64_t stride, std::int64_t count) noexcept {
    fill_up_to(position);
    if (stride == width_) {
      STREW_RAN("overlay run");
      output_.write(updates, count * width_);
    } else {
      STREW_RAN("overlay strided run");
      leaves_.copy_run(output_.begin_made(), width_, updates, stride, count, width_);
      output_.end_made(count * width_);
    }
    done_ = position + count * width_;
  }

  // Places blocks up to the last of them and not beyond: it may end the target.
  void place_blocks(std::int64_t position, const placed_blocks& blocks) noexcept {
    STREW_EXPECT(are_cells(blocks) && blocks.count >= 1);
    fill_up_to(position);
    placed_blocks cells = blocks;
    cells.count = blocks.count - 1;
    if (blocks.block > tuning::limits().longest_block ||
        (output_.streams() && blocks.block == tuning::limits().longest_block)) {
      const std::int64_t rest = blocks.cell - blocks.block;
      const bool lines = output_.writes_lines(blocks.block | rest);
      for (std::int64_t i = 0; i < cells.count; ++i) {
        const char* const update = blocks.updates + i * blocks.stride;
        const char* const data = data_ + position + i * blocks.cell + blocks.block;
        // The first lines of what is streamed next: it begins elsewhere, where the hardware would not look for it.
        if (output_.streams()) {
          prefetch(data, rest < tuning::announced ? rest : tuning::announced);
          prefetch(update + blocks.stride, tuning::announced);
        }
        if (lines) {
          STREW_RAN("overlay long blocks of lines");
          output_.write_lines(update, blocks.block);
          output_.write_lines(data, rest);
        } else {
          STREW_RAN("overlay long blocks");
          output_.write(update, blocks.block);
          output_.write(data, rest);
        }
      }
    } else {
      place_cells(position, cells);
    }
    output_.write(blocks.updates + cells.count * blocks.stride, blocks.block);
    done_ = position + cells.count * blocks.cell + blocks.block;
  }

  // Ends the pass at the end of the target.
  void finish(std::int64_t size) noexcept {
    fill_up_to(size);
    output_.finish();
  }

 private:
  void fill_up_to(std::int64_t position) noexcept {
    STREW_EXPECT(position >= done_);  // the pass ascends
    if (position > done_) output_.write(data_ + done_, position - done_);
    done_ = position;
  }

  // Whole cells, in pieces: made in a buffer if they are streamed, overwritten while they are in the L1 cache.
  void place_cells(std::int64_t position, const placed_blocks& cells) noexcept {
    alignas(tuning::cache_line) char buffer[tuning::made_piece];
    const std::int64_t cell = cells.cell;
    const bool in_buffer = output_.streams() && cell <= tuning::limits().used_piece;
    const bool interleaves = finds_interleave(cells);
    const bool overwrites = cells.block == width_ && !interleaves;
    const std::int64_t piece = in_buffer    ? tuning::limits().used_piece
                               : overwrites ? tuning::limits().overwritten_piece
                                            : int64_max;
    const std::int64_t most = cell < piece ? piece / cell : 1;
    placed_blocks some = cells;
    for (std::int64_t first = 0; first < cells.count; first += most) {
      some.count = cells.count - first < most ? cells.count - first : most;
      some.updates = cells.updates + first * cells.stride;
      char* const to = in_buffer ? buffer : output_.begin_made();
      const char* const from = data_ + position + first * cell;
      if (interleaves) {
        STREW_RAN("overlay interleaved");
        interleave_cells(to, from, some);
      } else if (overwrites) {
        STREW_RAN("overlay overwritten");
        std::memcpy(to, from, static_cast<std::size_t>(some.count * cell));
        leaves_.copy_run(to, cell, some.updates, some.stride, some.count, width_);
      } else {
        make_cells(to, from, some);
      }
      if (in_buffer) {
        STREW_RAN("overlay cells made in a buffer");
        output_.write(buffer, some.count * cell);
      } else {
        output_.end_made(some.count * cell);
      }
    }
  }

  // Whether a leaf makes such cells: blocks of one element, or of 8 bytes, at steps of few blocks.
  bool finds_interleave(const placed_blocks& cells) noexcept {
    if (!may_interleave(cells.block, cells.cell)) return false;
    interleave_ = cells.block == width_ ? leaves_.interleave : cells.block == 8 ? leaves_.interleave_8 : nullptr;
    return interleave_ != nullptr;
  }

  void gather_blocks(char* to, const placed_blocks& cells, std::int64_t first, std::int64_t count) const noexcept {
    const char* const from = cells.updates + first * cells.stride;
    if (cells.block == width_) {
      leaves_.copy_run(to, width_, from, cells.stride, count, width_);
    } else {
      copy_blocks(to, cells.block, from, cells.stride, count, cells.block);
    }
  }

  // The leaves take contiguous updates: others are gathered first, those of stride 0 once.
  void interleave_cells(char* to, const char* from, const placed_blocks& cells) const noexcept {
    const std::int64_t step = cells.cell / cells.block;
    if (cells.stride == cells.block) {
      STREW_RAN("overlay interleaves contiguous updates");
      interleave_(step, to, from, cells.updates, cells.count);
      return;
    }
    alignas(tuning::cache_line) char gathered[tuning::made_piece];
    const std::int64_t most = tuning::limits().used_piece / cells.block;
    for (std::int64_t i = 0; i < cells.count; i += most) {
      const std::int64_t n = cells.count - i < most ? cells.count - i : most;
      if (cells.stride != 0 || i == 0) {
        STREW_RAN("overlay interleaves gathered updates");
        gather_blocks(gathered, cells, i, n);
      }
      interleave_(step, to + i * cells.cell, from + i * cells.cell, gathered, n);
    }
  }

  ascending_writer output_;
  const char* data_;
  std::int64_t width_;
  const copy_leaves& leaves_;
  copy_leaves::interleave_function interleave_ = nullptr;
  std::int64_t done_ = 0;
};

// Where a pair of copies finds its operands.
struct overlay_operands {
  char* output;
  const char* data;
  const char* updates;
};

// Whether run_overlay may run: data is one run, so that the target is dense and a slice of it ascends.
constexpr bool may_overlay(const copy_plan& data, const copy_plan& updates) noexcept {
  return data.is_flat() && !updates.nest.empty();
}

// Copies the flat plan `data` to the target, with `updates` laid over it. The updates' nest is sorted by target.
inline void run_overlay(const copy_plan& data, const copy_plan& updates, const overlay_operands& at,
                        const copy_leaves& leaves, bool streaming) noexcept {
  constexpr std::size_t target = copy_plan::target;
  constexpr std::size_t source = copy_plan::source;
  STREW_EXPECT(may_overlay(data, updates));
  const std::int64_t width = data.unit;
  // Positions count from the lowest element of the target.
  const std::int64_t lowest = data.first[target];
  overlay_pass pass{at.output + lowest, at.data + data.first[source], width, leaves, streaming};
  const per_operand<2> first{updates.first[target] - lowest, updates.first[source]};
  const loop_nest<2>& nest = updates.nest;
  const auto run = nest.innermost();
  if (nest.rank() >= 2 && run.strides[target] == width && run.strides[source] == width) {
    const auto& outer = nest[nest.rank() - 2];
    placed_blocks blocks{nullptr, outer.strides[source], outer.extent, run.extent * width, outer.strides[target]};
    for (nest_cursor<2> c(nest, 2, first); !c.done(); c.next()) {
      blocks.updates = at.updates + c[source];
      pass.place_blocks(c[target], blocks);
    }
  } else if (run.strides[target] == width || run.extent == 1) {
    for (nest_cursor<2> c(nest, 1, first); !c.done(); c.next()) {
      pass.place_run(c[target], at.updates + c[source], run.strides[source], run.extent);
    }
  } else {
    placed_blocks blocks{nullptr, run.strides[source], run.extent, width, run.strides[target]};
    for (nest_cursor<2> c(nest, 1, first); !c.done(); c.next()) {
      blocks.updates = at.updates + c[source];
      pass.place_blocks(c[target], blocks);
    }
  }
  pass.finish(data.flat_size());
  if (streaming) stream_fence();
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_CPU_OVERLAY_HPP
