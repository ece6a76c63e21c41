// SPDX-License-Identifier: Apache-2.0
// The overlay: copies data and updates in a single pass over ascending addresses of the target, so that each element is
// written once. For SliceScatter out of place.
#ifndef STREW_DETAIL_KERNELS_MERGE_COPY_HPP
#define STREW_DETAIL_KERNELS_MERGE_COPY_HPP

#include <strew/config.hpp>
#include <strew/detail/kernel_counter.hpp>
#include <strew/detail/kernels/copy.hpp>
#include <strew/detail/kernels/copy_loops.hpp>
#include <strew/detail/kernels/stream.hpp>
#include <strew/detail/plan/copy_plan.hpp>
#include <strew/detail/plan/loop_nest.hpp>
#include <strew/detail/tuning.hpp>
#include <strew/view/integer.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// `count` contiguous blocks of `block` bytes each, `period` bytes apart in the target and `stride` bytes apart in
// `updates`.
struct strided_blocks {
  const char* updates;
  std::int64_t stride;
  std::int64_t count;
  std::int64_t block;
  std::int64_t period;
};

// The precondition of all loops over periods: blocks do not overlap in the target, and each is followed by the data of
// its period. If a period is as long as a block there is no data between the blocks.
constexpr bool are_interleaved(const strided_blocks& blocks) noexcept {
  return blocks.block >= 1 && blocks.period >= blocks.block && blocks.count >= 0;
}

// The pass over a contiguous target. Everything below done_ is written. What is between done_ and the next updates is
// copied from data, so that consecutive gaps become one copy. All in bytes.
class overlay_pass {
 public:
  overlay_pass(char* target, const char* data, std::int64_t width, const copy_loops& loops, bool streaming) noexcept
      : output_{target, streaming}, data_{data}, width_{width}, loops_{loops} {}

  // Writes lines of updates that follow each other in the target.
  void place_lines(std::int64_t position, const char* updates, const loop_nest<2>::axis& lines,
                   const loop_nest<2>::axis& run) noexcept {
    const std::int64_t bytes = lines.extent * run.extent * width_;
    fill_up_to(position);
    if (lines.extent == 1 && run.strides[copy_plan::source] == width_) {
      STREW_RAN("overlay run");
      put(updates, bytes);
    } else {
      STREW_RAN("overlay strided run");
      loops_.copy_lines(output_.begin_made(), updates, lines, run, width_);
      output_.end_made(bytes);
    }
    done_ = position + bytes;
  }

  // Writes blocks up to the last of them, but no data after it, since it may end the target.
  void place_blocks(std::int64_t position, const strided_blocks& blocks) noexcept {
    STREW_EXPECT(are_interleaved(blocks) && blocks.count >= 1);
    fill_up_to(position);
    strided_blocks periods = blocks;
    periods.count = blocks.count - 1;
    if (is_long(blocks.block)) {
      const std::int64_t rest = blocks.period - blocks.block;
      const bool lines = output_.writes_lines(blocks.block | rest);
      for (std::int64_t i = 0; i < periods.count; ++i) {
        const char* const update = blocks.updates + i * blocks.stride;
        const char* const data = data_ + position + i * blocks.period + blocks.block;
        // The first lines of the next piece, which hardware prefetchers do not expect.
        if (output_.streams()) {
          prefetch(data, rest < tuning::prefetch_ahead_bytes ? rest : tuning::prefetch_ahead_bytes);
          prefetch(update + blocks.stride, tuning::prefetch_ahead_bytes);
        }
        if (lines) {
          STREW_RAN("overlay long blocks of lines");
          output_.write_lines(update, blocks.block);
          output_.write_lines(data, rest);
        } else {
          STREW_RAN("overlay long blocks");
          put(update, blocks.block);
          put(data, rest);
        }
      }
    } else if (const std::int64_t move = move_of(blocks); move != 0) {
      char* const to = output_.begin_made();
      if (move == 64) move_periods<64>(to, data_ + position, periods);
      if (move == 16) move_periods<16>(to, data_ + position, periods);
      output_.end_made(periods.count * periods.period);
    } else {
      place_periods(position, periods);
    }
    put(blocks.updates + periods.count * blocks.stride, blocks.block);
    done_ = position + periods.count * blocks.period + blocks.block;
  }

  // Whether blocks are placed one by one: if they are long, or if there is a loop for periods of such blocks. Lines
  // that many others follow are too short for that.
  [[nodiscard]] bool takes(const strided_blocks& blocks, bool is_one_of_many) const noexcept {
    if (is_long(blocks.block)) return true;
    if (is_one_of_many && blocks.count * blocks.period <= 2 * tuning::limits().longest_block) return false;
    return move_of(blocks) != 0 || find_interleave(blocks) != nullptr;
  }

