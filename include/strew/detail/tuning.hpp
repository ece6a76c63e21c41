// SPDX-License-Identifier: Apache-2.0
// The constants that only speed depends on, each with the measurement behind it (docs/performance.md tells how). Sizes
// are in bytes unless said otherwise.
//
// `thresholds` are those that choose a kernel: a test build (STREW_TEST_BUILD) may set each from the first value in
// brackets to the last, so that every kernel runs on small tensors too. In all other builds they are constants. What
// else stands here has a part in the size of an array or in the shape of a loop, and is a constant in every build.
#ifndef STREW_DETAIL_TUNING_HPP
#define STREW_DETAIL_TUNING_HPP

#include <strew/config.hpp>

#include <cstddef>
#include <cstdint>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE::tuning {

// ---- The machine
inline constexpr std::int64_t cache_line = 64;
inline constexpr std::int64_t first_level_cache = std::int64_t{32} * 1024;
inline constexpr std::int64_t second_level_cache = std::int64_t{1024} * 1024;

// ---- Parts of a call
// More parts than threads, so that one thread that is delayed does not delay all. Rounding may double the number.
inline constexpr std::int64_t parts_a_thread = 4;
inline constexpr std::int64_t most_parts_a_thread = 2 * parts_a_thread;
// The most pieces of one check.
inline constexpr std::int64_t most_checks = 64;

// ---- Copies
// Pieces made in L1 to be streamed: while longer ones are made the memory bus is idle.
inline constexpr std::int64_t l1_staging_bytes = 4096;

// ---- Non-temporal stores
// An output that would fill this share of the largest cache is streamed.
inline constexpr std::int64_t streamed_numerator = 3;
inline constexpr std::int64_t streamed_denominator = 4;
inline constexpr std::int64_t collected_pieces = 1024;
// What is prefetched of a piece before its turn to be streamed: runs of 2 KiB then take 0.8 to 0.9 of the time. Four
// lines do as much as two, sixteen nothing any more.
inline constexpr std::int64_t prefetch_ahead_bytes = 2 * cache_line;

// ---- Scatters
// Updates loaded before the first of them is stored. The compiler cannot know that a store leaves the other operands
// alone; waiting for each makes the loop 1.7 times as long.
inline constexpr std::int64_t batch = 4;
// Indices read at a time where they must be widened, gathered or sorted out by owner: 8 KiB of stack.
inline constexpr std::int64_t positions = 1024;
// Indices looked at at a time for whether they ascend: those of most tensors do not within the first block.
inline constexpr std::int64_t ascending_block = 512;
// Rows whose last updates are listed on the stack (16 KiB); those of more rows are listed in the output.
inline constexpr std::int64_t rows_on_stack = 4096;
inline constexpr std::int64_t prefetched_rows = 4096;  // bytes ahead
// Where updates are combined with the current elements: elements and rows ahead whose targets are prefetched, and how
// many bytes of a row. Rows of 256 bytes take 0.7 to 0.85 times as long so, rows of 16 bytes 0.7.
inline constexpr std::int64_t prefetched_elements = 16;
inline constexpr std::int64_t prefetched_targets = 2;
inline constexpr std::int64_t prefetched_target = 256;
// States beside elements (what a mean or a first update keeps) on the stack.
inline constexpr std::int64_t states_on_stack = std::int64_t{32} * 1024;
inline constexpr std::int64_t typed_states = 256;  // of loops over a type

// ---- Buckets
// The pieces of memory that a bucket is a list of.
inline constexpr std::int64_t bucket_chunk = 4096;
inline constexpr std::int64_t most_buckets = 512;
// Wider elements gain little.
inline constexpr std::int64_t widest_bucketed = 32;
inline constexpr std::int64_t widest_bucketed_row = std::int64_t{64} * 1024;
// More updates than fit in any memory; their bytes can still be counted.
inline constexpr std::int64_t most_bucketed = std::int64_t{1} << 48;
// Looks at some neighbours tell whether most updates go near the one before: then direct stores are faster.
inline constexpr std::int64_t sampled_places = 64;
inline constexpr std::int64_t sampled_neighbours = 8;
// Entries ahead whose targets are prefetched.
inline constexpr std::int64_t prefetched_entries = 16;

