// SPDX-License-Identifier: Apache-2.0
// The thresholds that choose a kernel, set by tests: as measured, each as small as is legal or so large that it is
// never reached, or each at random. So every kernel runs on every shape that it may run on, whatever pays.
#ifndef STREW_TESTS_SUPPORT_KERNEL_LIMITS_HPP
#define STREW_TESTS_SUPPORT_KERNEL_LIMITS_HPP

#include "random_source.hpp"

#include <strew/detail/tuning.hpp>

#include <cstdint>
#include <vector>

#if !STREW_TEST_BUILD
#error "the thresholds are constants but in test builds: define STREW_TEST_BUILD as 1"
#endif

namespace strew::test {

namespace tuning = strew::detail::tuning;

// The legal range of a threshold, as tuning.hpp has it.
struct limit_range {
  std::int64_t tuning::thresholds::*limit;
  std::int64_t smallest;
  std::int64_t largest;
};

inline const std::vector<limit_range>& all_limits() {
  using t = tuning::thresholds;
  using tuning::never;
  static const std::vector<limit_range> all{
      {&t::smallest_part, 1, never},
      {&t::smallest_check, 1, never},
      {&t::shortest_block, 1, never},
      {&t::row_beside_indices, 1, never},
      {&t::far_parts, 1, never},
      {&t::shortest_shared_row, 1, never},
      {&t::shortest_shared_multi_index_row, 1, never},
      {&t::longest_kept_row, 0, never},
      {&t::vector_count, 1, never},
      {&t::half_count, 1, never},
      {&t::longest_block, 0, never},
      {&t::shortest_overlay, 0, never},
      {&t::overwritten_piece, 1, never},
      {&t::used_piece, tuning::cache_line, tuning::l1_staging_bytes},
      {&t::copied_piece, 1, never},
      {&t::streamed_from, 1, never},
      {&t::never_streamed, 0, never},
      {&t::widest_store, 16, 64},
      {&t::long_piece, tuning::cache_line, tuning::collected_pieces - tuning::cache_line},
      {&t::streamed_row, tuning::cache_line, never},
      {&t::used_positions, 2, tuning::positions},
      {&t::used_ascending_block, 1, tuning::ascending_block},
      {&t::used_rows_on_stack, 1, tuning::rows_on_stack},
      {&t::used_states, tuning::cache_line, tuning::states_on_stack},
      {&t::used_typed_states, 1, tuning::typed_states},
      {&t::used_converted_block, tuning::cache_line, tuning::converted_block},
      {&t::states_an_update, 0, never},
      {&t::most_counted_in_a_byte, 0, never},
      {&t::largest_count, 2, 255},
      {&t::small_output, 0, never},
      {&t::small_updates, 0, never},
      {&t::few_indices, 0, never},
      {&t::longest_row_over_stream, 0, never},
      {&t::shortest_row_written_once, 16, never},
      {&t::most_rows_an_update, 1, 4096},
      {&t::loop_order, 0, 3},
      {&t::shortest_reused_row, 0, never},
      {&t::shortest_read_run, 1, never},
      {&t::short_segments, 0, never},
      {&t::long_segments, 1, never},
      {&t::shortest_batched_run, 0, never},
      {&t::shortest_copied_run, 1, never},
      {&t::transposed_from, 0, never},
      {&t::transposed_run, 1, never},
      {&t::most_short_numbers, 0, std::int64_t{1} << 32},
      {&t::scattered_piece, 1, never},
      {&t::shortest_prefetched_row, 0, never},
      {&t::longest_prefetched_row, 0, never},
      {&t::rows_prefetched_from, 0, never},
      {&t::elements_prefetched_from, 0, never},
      {&t::far_elements_from, 0, never},
      {&t::far_targets_from, 0, never},
      {&t::fewest_far_updates, 0, never},
      {&t::shortest_line, 0, never},
      {&t::private_copy_indices, 0, never},
      {&t::largest_private_copy, 0, never},
      {&t::used_private_copy_on_stack, 0, tuning::private_copy_on_stack},
      {&t::smallest_private_share, 1, never},
      {&t::streams_prefetched_from, 0, never},
      {&t::followed_buckets, 1, tuning::most_buckets},
      {&t::used_buckets, 1, tuning::most_buckets},
      {&t::smallest_bucketed_block, 1, never},
      {&t::largest_bucketed_block, 1, never},
      {&t::most_bucket_pieces, 1, 1 << 20},
      {&t::bucketed_from, 1, never},
      {&t::run_bucketed_from, 1, never},
      {&t::shared_run_bucketed_from, 1, never},
      {&t::widest_bucketed_alone, 0, never},
      {&t::least_density, 1, never},
      {&t::near_bytes, 0, never},
      {&t::moved_block, 1, never},
      {&t::longest_moved_unit, 0, never},
      {&t::combined_piece, 0, never},
      {&t::most_threads_in_order, 0, never},
      {&t::copied_beside_update, 1, never},
      {&t::entries_prefetched_from, 0, never},
      {&t::tiled_from, 0, never},
      {&t::fewest_tiled_updates, 0, never},
      {&t::used_tile_on_stack, 0, tuning::tile_on_stack},
      {&t::largest_tile, 0, never},
      {&t::used_tile_row, tuning::narrowest_tile, tuning::widest_tile},
      {&t::most_exchanged, 1, 0x7fffffff},
  };
  return all;
}

// What the tests of a program begin with: as measured, unless one of limits_of_programs/ is linked to it.
inline tuning::thresholds usual_limits;
inline void set_usual_limits(const tuning::thresholds& to) noexcept {
  usual_limits = tuning::set_by_tests = to;
}

// So that executors share out small tensors too: parts of a byte, cells of so few bytes that there are windows.
inline tuning::thresholds limits_of_small_parts() noexcept {
  tuning::thresholds limits;
  limits.smallest_part = limits.smallest_check = limits.shortest_block = 1;
  limits.shortest_shared_row = limits.shortest_shared_multi_index_row = 1;
  limits.used_states = 192;
  limits.used_typed_states = 8;
  limits.used_converted_block = 64;
  limits.most_threads_in_order = 0;
  return limits;
}
// So that besides all outputs are written by non-temporal stores.
inline tuning::thresholds limits_of_streaming() noexcept {
  tuning::thresholds limits = limits_of_small_parts();
  limits.streamed_from = 1;
  return limits;
}
// So that besides parts outputs of some bytes are written by way of buckets, whose blocks are of 64 bytes.
inline tuning::thresholds limits_of_buckets() noexcept {
  tuning::thresholds limits = limits_of_small_parts();
  limits.bucketed_from = limits.run_bucketed_from = limits.shared_run_bucketed_from = 1;
  limits.widest_bucketed_alone = tuning::widest_bucketed;
  limits.small_output = 2048;
  limits.few_indices = 128;
  limits.fullest_run = 100;
  limits.smallest_bucketed_block = limits.near_bytes = limits.moved_block = 64;
  return limits;
}

// Sets all thresholds until the end of its life, then the program's own again.
class limits_for_test {
 public:
  limits_for_test() noexcept = default;
  limits_for_test(const limits_for_test&) = delete;
  limits_for_test& operator=(const limits_for_test&) = delete;
  ~limits_for_test() { tuning::set_by_tests = usual_limits; }

