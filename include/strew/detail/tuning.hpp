// SPDX-License-Identifier: Apache-2.0
// The constants that affect speed only, each with its measurement (docs/kernels.md describes how they were made).
// Sizes are in bytes unless stated otherwise.
//
// `thresholds` are those that choose a kernel. A test build (STREW_TEST_BUILD) may set each to any value in its
// brackets, so that every kernel runs on small tensors too. In all other builds they are constants. The other values
// here determine the size of an array or the shape of a loop, and are constants in every build.
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
// Lines that a loop may touch in each operand so that they stay in the first-level cache until it runs again.
inline constexpr std::int64_t kept_lines = 128;
// Bytes that stay in the second-level cache while a loop runs again.
inline constexpr std::int64_t kept_bytes = second_level_cache / 2;
// Bytes beyond which hardware does not prefetch the next access along a stride.
inline constexpr std::int64_t page = 4096;

// ---- Parts of a call
// More parts than threads, for load balancing. Rounding may double the number.
inline constexpr std::int64_t parts_a_thread = 4;
inline constexpr std::int64_t most_parts_a_thread = 2 * parts_a_thread;
// The target axis of columns is cut only if this many times as many elements are moved as there are updates: then the
// indices, all of which each part reads, cost little beside the copy of data.
inline constexpr std::int64_t few_beside_data = 16;
// Bytes of columns of a part, below which there are no more parts than threads: five parts of 280 bytes took twice as
// long as two of 900.
inline constexpr std::int64_t shortest_columns = 4096;
// The most pieces that one check of indices is divided into.
inline constexpr std::int64_t most_checks = 64;

// ---- Copies
// Size of the pieces that are assembled in L1 and then streamed; the memory bus is idle while a piece is assembled.
inline constexpr std::int64_t l1_staging_bytes = 4096;

// ---- Non-temporal stores
// An output larger than this fraction of the largest cache is streamed.
inline constexpr std::int64_t streamed_numerator = 3;
inline constexpr std::int64_t streamed_denominator = 4;
// A larger cache counts as this one: a virtual machine of two processors may report that of a whole socket, 480 MiB, of
// which it gets a part.
inline constexpr std::int64_t most_cache = std::int64_t{64} << 20;
inline constexpr std::int64_t collected_pieces = 1024;
// Bytes of the next piece that are prefetched before it is streamed: runs of 2 KiB then take 0.8 to 0.9 of the time.
// Four lines have the same effect as two, sixteen have none.
inline constexpr std::int64_t prefetch_ahead_bytes = 2 * cache_line;

// ---- Scatters
// Number of updates that are loaded before the first of them is stored, along a contiguous axis, across one and in
// tiles: the compiler must assume that a store changes the other operands. Strided runs gain nothing.
inline constexpr std::int64_t batch = 4;
// From this many rows on a call of a loop for rows of their size takes less time than the loops for any size.
inline constexpr std::int64_t fewest_rows = 16;
// Number of indices that are read at a time where they are widened, gathered or filtered by part: 8 KiB of stack.
inline constexpr std::int64_t positions = 1024;
// From this many of 64 elements of 4 bytes on that a mask selects they are stored by vectors; of fewer each alone. At
// one half vectors take 0.9 of the time with AMD's processors, whose masked stores are slow; Intel's are faster.
inline constexpr int fewest_masked = 16;
// Words of a mask with at most this many elements that are not selected are runs between these.
inline constexpr int gaps_in_a_word = 4;
// Number of indices in a block of the test for ascending order; most unsorted inputs are rejected within the first
// block.
inline constexpr std::int64_t ascending_block = 512;
// Number of rows whose last updates are listed on the stack (16 KiB); for more rows they are listed in the output.
inline constexpr std::int64_t rows_on_stack = 4096;
inline constexpr std::int64_t prefetched_rows = 4096;  // bytes ahead
// How many elements ahead targets are prefetched, in the cache (for reductions only) and beyond it, and for reductions
// how many bytes of targets ahead, in rows. With 4 KiB rows of 28 to 80 bytes take 0.35 to 0.5 of the time with 4 rows,
// rows of 128, 256 and 320 bytes 0.55, 0.7 and 0.8; with 2 KiB 0.55 and 0.7 to 0.9.
inline constexpr std::int64_t prefetched_elements = 32;
inline constexpr std::int64_t prefetched_far_elements = 128;
inline constexpr std::int64_t prefetched_targets = 4096;
// Contiguous rows of whole cache lines, which have loops of their own, this many rows ahead: 0.7 to 0.95 of the time.
inline constexpr std::int64_t prefetched_flat_rows = 8;
inline constexpr std::int64_t fewest_prefetched_targets = 4;
inline constexpr std::int64_t most_prefetched_targets = prefetched_targets / cache_line;
// How many bytes of a row.
inline constexpr std::int64_t prefetched_target = 256;
// Where a part skips updates or reads some columns of them: bytes of an update that are prefetched. Sums of rows
// of 1 KiB on two threads then take 0.55 to 0.6 of the time.
inline constexpr std::int64_t prefetched_update = 1024;
// Small calls with one value in the place of their updates have copies of it on the stack, of at most this size in
// bytes.
inline constexpr std::int64_t copies_of_value = 4096;
// The shortest lines of crossed components; see crossed_components.hpp.
inline constexpr std::int64_t fewest_crossed = 4;
// Bytes on the stack for the states of mean and without_init, and how many counts that overflowed are repeated in one
// pass over the indices.
inline constexpr std::int64_t repeated_counts = 254;
inline constexpr std::int64_t states_on_stack = std::int64_t{32} * 1024;
// Bytes of updates of another element type that are converted at a time. They stay in the first-level cache with their
// sources.
inline constexpr std::int64_t converted_block = std::int64_t{16} * 1024;
// Of segments: the updates that are combined with a row before it is stored, and the bytes of the states of some lanes.
inline constexpr std::int64_t segment_updates = 8;
inline constexpr std::int64_t segment_states = std::int64_t{16} * 1024;
inline constexpr std::int64_t named_positions = 1024;  // of whose targets alone there are states
inline constexpr std::int64_t typed_states = 256;      // number of states, for loops over a type