// ---- Tiles
inline constexpr std::int64_t tile_on_stack = std::int64_t{64} * 1024;
inline constexpr std::int64_t widest_tile = 256;            // bytes a row
inline constexpr std::int64_t narrowest_tile = cache_line;  // likewise
// Hardware prefetchers do not follow strides of a page. Lines a power of two apart map to the same cache set of the
// first level, which holds eight: more rows ahead would evict the first before it is used.
inline constexpr std::int64_t prefetched_tile_rows = 8;

// More than the bytes of any tensor, with room to add to it.
inline constexpr std::int64_t never = std::int64_t{1} << 60;

struct thresholds {
  // ---- Parts of a call
  // Less work is not cut into parts: waking a thread costs more than it saves. [1, never]
  std::int64_t smallest_part = std::int64_t{64} * 1024;
  // Indices a thread checks at least. [1, never]
  std::int64_t smallest_check = std::int64_t{16} * 1024;
  // Cuts are multiples of so many bytes of the output, against false sharing; shorter blocks are not worth a copy each.
  // [1, never]
  std::int64_t shortest_block = 256;
  // A part of the scatter axis reads all indices: little beside rows this long. [1, never]
  std::int64_t row_beside_indices = 16 * cache_line;
  // Single elements repay that only where the output is far from the cache: from this many smallest parts. [1, never]
  std::int64_t far_parts = 128;
  // Rows so long are combined by several parts, each of which reads all indices or all multi-indices: shorter ones by
  // one. (Histograms on two threads 10 to 14 against 4.6, multi-indices of three and 64 bytes 5.6 against 2.6.) [1,
  // never]
  std::int64_t shortest_shared_row = cache_line;
  std::int64_t shortest_shared_multi_index_row = 16 * cache_line;
  // Lanes that share one index are rows, which parts do not cut where they have at most so many bytes. [0, never]
  std::int64_t longest_kept_row = first_level_cache;

  // ---- Copies
  // From so many elements on, loops that shuffle run as compiled for AVX2 where the processor has it. [1, never]
  std::int64_t vector_count = 64;
  // Blocks up to this size are copied by moves; a call of memcpy for each would cost 1.2-3 times its bytes. [0, never]
  std::int64_t longest_block = 256;
  // In less than this, copying data and then the updates takes less time than one merged pass. [0, never]
  std::int64_t shortest_overlay = 1024;
  // Elements a step apart are put over a piece of data that is still in L1. [1, never]
  std::int64_t overwritten_piece = 8192;
  // Of l1_staging_bytes, what is used at a time. [64, l1_staging_bytes]
  std::int64_t used_piece = l1_staging_bytes;
  // Data is copied ahead of a scatter in pieces of at least this size. [1, never]
  std::int64_t copied_piece = 4096;

  // ---- Non-temporal stores
  // Outputs of so many bytes are streamed; 0: where they fill most of the processor's largest cache. [0, never]
  std::int64_t streamed_from = 0;
  // Without that no output below this is streamed: in cache plain stores are up to 3 times as fast, and asking the
  // processor for the size of its caches takes microseconds on a virtual machine. [0, never]
  std::int64_t never_streamed = std::int64_t{16} << 20;
  // The widest stores. [16, 64]
  std::int64_t widest_store = 64;
  // Pieces that do not begin with a line: shorter ones are collected, longer ones streamed from where they are.
  // [cache_line, collected_pieces - cache_line]
  std::int64_t long_piece = 512;
  // Rows shorter than this are streamed only where each begins with a line. [cache_line, never]
  std::int64_t streamed_row = 8 * cache_line;

  // ---- Scatters
  // Of `positions`, `ascending_block`, `rows_on_stack`, `states_on_stack` and `typed_states`, what is used.
  std::int64_t used_positions = positions;              // [2, positions]
  std::int64_t used_ascending_block = ascending_block;  // [1, ascending_block]
  std::int64_t used_rows_on_stack = rows_on_stack;      // [1, rows_on_stack]
  std::int64_t used_states = states_on_stack;           // [64, states_on_stack]
  std::int64_t used_typed_states = typed_states;        // [1, typed_states]
  // Dense tensors up to this size take a call of their own: the checks of the others take 30 to 60 ns, as long as
  // moving so much. [0, never] both
  std::int64_t small_output = 2048;
  std::int64_t few_indices = 128;
  // Rows up to so many bytes are scattered over a copy of data that is still in the cache; of a streamed output.
  // Adjacent lines are prefetched in pairs, which decides where they come from memory. [0, never] both
  std::int64_t longest_row_over_copy = cache_line / 2;
  std::int64_t longest_row_over_stream = cache_line;
  // Rows of so many bytes are written once each. [16, never]
  std::int64_t shortest_row_written_once = cache_line;
  // Rows from so many bytes up to so many, of an output of so many, come too late from memory without a prefetch; for
  // longer ones the hardware prefetches. [0, never] each
  std::int64_t shortest_prefetched_row = cache_line;
  std::int64_t longest_prefetched_row = 1024;
  std::int64_t rows_prefetched_from = second_level_cache;
  // Single elements of an axis that spans less stay in L2 and are not prefetched: 0.75 to 0.95 of the time. [0, never]
  std::int64_t elements_prefetched_from = std::int64_t{256} << 10;

