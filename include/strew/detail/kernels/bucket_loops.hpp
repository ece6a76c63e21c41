// SPDX-License-Identifier: Apache-2.0
// The innermost loops of buckets, a set for each element width.
#ifndef STREW_DETAIL_KERNELS_BUCKET_LOOPS_HPP
#define STREW_DETAIL_KERNELS_BUCKET_LOOPS_HPP

#include <strew/config.hpp>
#include <strew/detail/kernel_counter.hpp>
#include <strew/detail/kernels/copy_loops.hpp>
#include <strew/detail/kernels/index_loops.hpp>
#include <strew/detail/kernels/stream.hpp>
#include <strew/detail/plan/bucket_plan.hpp>
#include <strew/detail/rules/target_axis.hpp>
#include <strew/detail/tuning.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// Buckets while they are filled. They are lists of chunks: a chunk begins at a multiple of its size, with the address
// of the next one.
struct bucket_filler {
  char** ends;            // the address of the next entry of each bucket
  char* unused;           // the next free chunk
  int shift;              // a block is 2^shift rows
  std::int64_t row_size;  // elements of a row
  std::int64_t column;    // of the next update
  std::int64_t width;     // bytes of an element
};

// The offset of an address in its chunk.
STREW_INLINE std::int64_t offset_in_chunk(const char* address) noexcept {
  return static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(address) % std::uintptr_t{tuning::bucket_chunk});
}

// Appends `count` contiguous updates to the buckets of their rows, given as contiguous 64-bit targets. The cursors are
// copied to locals, since the compiler must assume that stores of char change *this.
template <std::size_t Width>
void fill_buckets(bucket_filler& filler, const void* targets, const char* update, std::int64_t count) noexcept {
  STREW_EXPECT(Width == any_width || filler.width == static_cast<std::int64_t>(Width));
  STREW_RAN("fill_buckets", Width);
  const bucket_filler f = filler;
  const std::int64_t size = Width == any_width ? f.width : static_cast<std::int64_t>(Width);
  const std::int64_t entry = bucket_entry(size);
  const int shift = f.shift;
  const std::uint64_t mask = (std::uint64_t{1} << shift) - 1;
  const auto row_size = static_cast<std::uint64_t>(f.row_size);
  const char* target = static_cast<const char*>(targets);
  char* unused = f.unused;
  auto column = static_cast<std::uint64_t>(f.column);
  for (; count > 0; --count, target += 8, update += size) {
    const auto row = load<std::uint64_t>(target);
    char** const end = f.ends + (row >> shift);
    char* at = *end;
    // Prefetches the bucket's next line: without, more than 64 buckets take two to three times as long.
    prefetch_to_write(at, tuning::cache_line);
    const auto offset = static_cast<std::uint32_t>((row & mask) * row_size + column);
    std::memcpy(at, &offset, 4);
    move_element<Width>(at + 4, update, size);
    at += entry;
    if (offset_in_chunk(at - 1) >= tuning::bucket_chunk - entry) [[unlikely]] {
      std::memcpy(at - 1 - offset_in_chunk(at - 1), &unused, sizeof unused);
      at = unused + 8;
      unused += tuning::bucket_chunk;
    }
    *end = at;
    if (++column == row_size) column = 0;
  }
  filler.unused = unused;
  filler.column = static_cast<std::int64_t>(column);
}

// Stores the elements of `count` entries to their block.
template <std::size_t Width>
void empty_bucket(char* block, const char* from, std::int64_t count, std::int64_t width) noexcept {
  STREW_EXPECT(Width == any_width || width == static_cast<std::int64_t>(Width));
  STREW_RAN("empty_bucket", Width);
  const std::int64_t size = Width == any_width ? width : static_cast<std::int64_t>(Width);
  const std::int64_t entry = bucket_entry(size);
  constexpr std::int64_t ahead = tuning::prefetched_entries;
  const auto target = [&](std::int64_t i) {
    return block + static_cast<std::int64_t>(load<std::uint32_t>(from + i * entry)) * size;
  };
  std::int64_t i = 0;
  for (; i + ahead < count; ++i) {
    prefetch_to_write(target(i + ahead), 0);
    move_element<Width>(target(i), from + i * entry + 4, size);
  }
  for (; i < count; ++i) move_element<Width>(target(i), from + i * entry + 4, size);
}

class execution_context;
struct bucket_loops;

// Dense operands; update k has index k. `Indices` are indices of an axis, or multi-indices (multi_index_buckets.hpp).
template <class Indices>
struct basic_bucket_operands {
  char* output;
  const char* data;  // null in place
  Indices indices;
  const char* updates;
};
using bucket_operands = basic_bucket_operands<index_source>;

// Reads some indices as 64-bit numbers. They may be illegal.
STREW_INLINE void sample_rows(const index_source& indices, std::int64_t first, std::int64_t count,
                              std::int64_t* to) noexcept {
  indices.loops.read_64(indices.data + first * indices.loops.size, indices.loops.size, count, to);
}

// The loops of a width, and the function that runs them, so that calls without them contain no code for buckets. It
// scatters a whole call, whose indices are not checked yet, if that pays and the workspace has memory for the buckets.
// It returns false, with nothing written, if not, or if an index is illegal, which the check of all indices then
// reports.
struct bucket_loops {
  bool (*scatter)(const execution_context& ctx, const bucket_series& series, const bucket_operands& at,
                  const bucket_loops& loops);
  void (*fill)(bucket_filler& filler, const void* targets, const char* update, std::int64_t count) noexcept;
  void (*empty)(char* block, const char* from, std::int64_t count, std::int64_t width) noexcept;
};

// Whether most targets seem to be near the one before: sorted indices, nearly sorted ones, runs. Samples a few hundred
// indices, which may be illegal.
template <class Indices>
bool looks_local(const bucket_problem& of, const Indices& indices) noexcept {
  constexpr std::int64_t steps = tuning::sampled_neighbours;
  constexpr std::int64_t places = tuning::sampled_places;
  const auto close = static_cast<std::uint64_t>(tuning::limits().near_bytes / (of.row_size * of.width));
  const std::int64_t apart = (of.updates - steps - 1) / places;
  std::int64_t found = 0;
  for (std::int64_t place = 0; place < places && apart > 0; ++place) {
    std::int64_t index[steps + 1];
    sample_rows(indices, place * apart, steps + 1, index);
    for (std::int64_t k = 0; k < steps; ++k) {
      const std::uint64_t step = static_cast<std::uint64_t>(index[k + 1]) - static_cast<std::uint64_t>(index[k]);
      found += step + close < 2 * close ? 1 : 0;
    }
  }
  return found >= places * steps / 2;
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_KERNELS_BUCKET_LOOPS_HPP
