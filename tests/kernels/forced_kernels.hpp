// SPDX-License-Identifier: Apache-2.0
// Settings of the thresholds that choose a kernel, each of which forces one family of kernels wherever it may run,
// whatever pays, and no other family: a list, so that nothing of it is left to a draw (every_kernel.cpp). A new
// threshold needs a setting here, or a reason in `limits_left_alone`.
#ifndef STREW_TESTS_KERNELS_FORCED_KERNELS_HPP
#define STREW_TESTS_KERNELS_FORCED_KERNELS_HPP

#include "support/kernel_limits.hpp"

#include <strew/config.hpp>
#include <strew/detail/tuning.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace strew::test {

struct limit_value {
  std::int64_t tuning::thresholds::*limit;
  std::int64_t value;
};
using limit_values = std::vector<limit_value>;

// Memory that an executor lends: none; what any kernel asks for; or less than most cases of the larger class need.
enum class lent { none, plenty, little };
inline const char* name_of(lent how) {
  static constexpr const char* names[] = {"none", "plenty", "little"};
  return names[static_cast<std::size_t>(how)];
}

struct run_form {
  std::size_t threads;
  lent memory;
};
using run_forms = std::vector<run_form>;

// What a kernel needs of the processor or of the build.
enum class needed { nothing, streams, avx, avx512, avx2, f16c };

inline bool is_there(needed what) {
#if STREW_USE_INTRINSICS
  switch (what) {
    case needed::avx:
      return __builtin_cpu_supports("avx") != 0;
    case needed::avx512:
      return __builtin_cpu_supports("avx512f") != 0;
    case needed::avx2:  // code that is compiled for it as well, and chosen when it runs
      return STREW_CHOOSES_AVX2 != 0 && __builtin_cpu_supports("avx2") != 0;
    case needed::f16c:
#if STREW_CHOOSES_F16C
      return __builtin_cpu_supports("f16c") != 0;
#else
      return STREW_HAS_F16C != 0;
#endif
    default:
      return true;
  }
#else
  return what == needed::nothing;
#endif
}

// What a setting is there for: kernels whose names (STREW_RAN) begin like this, of which none runs where nothing is
// forced; or parameters of kernels that run without it, which no name tells.
struct effect {
  const char* kernels = nullptr;
  needed needs = needed::nothing;
  const char* parameters = nullptr;
};
inline effect runs(const char* kernels, needed needs = needed::nothing) {
  return {kernels, needs, nullptr};
}
inline effect chooses(const char* parameters) {
  return {nullptr, needed::nothing, parameters};
}

struct forced_kernels {
  const char* name;
  limit_values limits;  // all others as force_no_kernel has them
  run_forms forms;
  effect what;
};

// Thresholds that no setting moves from where force_no_kernel has them, and why.
struct limit_left_alone {
  std::int64_t tuning::thresholds::*limit;
  const char* why;
};
inline const std::vector<limit_left_alone>& limits_left_alone() {
  using t = tuning::thresholds;
  static const std::vector<limit_left_alone> all{
      {&t::never_streamed, "is asked only where streamed_from is 0, and then by outputs of megabytes"},
      {&t::used_typed_states, "is for loops over a type, which no random case runs"},
      {&t::largest_private_copy, "only gives up private copies that a setting forces"},
      {&t::most_bucket_pieces, "only gives up buckets that a setting forces"},
      {&t::least_density, "likewise"},
      {&t::near_bytes, "likewise"},
      {&t::long_segments, "is for segments, which tests/property/segments_reduced.cpp has"},
      {&t::short_segments, "is for segments, which tests/property/segments_reduced.cpp has"},
      {&t::most_exchanged, "is for distributed tensors, which tests/mpi has"},
  };
  return all;
}

// No family that a threshold chooses: data is copied, then the updates are scattered. All thresholds are as large as is
// legal, which for most means never, but for these.
inline void force_no_kernel() {
  limits_for_test::set_largest();
  tuning::thresholds& limits = tuning::set_by_tests;
  limits.longest_kept_row = 0;
  limits.longest_block = 0;
  limits.small_output = limits.small_updates = 0;
  limits.few_indices = 0;
  limits.shortest_batched_run = 0;
  limits.longest_row_over_stream = 0;
  limits.loop_order = 0;
  limits.most_threads_in_order = 0;
  limits.used_tile_on_stack = 0;
  limits.largest_tile = 0;
  // Nothing but the sizes from which on there are buckets, and the memory, says no to buckets, which are many small
  // ones.
  limits.smallest_bucketed_block = 1;
  limits.near_bytes = 0;
  limits.fullest_run = 100;
}

