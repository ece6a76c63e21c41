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

// Whether copy_by_schedule may copy blocks of `bytes` bytes, and whether it pays.
template <std::int64_t Move>
constexpr bool may_copy_by_schedule(std::int64_t bytes) noexcept {
  return bytes % Move == 0;
}
inline bool pays_to_copy_by_schedule(std::int64_t bytes) noexcept {
  return bytes <= tuning::limits().longest_block;
}

// Copies a short block, whose size is known at run time only, by inline moves of 16 or 64 bytes: a call of memcpy would
// take longer than the copy.
template <std::int64_t Move>
STREW_INLINE void copy_by_schedule(char* to, const char* from, std::int64_t bytes) noexcept {
  STREW_EXPECT(may_copy_by_schedule<Move>(bytes));
  for (std::int64_t k = 0; k < bytes; k += Move) std::memcpy(to + k, from + k, static_cast<std::size_t>(Move));
}

// Copies `count` contiguous blocks of `Bytes` each; strides in bytes.
template <std::size_t Bytes>
STREW_INLINE void copy_blocks_of(char* to, std::int64_t to_stride, const char* from, std::int64_t from_stride,
                                 std::int64_t count) noexcept {
  STREW_RAN("copy_blocks", Bytes);
  for (; count > 0; --count, to += to_stride, from += from_stride) std::memcpy(to, from, Bytes);
}
// The same with a size known at run time only.
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
    case 64:
      return copy_blocks_of<64>(to, to_stride, from, from_stride, count);
    default:
      break;
  }
  if (bytes == 256) return copy_blocks_of<256>(to, to_stride, from, from_stride, count);
  if (may_copy_by_schedule<64>(bytes) && pays_to_copy_by_schedule(bytes)) {
    STREW_RAN("copy_blocks by moves", 64);
    for (; count > 0; --count, to += to_stride, from += from_stride) copy_by_schedule<64>(to, from, bytes);
    return;
  }
  if (may_copy_by_schedule<16>(bytes) && pays_to_copy_by_schedule(bytes)) {
    STREW_RAN("copy_blocks by moves", 16);
    for (; count > 0; --count, to += to_stride, from += from_stride) copy_by_schedule<16>(to, from, bytes);
    return;
  }
  STREW_RAN("copy_blocks by memcpy");
  for (; count > 0; --count, to += to_stride, from += from_stride) {
    std::memcpy(to, from, static_cast<std::size_t>(bytes));
  }
}

// Copies the elements of a nest in bytes, relative to `to` and `from`.
inline void copy_nest(const loop_nest<2>& nest, char* to, const char* from, std::int64_t width,
                      const copy_loops& loops) noexcept {
  constexpr std::size_t target = copy_plan::target;
  constexpr std::size_t source = copy_plan::source;
  const auto run = nest.innermost();
  if (nest.rank() >= 2 && run.strides[target] == width && run.strides[source] == width) {
    const auto& blocks = nest[nest.rank() - 2];
    for (nest_cursor<2> at(nest, 2, {}); !at.done(); at.next()) {
      copy_blocks(to + at[target], blocks.strides[target], from + at[source], blocks.strides[source], blocks.extent,
                  run.extent * width);
    }
    return;
  }
  // A short run inside a longer one is the outer loop of the two: their order is free.
  const bool is_short = nest.rank() >= 2 && run.extent < tuning::limits().shortest_copied_run &&
                        nest[nest.rank() - 2].extent > run.extent;
  const auto inside = is_short ? nest[nest.rank() - 2] : run;
  const std::int64_t times = is_short ? run.extent : 1;
  if (is_short) STREW_RAN("copy with the longer loop inside");
  for (nest_cursor<2> at(nest, is_short ? 2 : 1, {}); !at.done(); at.next()) {
    for (std::int64_t i = 0; i < times; ++i) {
      loops.copy_run(to + at[target] + i * run.strides[target], inside.strides[target],
                     from + at[source] + i * run.strides[source], inside.strides[source], inside.extent, width);
    }
  }
}

inline void run_copy(const copy_plan& plan, char* to, const char* from, const copy_loops& loops) noexcept {
  if (plan.nest.empty()) return;  // the pointers may be null
  copy_nest(plan.nest, to + plan.first[copy_plan::target], from + plan.first[copy_plan::source], plan.unit, loops);
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_KERNELS_COPY_HPP