// Random accesses to a table that is larger than L1 keep the hardware from prefetching indices and updates. So they are
// prefetched by this many elements ahead, in groups of as many. A histogram of 64K bins then takes 0.45 of the time.
inline constexpr std::int64_t prefetched_stream = 512;
inline constexpr std::int64_t prefetched_group = 16;

// ---- Private copies of the output
// Bytes on the stack for copies and states beside them.
inline constexpr std::int64_t private_copy_on_stack = std::int64_t{32} * 1024;

// ---- Buckets
// Size of the chunks of memory of a bucket.
inline constexpr std::int64_t bucket_chunk = 4096;
inline constexpr std::int64_t most_buckets = 512;
// Wider elements gain nothing from buckets: with 32 bytes they take 1.0 to 2.0 times as long as direct stores.
inline constexpr std::int64_t widest_bucketed = 16;
// The widest updates of a bound assignment that are sorted in a workspace: 32 bytes take 0.6 of the time then.
inline constexpr std::int64_t widest_sorted_assignment = 32;
inline constexpr std::int64_t widest_bucketed_row = std::int64_t{64} * 1024;
// The most updates that are bucketed: more than any memory holds, but the number of their bytes does not overflow.
inline constexpr std::int64_t most_bucketed = std::int64_t{1} << 48;
// Samples of neighbouring indices that determine whether most targets are near the one before; then direct stores are
// faster.
inline constexpr std::int64_t sampled_places = 64;
inline constexpr std::int64_t sampled_neighbours = 8;
// How many entries ahead targets are prefetched.
inline constexpr std::int64_t prefetched_entries = 16;

// ---- Tiles
inline constexpr std::int64_t tile_on_stack = std::int64_t{64} * 1024;
inline constexpr std::int64_t widest_tile = 256;     // bytes a row
inline constexpr std::int64_t narrowest_tile = 128;  // bytes a row, for elements of 4 bytes and more
// Rows ahead that are prefetched, since hardware prefetchers do not follow strides of a page. Lines a power of two
// apart map to the same set of L1, which has eight ways: with more rows the first would be evicted before it is used.
inline constexpr std::int64_t prefetched_tile_rows = 8;

// ---- Caches of sequences
// The most short lines of a sample that are written for all samples in turn: 128 lines of 4 bytes for each of 155
// samples would take three times as long as a copy for each sample.
inline constexpr std::int64_t lines_in_turn = 8;
inline constexpr std::int64_t samples_in_turn = 128;  // at a time, if each has several lines

// More than the bytes of any tensor; sums with it do not overflow.
inline constexpr std::int64_t never = std::int64_t{1} << 60;