  // Large tensors get windows and blocks that are not quite as small, or each index would be read thousands of times.
  void set_smallest(bool is_large = false) noexcept {
    for (const limit_range& each : all_limits()) tuning::set_by_tests.*each.limit = each.smallest;
    tuning::set_by_tests.fullest_run = 100;
    bound_work(is_large);
  }
  static void set_largest() noexcept {
    for (const limit_range& each : all_limits()) tuning::set_by_tests.*each.limit = each.largest;
    tuning::set_by_tests.fullest_run = 0;
  }
  // Each as measured, smallest or largest; in a third of the draws all at one of these.
  void draw(random_source& random, bool is_large = false) {
    tuning::set_by_tests = {};
    switch (random.below(9)) {
      case 0:
        return;
      case 1:
        return set_smallest(is_large);
      case 2:
        return set_largest();
      default:
        break;
    }
    for (const limit_range& each : all_limits()) {
      std::int64_t& limit = tuning::set_by_tests.*each.limit;
      const std::int64_t choice = random.below(3);
      if (choice != 0) limit = choice == 1 ? each.smallest : each.largest;
    }
    // Few ask the processor for its caches: CPUID traps on virtual machines, and took a seventh of the time.
    tuning::thresholds& limits = tuning::set_by_tests;
    if (limits.streamed_from == 0 && limits.never_streamed == 0 && !random.one_in(16)) {
      limits.streamed_from = random.one_in(2) ? 1 : tuning::never;
    }
    tuning::set_by_tests.fullest_run = random.one_in(2) ? 100 : 0.75;
    if (random.one_in(3)) tuning::set_by_tests.widest_store = 32;
    if (random.one_in(2)) prefer_one_kernel(random);
    bound_work(is_large);
  }

 private:
  // Sets what together chooses a kernel that several thresholds have to agree on.
  static void prefer_one_kernel(random_source& random) noexcept {
    tuning::thresholds& limits = tuning::set_by_tests;
    limits.small_output = 0;
    const std::int64_t choice = random.below(4);
    for (const auto each : {&tuning::thresholds::bucketed_from, &tuning::thresholds::run_bucketed_from,
                            &tuning::thresholds::shared_run_bucketed_from}) {
      limits.*each = choice < 2 ? 1 : tuning::never;
    }
    if (choice < 2) {  // buckets
      limits.near_bytes = 0;
      limits.fullest_run = 100;
      limits.least_density = tuning::never;
    } else if (choice == 2) {  // tiles
      limits.tiled_from = limits.fewest_tiled_updates = 0;
      limits.used_tile_row = random.one_in(2) ? tuning::narrowest_tile : tuning::widest_tile;
      limits.largest_tile = tuning::never;
      limits.used_tile_on_stack = tuning::tile_on_stack;
    }
  }

  static void bound_work(bool is_large) noexcept {
    tuning::thresholds& limits = tuning::set_by_tests;
    if (is_large && limits.used_states < 2048) limits.used_states = 2048;
    if (is_large && limits.used_typed_states < 128) limits.used_typed_states = 128;
  }
};

}  // namespace strew::test

#endif  // STREW_TESTS_SUPPORT_KERNEL_LIMITS_HPP
