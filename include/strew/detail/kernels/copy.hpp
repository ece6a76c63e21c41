// SPDX-License-Identifier: Apache-2.0
// The strided copy of bytes, by runs or by blocks.
#ifndef STREW_DETAIL_KERNELS_COPY_HPP
#define STREW_DETAIL_KERNELS_COPY_HPP

#include <strew/config.hpp>
#include <strew/detail/kernel_counter.hpp>
#include <strew/detail/kernels/copy_loops.hpp>
#include <strew/detail/plan/copy_plan.hpp>
#include <strew/detail/plan/loop_nest.hpp>
#include <strew/detail/tuning.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// Whether blocks are copied by inline moves: a call of memcpy would take longer than the copy.
inline bool are_short_blocks(std::int64_t bytes) noexcept {
  return bytes <= tuning::limits().longest_block;
}

// Moves the first and the last Move bytes of a block of at least as many, and at most twice as many.
template <std::size_t Move>
STREW_INLINE void copy_both_ends(char* to, const char* from, std::int64_t bytes) noexcept {
  char front[Move];
  char back[Move];
  std::memcpy(front, from, Move);
  std::memcpy(back, from + bytes - static_cast<std::int64_t>(Move), Move);
  std::memcpy(to, front, Move);
  std::memcpy(to + bytes - static_cast<std::int64_t>(Move), back, Move);
}
template <std::size_t Move>
STREW_INLINE void copy_ends_of_blocks(char* to, std::int64_t to_stride, const char* from, std::int64_t from_stride,
                                      std::int64_t count, std::int64_t bytes) noexcept {
  STREW_RAN("copy_blocks by two moves", Move);
  for (; count > 0; --count, to += to_stride, from += from_stride) copy_both_ends<Move>(to, from, bytes);
}
// A block of any size up to about this one.
inline constexpr std::int64_t longest_small_copy = 256;
STREW_INLINE void copy_small(char* to, const char* from, std::int64_t bytes) noexcept {
  if (bytes >= 16) {
    std::int64_t k = 0;
    for (; k < bytes - 64; k += 64) std::memcpy(to + k, from + k, 64);
    // The last move overlaps the one before it if bytes is not a multiple of 16.
    for (; k < bytes - 16; k += 16) std::memcpy(to + k, from + k, 16);
    std::memcpy(to + bytes - 16, from + bytes - 16, 16);
  } else if (bytes >= 8) {
    copy_both_ends<8>(to, from, bytes);
  } else if (bytes >= 4) {
    copy_both_ends<4>(to, from, bytes);
  } else {
    for (std::int64_t k = 0; k < bytes; ++k) to[k] = from[k];
  }
}

// Copies `count` contiguous blocks of `Bytes` each; strides in bytes.
template <std::size_t Bytes>
STREW_INLINE void copy_blocks_of(char* to, std::int64_t to_stride, const char* from, std::int64_t from_stride,
                                 std::int64_t count) noexcept {
  STREW_RAN("copy_blocks", Bytes);
  for (; count > 0; --count, to += to_stride, from += from_stride) std::memcpy(to, from, Bytes);
}
// Copies blocks of a size known at run time only.
inline void copy_blocks(char* to, std::int64_t to_stride, const char* from, std::int64_t from_stride,
                        std::int64_t count, std::int64_t bytes) noexcept {
  switch (bytes) {
    case 4:
      return copy_blocks_of<4>(to, to_stride, from, from_stride, count);
    case 8:
      return copy_blocks_of<8>(to, to_stride, from, from_stride, count);
    case 16:
      return copy_blocks_of<16>(to, to_stride, from, from_stride, count);
    case 32:
      return copy_blocks_of<32>(to, to_stride, from, from_stride, count);
    default:
      break;
  }
  if (are_short_blocks(bytes)) {
    if (bytes < 16 && bytes > 8) return copy_ends_of_blocks<8>(to, to_stride, from, from_stride, count, bytes);
    if (bytes < 8 && bytes > 4) return copy_ends_of_blocks<4>(to, to_stride, from, from_stride, count, bytes);
    STREW_RAN("copy_blocks by moves");
    for (; count > 0; --count, to += to_stride, from += from_stride) copy_small(to, from, bytes);
    return;
  }
  STREW_RAN("copy_blocks by memcpy");
  for (; count > 0; --count, to += to_stride, from += from_stride) {
    std::memcpy(to, from, static_cast<std::size_t>(bytes));
  }
}

// Copies the elements of a nest in bytes, relative to `to` and `from`.
STREW_SMALL inline void copy_nest(const loop_nest<2>& nest, char* to, const char* from, std::int64_t width,
                                  const copy_loops& loops) noexcept {
  constexpr std::size_t target = copy_plan::target;
  constexpr std::size_t source = copy_plan::source;
  const auto run = nest.innermost();
  const auto lines = nest.rank() >= 2 ? nest[nest.rank() - 2] : loop_nest<2>::axis{1, {}};
  const bool are_blocks = nest.rank() >= 2 && run.strides[target] == width && run.strides[source] == width;
  for (nest_cursor<2> at(nest, 2, {}); !at.done(); at.next()) {
    if (are_blocks) {
      copy_blocks(to + at[target], lines.strides[target], from + at[source], lines.strides[source], lines.extent,
                  run.extent * width);
    } else {
      loops.copy_lines(to + at[target], from + at[source], lines, run, width);
    }
  }
}

// Copies by a plan. If the innermost loop, which ascends in the target, reads an element of each of more cache lines
// than stay in the first-level cache until the next ones are read, pieces of it are inside of the loop that reads all
// of a line. Elements of 16 bytes gain nothing.
STREW_SMALL inline void run_copy(const copy_plan& plan, char* to, const char* from, const copy_loops& loops) noexcept {
  if (plan.nest.empty()) return;  // the pointers may be null
  to += plan.first[copy_plan::target];
  from += plan.first[copy_plan::source];
  const auto is_short = [](const loop_nest<2>::axis& of) {
    return magnitude(of.strides[copy_plan::source]) < tuning::cache_line;
  };
  const int last = plan.nest.rank() - 1;
  const auto run = plan.nest.innermost();
  int along = last;
  if (run.extent > tuning::limits().transposed_from && !is_short(run) && plan.unit <= 8) {
    for (int k = 0; k < last; ++k) along = is_short(plan.nest[k]) ? k : along;
  }
  if (along == last) return copy_nest(plan.nest, to, from, plan.unit, loops);
  STREW_RAN("copy transposed");
  loop_nest<2> nest = plan.nest;
  nest.exchange(along, last - 1);
  std::int64_t piece = tuning::limits().transposed_run;
  for (std::int64_t left = run.extent; left > 0; left -= piece) {
    if (left < piece) piece = left;
    nest.set_extent(last, piece);
    copy_nest(nest, to, from, plan.unit, loops);
    to += piece * run.strides[copy_plan::target];
    from += piece * run.strides[copy_plan::source];
  }
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_KERNELS_COPY_HPP