struct thresholds {
  // ---- Parts of a call
  // Bytes of the smallest part; with less work waking a thread costs more than it saves. [1, never]
  std::int64_t smallest_part = std::int64_t{64} * 1024;
  // The fewest indices that a thread checks. [1, never]
  std::int64_t smallest_check = std::int64_t{64} * 1024;
  // Parts begin at multiples of this many bytes of the output, against false sharing; shorter blocks are not worth a
  // copy each. [1, never]
  std::int64_t shortest_block = 256;
  // From this row length on the scatter axis is cut: each part reads all indices, a small cost with such rows. [1,
  // never]
  std::int64_t row_beside_indices = 16 * cache_line;
  // For single elements that pays only if the output is far larger than the cache: at least this many smallest parts.
  // [1, never]
  std::int64_t far_parts = 128;
  // From these row lengths on a reduction is cut into parts, each of which reads all indices or all multi-indices.
  // (Histograms cut for two threads take 10 to 14 instead of 4.6. Slices of 64 bytes by multi-indices of two and three
  // components take 0.85 to 0.9 of the time on two threads, of 256 bytes 0.7 to 0.8.) [1, never]
  std::int64_t shortest_shared_row = cache_line;
  std::int64_t shortest_shared_multi_index_row = cache_line;
  // Parts do not cut rows of at most this many bytes in place; lanes that share one index are rows. Sums of rows of
  // 1 KiB then take 0.9 of the time. [0, never]
  std::int64_t longest_kept_row = first_level_cache;

  // ---- Copies
  // From this many elements on loops that shuffle run as compiled for AVX2, if the processor has it. [1, never]
  std::int64_t vector_count = 64;
  // From this many 16-bit floating-point elements on loops over them run as compiled for F16C. Rows of 8 then take 0.3
  // of the time. [1, never]
  std::int64_t half_count = 8;
  // Blocks of at most this size are copied by inline moves; a call of memcpy for each takes 1.2 to 3 times as long. [0,
  // never]
  std::int64_t longest_block = 256;
  // Runs of fewer elements, with a stride, are copied without a call for each run. [1, never]
  std::int64_t shortest_copied_run = 16;
  // Longer runs that read an element of each cache line are copied in pieces of the second number of elements: floats
  // to an output of another order then take 0.35 to 0.7 of the time from 1,000 x 1,000 on. [0, never], [1, never]
  std::int64_t transposed_from = 768;
  std::int64_t transposed_run = 256;
  // For smaller outputs copying data and then the updates is faster than one merged pass. [0, never]
  std::int64_t shortest_overlay = 1024;
  // Size of the pieces of data over which elements with a step are written, while the piece is in L1. [1, never]
  std::int64_t overwritten_piece = 8192;
  // The bytes of l1_staging_bytes that are used at a time. [64, l1_staging_bytes]
  std::int64_t used_piece = l1_staging_bytes;
  // The smallest piece of data that is copied ahead of a scatter. [1, never]
  std::int64_t copied_piece = 4096;

  // ---- Non-temporal stores
  // Outputs from this size on are streamed; 0: from most of the size of the processor's largest cache. [0, never]
  std::int64_t streamed_from = 0;
  // With streamed_from = 0 no output below this is streamed: in cache plain stores are up to 3 times as fast, and
  // reading the size of the caches takes microseconds on a virtual machine. [0, never]
  std::int64_t never_streamed = std::int64_t{16} << 20;
  // The widest stores. [16, 64]
  std::int64_t widest_store = 64;
  // Pieces that do not begin at a cache line: shorter ones are collected in a buffer, longer ones are streamed from
  // their source. [cache_line, collected_pieces - cache_line]
  std::int64_t long_piece = 512;
  // Shorter rows are streamed only if each begins at a cache line. [cache_line, never]
  std::int64_t streamed_row = 8 * cache_line;