  // Lanes that share an index are reduced as a line, where they have so many bytes. [0, never]
  std::int64_t shortest_line = cache_line;

  // ---- Buckets
  // Buckets that the prefetchers follow; blocks of the output grow as long as there are more, from the smallest size to
  // the largest, and further only where there would be too many for any. [1, most_buckets]
  std::int64_t followed_buckets = 128;
  std::int64_t used_buckets = most_buckets;  // [1, most_buckets]
  // [1, never] each
  std::int64_t smallest_bucketed_block = std::int64_t{64} * 1024;
  std::int64_t largest_bucketed_block = std::int64_t{512} * 1024;  // half of most processors' L2
  // Buckets in the output lie blocks apart, where more than a hundred or two miss the caches of addresses: 2.2 times as
  // long with 512.
  std::int64_t largest_output_block = std::int64_t{4} << 20;
  // Pieces of the updates, each with a pass over the output, for which direct stores are given up. [1, never]
  std::int64_t most_bucket_pieces = 4;
  // In smaller outputs direct stores are as fast. [1, never]
  std::int64_t bucketed_from = std::int64_t{12} << 20;
  // With buckets in the output: they take one more look at all indices. [1, never]
  std::int64_t output_bucketed_from = std::int64_t{32} << 20;
  // How many times its size the entries may be; where they do not all fit, some updates are looked up twice. Any
  double fullest_output = 1.02;
  // One update in so many elements at least. [1, never] both
  std::int64_t least_density = 16;
  std::int64_t least_output_density = 8;  // with buckets in the output
  // Updates less than this apart go near each other. [0, never]
  std::int64_t near_bytes = std::int64_t{64} * 1024;

  // ---- Bound indices
  // Targets of moves by bound indices, sorted by blocks of so many bytes. [1, never]
  std::int64_t moved_block = std::int64_t{512} * 1024;
  // Rows longer than this are written once each, not moved in the order of their blocks. [0, never]
  std::int64_t longest_moved_unit = cache_line;
  // Updates of so many bytes are prefetched. [0, never]
  std::int64_t entries_prefetched_from = first_level_cache;

  // ---- Tiles
  // Columns of so many bytes, of so many updates, go by tiles. [0, never] both
  std::int64_t tiled_from = first_level_cache;
  std::int64_t shortest_column = 8;
  // Of `tile_on_stack`, what is used. [0, tile_on_stack]
  std::int64_t used_tile_on_stack = tile_on_stack;
  // Tiles stay in L2. [0, never]
  std::int64_t largest_tile = std::int64_t{256} * 1024;
  // Between these sizes of the output plain stores take 0.4 to 1.0 of the time of the narrowest tiles (1000 rows, L2 of
  // 512 KiB); with an L2 of 2 MiB 1.1 to 1.5 times as long (4 MiB). At 1 MiB they are level. Asking for the size of the
  // cache takes up to 30 microseconds of 600 or more. [0, never] both
  std::int64_t narrow_tiled_below = std::int64_t{2} << 20;
  std::int64_t narrow_tiled_from = std::int64_t{8} << 20;
};

inline constexpr thresholds measured{};
#if STREW_TEST_BUILD
inline thresholds set_by_tests;
// No constant expression reads these: std::is_constant_evaluated() would be true for every `const` local variable too.
constexpr const thresholds& limits() noexcept {
  return set_by_tests;
}
#else
constexpr const thresholds& limits() noexcept {
  return measured;
}
#endif

}  // namespace strew::detail::tuning

#endif  // STREW_DETAIL_TUNING_HPP