  // How many bytes of data are written, at most, before all updates of them.
  [[nodiscard]] std::int64_t overwritten_piece() const noexcept {
    return output_.streams() ? tuning::limits().used_piece : tuning::limits().overwritten_piece;
  }
  // Writes `bytes` bytes of data, and the updates in them over these while they are in L1: in a buffer if they are
  // streamed.
  STREW_NOINLINE void place_over_data(std::int64_t position, std::int64_t bytes, const loop_nest<2>& nest,
                                      const char* updates) noexcept {
    alignas(tuning::cache_line) char buffer[tuning::l1_staging_bytes];
    STREW_RAN("overlay overwritten");
    fill_up_to(position);
    const bool in_buffer = output_.streams() && bytes <= tuning::limits().used_piece;
    char* const to = in_buffer ? buffer : output_.begin_made();
    std::memcpy(to, data_ + position, static_cast<std::size_t>(bytes));
    copy_nest(nest, to, updates, width_, loops_);
    end_piece(in_buffer ? buffer : nullptr, bytes);
    done_ = position + bytes;
  }

  // Ends the pass at the end of the target.
  void finish(std::int64_t size) noexcept {
    fill_up_to(size);
    output_.finish();
  }

 private:
  STREW_NOINLINE void put(const char* from, std::int64_t bytes) noexcept { output_.write(from, bytes); }
  STREW_NOINLINE void fill_up_to(std::int64_t position) noexcept {
    STREW_EXPECT(position >= done_);  // the pass ascends
    if (position > done_) put(data_ + done_, position - done_);
    done_ = position;
  }

  [[nodiscard]] bool is_long(std::int64_t block) const noexcept {
    const std::int64_t longest = tuning::limits().longest_block;
    return block > longest || (output_.streams() && block == longest);
  }
  // The size of the moves by which blocks in cache are written in turn with the data between them, 0: they are written
  // over data, which takes 1.1 to 1.7 times as long.
  [[nodiscard]] std::int64_t move_of(const strided_blocks& blocks) const noexcept {
    if (output_.streams() || find_interleave(blocks) != nullptr) return 0;
    const std::int64_t both = blocks.block | blocks.period;
    return both % 64 == 0 ? 64 : both % 16 == 0 && blocks.block > 16 ? 16 : 0;
  }
  template <std::int64_t Move>
  STREW_INLINE static void move_periods(char* to, const char* data, const strided_blocks periods) noexcept {
    STREW_RAN("overlay blocks by moves", Move);
    const std::int64_t rest = periods.period - periods.block;
    const char* update = periods.updates;
    for (std::int64_t i = 0; i < periods.count; ++i, update += periods.stride, data += periods.period) {
      for (std::int64_t k = 0; k < periods.block; k += Move) std::memcpy(to + k, update + k, Move);
      to += periods.block;
      for (std::int64_t k = 0; k < rest; k += Move) std::memcpy(to + k, data + periods.block + k, Move);
      to += rest;
    }
  }
  // Writes what was made in a buffer; without a buffer it was made in the target.
  STREW_NOINLINE void end_piece(const char* buffer, std::int64_t bytes) noexcept {
    if (buffer == nullptr) return output_.end_made(bytes);
    STREW_RAN("overlay periods made in a buffer");
    output_.write(buffer, bytes);
  }

  // Writes whole periods: in pieces, in a buffer, if they are streamed.
  void place_periods(std::int64_t position, const strided_blocks& periods) noexcept {
    alignas(tuning::cache_line) char buffer[tuning::l1_staging_bytes];
    const std::int64_t period = periods.period;
    const bool in_buffer = output_.streams();
    const copy_loops::interleave_function interleave = find_interleave(periods);
    const std::int64_t most = (in_buffer ? tuning::limits().used_piece : int64_max) / period;
    strided_blocks some = periods;
    for (std::int64_t first = 0; first < periods.count; first += most) {
      some.count = periods.count - first < most ? periods.count - first : most;
      some.updates = periods.updates + first * periods.stride;
      char* const to = in_buffer ? buffer : output_.begin_made();
      const char* const from = data_ + position + first * period;
      interleave_all_blocks(interleave, to, from, some);
      end_piece(in_buffer ? buffer : nullptr, some.count * period);
    }
  }

  // The loop for blocks of one element, or of 8 bytes, with periods of a few blocks; null if there is none.
  [[nodiscard]] copy_loops::interleave_function find_interleave(const strided_blocks& periods) const noexcept {
    if (!may_interleave(periods.block, periods.period)) return nullptr;
    return periods.block == width_ ? loops_.interleave : periods.block == 8 ? loops_.interleave_8 : nullptr;
  }

  void gather_blocks(char* to, const strided_blocks& periods, std::int64_t first, std::int64_t count) const noexcept {
    const char* const from = periods.updates + first * periods.stride;
    if (periods.block == width_) {
      loops_.copy_lines(to, from, {1, {}}, {count, {width_, periods.stride}}, width_);
    } else {
      copy_blocks(to, periods.block, from, periods.stride, count, periods.block);
    }
  }