  // ---- Scatters
  // The parts of `positions`, `ascending_block` and so on that are used.
  std::int64_t used_positions = positions;              // [2, positions]
  std::int64_t used_ascending_block = ascending_block;  // [1, ascending_block]
  std::int64_t used_rows_on_stack = rows_on_stack;      // [1, rows_on_stack]
  std::int64_t used_states = states_on_stack;           // [64, states_on_stack]
  std::int64_t used_typed_states = typed_states;        // [1, typed_states]
  std::int64_t used_converted_block = converted_block;  // [64, converted_block]
  // There are states of the targets alone from this many elements of the output for each update on, divided by the
  // number of lanes, and an eighth more. [0, never]
  std::int64_t states_an_update = 64;
  // The updates of a mean are counted in a byte for each element if there are on average fewer than this for each; a
  // count that reaches the second number is repeated. [0, never], [2, 255]
  std::int64_t most_counted_in_a_byte = 64;
  std::int64_t largest_count = 255;
  // Dense outputs up to the first size, in place also updates up to it, and on one thread up to the second one, with up
  // to so few indices, have kernels of their own: what other calls do before they move anything takes as long as moving
  // that much; updates of 32 to 256 KiB take 0.8 to 0.9 of the time. Plain scatters of more than twice as many rows
  // have none: 14,000 rows of 2 bytes took 30 us instead of 7. [0, never] each
  std::int64_t small_output = std::int64_t{32} << 10;
  std::int64_t small_updates = std::int64_t{256} << 10;
  std::int64_t few_indices = 512;
  // Rows of at most this many bytes are scattered over a copy of data if the output is streamed: the pairwise prefetch
  // of cache lines determines it. [0, never]
  std::int64_t longest_row_over_stream = cache_line;
  // From this length on rows are written once each, if there is an update for this many rows. [16, never], [1, 4096]
  std::int64_t shortest_row_written_once = cache_line;
  std::int64_t most_rows_an_update = 16;
  // Rows of these lengths, in outputs from this size on, are prefetched; longer rows are prefetched by the hardware.
  // [0, never] each
  std::int64_t shortest_prefetched_row = cache_line;
  std::int64_t longest_prefetched_row = 1024;
  std::int64_t rows_prefetched_from = second_level_cache;
  // Single elements along an axis that spans less stay in L2 and are not prefetched: 0.75 to 0.95 of the time. [0,
  // never]
  std::int64_t elements_prefetched_from = std::int64_t{256} << 10;
  // From here on targets of reductions are prefetched 128 elements ahead instead of 32: sums of single elements take
  // 0.9 of the time at 12 MiB and 0.5 at 32 and 128 MiB, at 4 MiB 1.2. [0, never]
  std::int64_t far_elements_from = std::int64_t{12} << 20;
  // Targets of at least this many assignments along an axis of at least this many bytes are prefetched if a sample of
  // the indices are not near each other. Single elements then take 0.8 to 0.9 of the time at 8 MiB, 0.75 to 0.85 at 16
  // MiB and 0.7 at 28 MiB; at 4 MiB they would take 1.1, and with sorted indices 1.1 to 1.2. [0, never] both
  std::int64_t far_targets_from = std::int64_t{8} << 20;
  std::int64_t fewest_far_updates = std::int64_t{64} << 10;

  // Segments of elements, or of rows of 16 bytes, with fewer updates on average. [0, never]
  std::int64_t short_segments = 3;
  // Segments of elements with at least as many updates are combined four at a time if there are so many. [1, never]
  std::int64_t long_segments = 16;
  // Several lines of fewer updates are scattered without batches. [0, never]
  std::int64_t shortest_batched_run = 64;
  // Which loop of a plan is inside: 0 the one of the least cost, 1 lanes, 2 positions, 3 the one of the greatest cost.
  // [0, 3]
  std::int64_t loop_order = 0;
  // Runs of at least this many indices are read into a buffer where loops cannot read them in place; of shorter ones
  // several are read together, as offsets. [1, never]
  std::int64_t shortest_read_run = 64;
  // Row-major numbers of outputs of at most this many elements are divided by a reciprocal. [0, 2^32]
  std::int64_t most_short_numbers = std::int64_t{1} << 32;
  // Bytes of the output that all positions are read for at a time. [1, never]
  std::int64_t scattered_piece = second_level_cache / 4;
  // From this many bytes on slices, and from four times as many on lanes that share an index, are reduced as one line.
  // [0, never]
  std::int64_t shortest_line = cache_line;

  // The shortest rows of which those of one update follow each other where they use cache lines again. 0: always.
  // [0, never]
  std::int64_t shortest_reused_row = 16;

  // ---- Private copies of the output
  // The fewest indices for each byte of the output with which it is copied, scattered into while indices are checked,
  // and written back. [0, never]
  std::int64_t private_copy_indices = 4;
  // The largest output, and what of private_copy_on_stack is used. [0, never] and [0, private_copy_on_stack]
  std::int64_t largest_private_copy = std::int64_t{4} << 20;
  std::int64_t used_private_copy_on_stack = private_copy_on_stack;
  // The fewest indices for which a thread has a copy of its own. [1, never]
  std::int64_t smallest_private_share = std::int64_t{64} * 1024;
  // Indices and updates are prefetched if the copy is larger than this, about half of L1. [0, never]
  std::int64_t streams_prefetched_from = first_level_cache / 2;