// Besides, for calls on several threads: as many parts as there may be, on all axes.
inline void force_parts() {
  using t = tuning::thresholds;
  for (const auto each : {&t::smallest_part, &t::smallest_check, &t::shortest_block, &t::row_beside_indices,
                          &t::far_parts, &t::shortest_shared_row, &t::shortest_shared_multi_index_row}) {
    tuning::set_by_tests.*each = 1;
  }
}

inline void force(const forced_kernels& setting, const run_form& form) {
  force_no_kernel();
  if (form.threads > 1) force_parts();
  for (const limit_value& each : setting.limits) tuning::set_by_tests.*each.limit = each.value;
}

inline limit_values plus(limit_values some, const limit_values& more) {
  some.insert(some.end(), more.begin(), more.end());
  return some;
}

// The first setting forces nothing.
inline const std::vector<forced_kernels>& all_forced_kernels() {
  using t = tuning::thresholds;
  using tuning::never;
  constexpr std::int64_t line = tuning::cache_line;

  const run_forms whole{{1, lent::none}};
  const run_forms parts{{3, lent::none}};
  const run_forms both{{1, lent::none}, {3, lent::none}};
  const run_forms with_memory{{1, lent::plenty}, {3, lent::plenty}};
  const run_forms with_little_memory{{1, lent::little}, {3, lent::little}};
  const run_forms any{{1, lent::none}, {3, lent::none}, {1, lent::plenty}, {3, lent::plenty}};

  const limit_values small{{&t::small_output, never}, {&t::small_updates, never}, {&t::few_indices, never}};
  const limit_values overlay{{&t::shortest_overlay, 0}};
  const limit_values overlay_of_periods = plus(overlay, {{&t::longest_block, never}});
  const limit_values streamed{{&t::streamed_from, 1}, {&t::streamed_row, line}};
  const limit_values rows_once{{&t::shortest_row_written_once, 16}};
  const limit_values prefetched{{&t::shortest_prefetched_row, 0}, {&t::rows_prefetched_from, 0}};
  const limit_values bound_rows{{&t::longest_moved_unit, 0}};
  const limit_values all_streamed = plus(plus(streamed, overlay), plus(rows_once, bound_rows));
  const limit_values privately{{&t::private_copy_indices, 0}};
  const limit_values buckets_in_workspace{{&t::bucketed_from, 1},
                                          {&t::run_bucketed_from, 1},
                                          {&t::shared_run_bucketed_from, 1},
                                          {&t::widest_bucketed_alone, 16}};
  const limit_values three_buckets{{&t::followed_buckets, 1}, {&t::largest_bucketed_block, 1}, {&t::used_buckets, 3}};
  const limit_values larger_buckets{{&t::followed_buckets, 1}, {&t::largest_bucketed_block, 4 * line}};
  const limit_values tiles{{&t::tiled_from, 0}, {&t::fewest_tiled_updates, 0}, {&t::largest_tile, never}};
  const limit_values on_stack{{&t::used_tile_on_stack, tuning::tile_on_stack}};
  const limit_values narrow{{&t::used_tile_row, tuning::narrowest_tile}};

  static const std::vector<forced_kernels> all{
      {"none", {}, whole, chooses("what the others are compared with")},

      // ---- Parts of a call. All axes are cut, each of several threads reads all indices.
      {"parts", {}, parts, chooses("which parts there are")},
      // Those alone that need not read indices of others.
      {"parts of other axes than the scattered one",
       {{&t::row_beside_indices, never}, {&t::far_parts, never}},
       parts,
       chooses("which parts there are")},
      {"parts of whole cache lines", {{&t::shortest_block, line}}, parts, chooses("where cuts lie")},
      // Lanes that share an index, which parts then do not cut.
      {"lanes kept as rows", {{&t::longest_kept_row, never}}, parts, chooses("which parts there are")},
      // Each part finds its own ones among ascending indices; so many are looked at at a time for whether they ascend.
      {"ascending rows, seen one by one", {{&t::used_ascending_block, 1}}, parts, runs("updates by ascending indices")},
      {"ascending elements, seen in blocks",
       {{&t::used_ascending_block, 8}},
       parts,
       runs("updates by ascending indices")},
      // Reductions: slices and lanes that share an index are lines, however short.
      {"slices reduced as lines", {{&t::shortest_line, 0}}, whole, runs("reduce a slice line by line")},
      {"lanes reduced as lines", {{&t::shortest_line, 0}}, parts, runs("reduce lanes that share an index")},

      // ---- Copies
      {"blocks copied by moves", {{&t::longest_block, never}}, both, runs("copy_blocks by moves")},
      {"a choice for each run of a copy, however short",
       {{&t::shortest_copied_run, 1}},
       both,
       runs("copy_lines one by one")},
      {"pieces of runs that read an element of each line",
       {{&t::transposed_from, 0}, {&t::transposed_run, 3}},
       both,
       runs("copy transposed")},
      {"copies for AVX2", {{&t::vector_count, 1}}, whole, runs("copy_run reversed in vectors", needed::avx2)},
      {"checks for AVX2", {{&t::vector_count, 1}}, parts, runs("check_strict in vectors", needed::avx2)},
      {"checks of indices that wrap for AVX2",
       {{&t::vector_count, 1}},
       parts,
       runs("check_wrapping in vectors", needed::avx2)},
      {"numbers by a reciprocal for AVX2",
       {{&t::vector_count, 1}},
       parts,
       runs("numbers by a reciprocal, avx2", needed::avx2)},
      {"numbers by divisions", {{&t::most_short_numbers, 0}}, both, runs("numbers by divisions")},
      // The merged pass over data and updates of a slice: all blocks are too long for periods, none is, and some.
      {"overlay of long blocks", overlay, both, runs("overlay long blocks")},
      {"overlay of periods", overlay_of_periods, both, runs("overlay interleaves contiguous updates")},
      {"overlay of periods with much data", plus(overlay, {{&t::longest_block, 32}}), both,
       runs("overlay overwritten")},
      {"overlay of blocks by moves", overlay_of_periods, both, runs("overlay blocks by moves 16")},
      // Single elements: over a copy of data, of one period at a time, or by a shuffle.
      {"overlay of short overwritten pieces", plus(overlay_of_periods, {{&t::overwritten_piece, 1}}), both,
       runs("overlay overwritten")},
      // Updates that are not contiguous are gathered for it, some at a time.
      {"overlay of periods, few updates gathered at once", plus(overlay_of_periods, {{&t::used_piece, line}}), both,
       runs("overlay interleaves gathered updates")},
      {"overlay for AVX2", plus(overlay_of_periods, {{&t::vector_count, 1}}), both, runs("interleave in vectors")},

      // ---- Non-temporal stores, in what has them: the overlay, rows written once, copies ahead of a scatter
      {"streamed overlay of long blocks", plus(streamed, overlay), both,
       runs("overlay long blocks of lines", needed::streams)},
      // A block as long as the longest goes like longer ones.
      {"streamed overlay of some long blocks", plus(plus(streamed, overlay), {{&t::longest_block, 32}}), both,
       runs("overlay long blocks", needed::streams)},
      // Periods are made in a buffer, which is streamed: as many at once as it holds, or as a line does.
      {"streamed overlay of periods", plus(streamed, overlay_of_periods), both,
       runs("overlay periods made in a buffer", needed::streams)},
      {"streamed overlay of few periods at once", plus(plus(streamed, overlay_of_periods), {{&t::used_piece, line}}),
       both, runs("overlay periods made in a buffer", needed::streams)},
      // Of each width; pieces that do not begin with a line are collected, streamed as they come, or either.
      {"stores of 16 bytes of collected pieces", plus(all_streamed, {{&t::widest_store, 16}}), both,
       runs("stream_lines 16", needed::streams)},
      {"stores of 32 bytes of pieces as they come",
       plus(all_streamed, {{&t::widest_store, 32}, {&t::long_piece, line}}), both,
       runs("stream_lines 32", needed::avx)},
      {"stores of 64 bytes", plus(all_streamed, {{&t::long_piece, 3 * line}}), both,
       runs("stream_lines 64", needed::avx512)},

      // ---- Scatters
      {"small elements and rows", small, whole, runs("scatter_small")},
      // Several threads do not share such a call out, but where parts may be shorter (workers::runs_inline).
      {"small slices", plus(small, {{&t::smallest_part, never}}), parts, runs("replace_small")},
      {"few positions at a time", {{&t::used_positions, 2}}, both, chooses("how many indices are read at a time")},
      {"few converted updates at a time",
       {{&t::used_converted_block, line}},
       both,
       chooses("how many updates are converted at a time")},
      // Data is copied only as far as the next piece of the axes before the scattered one may write.
      {"updates over pieces of a copy",
       {{&t::scattered_piece, 1}, {&t::copied_piece, 1}},
       both,
       chooses("how much of data is copied ahead")},
      {"updates over a copy just ahead of each line",
       {{&t::copied_piece, 1}},
       both,
       chooses("how much of data is copied ahead")},
      {"updates over streamed pieces of a copy", plus(streamed, {{&t::scattered_piece, 1}, {&t::copied_piece, 1}}),
       both, chooses("how much of data is copied ahead")},
      {"rows over a streamed copy", plus(plus(streamed, rows_once), {{&t::longest_row_over_stream, never}}), both,
       chooses("whether rows are written once")},
      // Which loop is inside: lanes, positions, or the one that costs most.
      {"lanes inside", {{&t::loop_order, 1}}, both, chooses("which loop is inside")},
      {"positions inside", {{&t::loop_order, 2}}, both, chooses("which loop is inside")},
      {"lanes inside, positions outside",
       {{&t::loop_order, 1}, {&t::shortest_reused_row, 0}},
       both,
       runs("positions outside")},
      {"the dearest loop inside", {{&t::loop_order, 3}}, both, chooses("which loop is inside")},
      {"the dearest loop inside, few positions at a time",
       {{&t::loop_order, 3}, {&t::used_positions, 2}},
       both,
       chooses("which loop is inside")},
      {"runs of any length read into a buffer", {{&t::shortest_read_run, 1}}, both, runs("indices read into a buffer")},
      {"rows written once, if most are updated", plus(rows_once, {{&t::most_rows_an_update, 1}}), both,
       chooses("whether rows are written once")},
      {"rows written once", rows_once, both, runs("write_rows_of")},
      {"rows written once, listed in the output",
       plus(rows_once, {{&t::used_rows_on_stack, 1}, {&t::used_positions, 2}}), both,
       runs("write_rows_once listed in the output")},
      {"rows written once, prefetched", plus(rows_once, prefetched), both, runs("write_rows_of")},
      {"rows written once, streamed", plus(rows_once, streamed), both, runs("stream_rows any", needed::streams)},
      // Those alone that begin and end with a line; of the next one the first lines are prefetched.
      {"rows written once, of lines streamed",
       plus(rows_once, {{&t::streamed_from, 1}, {&t::longest_prefetched_row, 0}}), both,
       runs("stream_rows", needed::streams)},
      {"rows written once, listed in the output, streamed, prefetched",
       plus(plus(rows_once, streamed), plus(prefetched, {{&t::used_rows_on_stack, 1}})), both,
       runs("stream_rows any", needed::streams)},

      {"lines of any length without batches", {{&t::shortest_batched_run, never}}, both, runs("scatter short lines")},
      {"elements far apart, prefetched",
       {{&t::far_targets_from, 0}, {&t::fewest_far_updates, 0}},
       both,
       runs("scatter far apart")},

      // ---- Reductions
      {"halves by F16C", {{&t::half_count, 1}}, both, runs("combine_halves f16c", needed::f16c)},
      {"single halves by F16C", {{&t::half_count, 1}}, both, runs("reduce_halves f16c", needed::f16c)},
      {"halves for AVX2", {{&t::half_count, 1}}, both, runs("combine_halves avx2", needed::avx2)},
      {"elements prefetched", {{&t::elements_prefetched_from, 0}}, both, chooses("whether targets are prefetched")},
      {"elements prefetched far ahead",
       {{&t::elements_prefetched_from, 0}, {&t::far_elements_from, 0}},
       both,
       chooses("how far ahead targets are prefetched")},
      // Without a setting too: of what needs more cells than the stack has.
      {"smallest windows of cells",
       {{&t::used_states, line}, {&t::used_positions, 2}},
       both,
       chooses("how large windows are")},
      {"windows of cells in little memory",
       {{&t::used_states, line}},
       with_little_memory,
       chooses("how large windows are, and where cells lie")},
      {"cells in lent memory", {{&t::used_states, line}}, with_memory, chooses("where cells lie")},
      {"states of the targets alone", {{&t::states_an_update, 0}}, both, runs("states of the targets")},
      {"states of the targets alone, of some lanes at a time",
       {{&t::states_an_update, 0}, {&t::used_states, line}},
       both,
       runs("states of the targets of some lanes")},
      {"reductions in steps, counted in bytes", {{&t::used_states, line}}, both, runs("count in output blocks")},
      {"counts of a byte that overflow",
       {{&t::used_states, line}, {&t::largest_count, 2}},
       both,
       runs("counts repeated")},
      {"many updates of each element, in states",
       {{&t::used_states, line}, {&t::most_counted_in_a_byte, 0}},
       both,
       chooses("whether updates are counted in bytes")},
      {"own positions found for AVX2",
       {{&t::used_states, line}, {&t::vector_count, 1}},
       both,
       runs("own positions avx2", needed::avx2)},

      // ---- Private copies of the output
      {"private copies", privately, both, runs("in a private copy")},
      {"private copies of few positions at a time", plus(privately, {{&t::used_positions, 2}}), both,
       runs("in a private copy")},
      {"private copies in lent memory, indices and updates prefetched",
       plus(privately, {{&t::used_private_copy_on_stack, 0}, {&t::streams_prefetched_from, 0}}), with_memory,
       runs("in a private copy")},
      {"private copies in little memory", plus(privately, {{&t::used_private_copy_on_stack, line}}), with_little_memory,
       chooses("where copies lie, and whether there are any")},
      {"a private copy a thread",
       plus(privately, {{&t::smallest_private_share, 1},
                        {&t::shortest_shared_row, never},
                        {&t::shortest_shared_multi_index_row, never}}),
       with_memory, runs("in a private copy a thread")},

      // ---- Buckets
      {"buckets in lent memory", buckets_in_workspace, with_memory, runs("workspace_buckets")},
      {"buckets in lent memory, of some lines, filled one by one",
       plus(plus(buckets_in_workspace, larger_buckets), {{&t::used_positions, 2}}), with_memory,
       runs("workspace_buckets in parts")},
      {"three buckets in lent memory", plus(buckets_in_workspace, three_buckets), with_memory,
       runs("workspace_buckets")},
      {"one bucket in little memory, filled again and again",
       plus(buckets_in_workspace, {{&t::smallest_bucketed_block, never}}), with_little_memory,
       runs("workspace_buckets in pieces")},

      // ---- Bound indices
      // Moves are sorted by blocks; where nothing is forced all targets are one.
      {"bound moves sorted by unit", {{&t::moved_block, 1}}, both, chooses("how far moves are sorted")},
      {"bound moves sorted by line, prefetched",
       {{&t::moved_block, line}, {&t::entries_prefetched_from, 0}},
       both,
       chooses("how far moves are sorted, and whether updates are prefetched")},
      {"bound moves of updates sorted in lent memory", plus(buckets_in_workspace, {{&t::moved_block, line}}),
       with_memory, runs("place_updates")},
      {"bound rows written once", bound_rows, both, runs("bound rows written once")},
      {"bound rows combined, copied one by one, prefetched",
       {{&t::combined_piece, 0}, {&t::entries_prefetched_from, 0}},
       both,
       chooses("how many rows are copied at a time")},
      {"bound updates in order, by one of several threads",
       {{&t::most_threads_in_order, never}, {&t::bucketed_from, never}, {&t::copied_beside_update, 1}},
       parts,
       runs("bound updates in order by one of several threads")},

      // ---- Tiles
      // Several next to each other: one is written while the next is copied.
      {"narrow tiles on the stack", plus(plus(tiles, on_stack), narrow), both, runs("scatter_tile_rows")},
      {"wide tiles on the stack", plus(tiles, on_stack), both, runs("scatter_tile_rows")},
      {"narrow tiles in lent memory", plus(tiles, narrow), with_memory, runs("scatter_tile_rows")},
      {"wide tiles in lent memory", tiles, any, runs("reduce_tile_rows")},
  };
  return all;
}

}  // namespace strew::test

#endif  // STREW_TESTS_KERNELS_FORCED_KERNELS_HPP