  // The loops need contiguous updates: others are gathered first, those of stride 0 once.
  void interleave_all_blocks(copy_loops::interleave_function interleave, char* to, const char* from,
                             const strided_blocks& periods) const noexcept {
    const std::int64_t step = periods.period / periods.block;
    if (periods.stride == periods.block) {
      STREW_RAN("overlay interleaves contiguous updates");
      interleave(step, to, from, periods.updates, periods.count);
      return;
    }
    alignas(tuning::cache_line) char gathered[tuning::l1_staging_bytes];
    const std::int64_t most = tuning::limits().used_piece / periods.block;
    for (std::int64_t i = 0; i < periods.count; i += most) {
      const std::int64_t n = periods.count - i < most ? periods.count - i : most;
      if (periods.stride != 0 || i == 0) {
        STREW_RAN("overlay interleaves gathered updates");
        gather_blocks(gathered, periods, i, n);
      }
      interleave(step, to + i * periods.period, from + i * periods.period, gathered, n);
    }
  }

  ascending_writer output_;
  const char* data_;
  std::int64_t width_;
  const copy_loops& loops_;
  std::int64_t done_ = 0;
};

// The addresses of the operands of a pair of copies.
struct overlay_operands {
  char* output;
  const char* data;
  const char* updates;
};

// Whether run_overlay may run: data is contiguous, so that the target is dense and a slice of it ascends.
constexpr bool may_overlay(const copy_plan& data, const copy_plan& updates) noexcept {
  return data.is_flat() && !updates.nest.empty();
}

// Writes data in pieces, and over each all of its updates, which are some coordinates of the outermost axis of the nest
// of which a few fit in a piece, and all of the axes inside it.
STREW_SMALL inline void overwrite_data(overlay_pass& pass, const loop_nest<2>& nest, int along,
                                       const per_operand<2>& first, const char* updates, std::int64_t width) noexcept {
  constexpr std::size_t target = copy_plan::target;
  const std::int64_t piece = pass.overwritten_piece();
  while (along > 0 && nest[along - 1].strides[target] <= piece / 4) --along;
  const auto& lines = nest[along];
  const std::int64_t most = lines.strides[target] < piece ? piece / lines.strides[target] : 1;
  loop_nest<2> some;
  std::int64_t last = width;  // from the first element of a line to the end of the last one
  for (int k = along; k < nest.rank(); ++k) {
    some.add_axis(nest[k]);
    if (k > along) last += (nest[k].extent - 1) * nest[k].strides[target];
  }
  for (nest_cursor<2> c(nest, nest.rank() - along, first); !c.done(); c.next()) {
    for (std::int64_t line = 0; line < lines.extent; line += most) {
      const std::int64_t count = lines.extent - line < most ? lines.extent - line : most;
      some.set_extent(0, count);
      pass.place_over_data(c[target] + line * lines.strides[target], (count - 1) * lines.strides[target] + last, some,
                           updates + c[copy_plan::source] + line * lines.strides[copy_plan::source]);
    }
  }
}

// Copies the contiguous plan `data` and the updates over it to the target. The nest of `updates` is sorted by target.
STREW_SMALL inline void run_overlay(const copy_plan& data, const copy_plan& updates, const overlay_operands& at,
                                    const copy_loops& loops, bool streaming) noexcept {
  constexpr std::size_t target = copy_plan::target;
  constexpr std::size_t source = copy_plan::source;
  STREW_EXPECT(may_overlay(data, updates));
  const std::int64_t width = data.unit;
  // Positions count from the lowest element of the target.
  const std::int64_t lowest = data.first[target];
  overlay_pass pass{at.output + lowest, at.data + data.first[source], width, loops, streaming};
  const per_operand<2> first{updates.first[target] - lowest, updates.first[source]};
  const loop_nest<2>& nest = updates.nest;
  const int rank = nest.rank();
  const auto run = nest.innermost();
  const bool is_run = rank == 0 || run.strides[target] == width;
  const bool are_blocks = rank >= 2 && is_run && run.strides[source] == width;
  // The axis along which blocks follow each other.
  const int along = are_blocks ? rank - 2 : rank - 1;
  strided_blocks blocks{nullptr, run.strides[source], run.extent, width, run.strides[target]};
  if (are_blocks) {
    blocks = {nullptr, nest[along].strides[source], nest[along].extent, run.extent * width,
              nest[along].strides[target]};
  }
  if (is_run && !are_blocks && (rank <= 1 || run.extent * width > tuning::limits().longest_block)) {
    const auto around = nest.second();
    const bool follow = rank > 1 && around.strides[target] == run.extent * width;
    const loop_nest<2>::axis lines = follow ? around : loop_nest<2>::axis{1, {}};
    for (nest_cursor<2> c(nest, follow ? 2 : 1, first); !c.done(); c.next()) {
      pass.place_lines(c[target], at.updates + c[source], lines, {run.extent, {width, run.strides[source]}});
    }
  } else if ((are_blocks || !is_run) && pass.takes(blocks, along > 0)) {
    for (nest_cursor<2> c(nest, rank - along, first); !c.done(); c.next()) {
      blocks.updates = at.updates + c[source];
      pass.place_blocks(c[target], blocks);
    }
  } else {
    overwrite_data(pass, nest, along, first, at.updates, width);
  }
  pass.finish(data.flat_size());
  if (streaming) stream_fence();
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_KERNELS_MERGE_COPY_HPP