  // ---- Buckets
  // The number of buckets that the prefetchers follow. The blocks of the output are enlarged, from the smallest size to
  // the largest, until there are no more buckets than this; beyond the largest size only to have at most most_buckets.
  // [1, most_buckets]
  std::int64_t followed_buckets = 128;
  std::int64_t used_buckets = most_buckets;  // [1, most_buckets]
  // [1, never] each
  std::int64_t smallest_bucketed_block = std::int64_t{64} * 1024;
  std::int64_t largest_bucketed_block = std::int64_t{512} * 1024;  // half of most processors' L2
  // The most pieces of the updates, each with a pass over the output; with more, direct stores are used. [1, never]
  std::int64_t most_bucket_pieces = 4;
  // For smaller outputs direct stores are as fast as buckets. [1, never]
  std::int64_t bucketed_from = std::int64_t{12} << 20;
  // That limit along an axis whose far targets are prefetched. On one thread direct stores take 0.6 of the time of
  // buckets at 32 MiB, 0.65 to 0.8 at 64 MiB, 0.75 to 0.9 at 128 MiB, and 0.85 (huge pages) to 1.1 at 256 MiB; on two,
  // which share buckets but not direct stores, 0.9 to 1.2 at 16 MiB and 1.1 to 1.5 at 32 MiB. [1, never] both
  std::int64_t run_bucketed_from = std::int64_t{192} << 20;
  std::int64_t shared_run_bucketed_from = std::int64_t{32} << 20;
  // On one thread not with more updates than this many times the elements: at 256 MiB buckets take 0.9 of the time of
  // direct stores with half as many updates as elements, 1.1 to 1.15 with as many. Any value
  double fullest_run = 0.75;
  // Wider elements have buckets in a workspace on several threads alone: on one, direct stores take 0.6 to 0.9 of the
  // time with 16 bytes. [0, never]
  std::int64_t widest_bucketed_alone = 8;
  // There is at least one update for this many elements. [1, never]
  std::int64_t least_density = 16;
  // Targets less than this apart are near each other. [0, never]
  std::int64_t near_bytes = std::int64_t{64} * 1024;

  // ---- Bound indices
  // Entries of bound indices are sorted by target in blocks of this many bytes. [1, never]
  std::int64_t moved_block = std::int64_t{512} * 1024;
  // Longer rows are written once each, not moved in the order of the blocks. [0, never]
  std::int64_t longest_moved_unit = cache_line;
  // Bytes of longer rows that are copied at a time before updates are combined with them. [0, never]
  std::int64_t combined_piece = std::int64_t{16} << 10;
  // Up to this many threads bound updates of an output below bucketed_from are combined in their order by one of them,
  // out of place if data has fewer than the second number of bytes for each: sums of 200,000 floats then take 0.5 to
  // 0.8 of the time. [0, never], [1, never]
  std::int64_t most_threads_in_order = 4;
  std::int64_t copied_beside_update = 24;
  // Updates of at least this many bytes are prefetched. [0, never]
  std::int64_t entries_prefetched_from = first_level_cache;

  // ---- Distributed tensors
  // The most items that a rank sends or receives in a round; MPI counts them by an int. [1, 2^31 - 1]
  std::int64_t most_exchanged = 0x7fffffff;

  // ---- Tiles
  // The smallest columns that are scattered in tiles, in bytes, and how many updates a line of a tile has at least.
  // With few of them tiles take several times as long as plain stores. [0, never] both
  std::int64_t tiled_from = first_level_cache;
  std::int64_t fewest_tiled_updates = 8;
  // The bytes of `tile_on_stack` that are used. [0, tile_on_stack]
  std::int64_t used_tile_on_stack = tile_on_stack;
  // The largest tile, which stays in L2. [0, never]
  std::int64_t largest_tile = std::int64_t{256} * 1024;
  // The bytes of the widest row of a tile. [narrowest_tile, widest_tile]
  std::int64_t used_tile_row = widest_tile;
};

inline constexpr thresholds measured{};
#if STREW_TEST_BUILD
inline thresholds set_by_tests;
// In test builds no constant expression may read these: a call is also evaluated as a constant in the initialiser of
// a `const` local variable.
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
