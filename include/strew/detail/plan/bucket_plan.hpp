// SPDX-License-Identifier: Apache-2.0
// Buckets: for outputs far larger than the cache, updates are sorted by the block of the output that contains their
// target; then each block is written while it is in the cache. Each random store would wait for a cache line.
#ifndef STREW_DETAIL_PLAN_BUCKET_PLAN_HPP
#define STREW_DETAIL_PLAN_BUCKET_PLAN_HPP

#include <strew/config.hpp>
#include <strew/detail/tuning.hpp>

#include <cstdint>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// A dense scatter of elements: the target of update k is element k % row_size of the row of the output that index k
// selects.
struct bucket_problem {
  std::int64_t rows;      // of the output
  std::int64_t row_size;  // elements of a row
  std::int64_t updates;   // elements
  std::int64_t width;     // bytes of an element
};

// Equal problems that are adjacent in memory, one for each position of the axes before the scattered one. Each has its
// own indices, or all have the same.
struct bucket_series {
  bucket_problem problem;
  std::int64_t count;
  bool shares_indices;
};

// The bytes of an entry of a bucket: the target's offset in its block, then the element.
constexpr std::int64_t bucket_entry(std::int64_t width) noexcept {
  return 4 + width;
}
constexpr std::int64_t entries_a_chunk(std::int64_t width) noexcept {
  return (tuning::bucket_chunk - 8) / bucket_entry(width);
}

// How a problem is divided in a workspace. Each part sorts its share of the updates into its own buckets. A bucket is a
// list of chunks, so that entries need not be counted first.
struct bucket_plan {
  int shift;            // a block is 2^shift rows
  std::int64_t blocks;  // of the output
  std::int64_t parts;   // of the updates

  // The memory of a part: for each bucket the addresses of its first and of its next entry, then the chunks.
  [[nodiscard]] constexpr std::int64_t table_bytes() const noexcept {
    return (16 * blocks + tuning::bucket_chunk - 1) / tuning::bucket_chunk * tuning::bucket_chunk;
  }
  [[nodiscard]] constexpr std::int64_t part_bytes(const bucket_problem& of) const noexcept {
    const std::int64_t share = (of.updates + parts - 1) / parts;
    return table_bytes() + (share / entries_a_chunk(of.width) + blocks) * tuning::bucket_chunk;
  }
  // The bytes for all parts, at any address.
  [[nodiscard]] constexpr std::int64_t bytes(const bucket_problem& of) const noexcept {
    return parts * part_bytes(of) + tuning::bucket_chunk + tuning::cache_line;
  }
};

// Who stores directly if there are no buckets: loops along one axis, which prefetch their targets, or others.
enum class direct_stores : bool { along_axis, others };

// The bytes of the output from which on buckets in a workspace pay.
constexpr std::int64_t bucketed_from(const bucket_problem& of, direct_stores instead, std::int64_t threads) noexcept {
  const tuning::thresholds& limits = tuning::limits();
  if (of.row_size > 1) return limits.bucketed_from;
  if (threads < 2 && of.width > limits.widest_bucketed_alone) return tuning::never;
  if (instead == direct_stores::others) return limits.bucketed_from;
  if (threads >= 2) return limits.shared_run_bucketed_from;
  const bool is_full = static_cast<double>(of.updates) > static_cast<double>(of.rows) * limits.fullest_run;
  return is_full ? tuning::never : limits.run_bucketed_from;
}

// Whether buckets suit the shape of a problem; they also depend on its indices (looks_local).
constexpr bool suits_buckets(const bucket_problem& of, std::int64_t least_bytes) noexcept {
  if (of.rows < 1 || of.row_size < 1 || of.updates < 1 || of.width > tuning::widest_bucketed ||
      of.row_size > tuning::widest_bucketed_row / of.width || of.updates > tuning::most_bucketed) {
    return false;
  }
  return of.rows >= least_bytes / (of.row_size * of.width) &&
         of.updates / of.row_size >= of.rows / tuning::limits().least_density;
}

// Whether rows of `inner` elements are handled as one element each.
constexpr bool are_row_elements(std::int64_t width, std::int64_t inner) noexcept {
  const auto is_power = [](std::int64_t n) { return (n & (n - 1)) == 0; };
  return inner == 1 || (width <= 16 && is_power(width) && is_power(inner) && inner <= tuning::widest_bucketed / width);
}

// The binary logarithm of the number of rows in a block, for a problem that suits buckets.
constexpr int block_shift(const bucket_problem& of) noexcept {
  const std::int64_t row_bytes = of.row_size * of.width;
  int shift = 0;
  const auto grow = [&](std::int64_t most_bytes, std::int64_t most_blocks) {
    while (row_bytes << (shift + 1) <= most_bytes && (of.rows - 1) >> shift >= most_blocks) ++shift;
  };
  while (row_bytes << (shift + 1) <= tuning::limits().smallest_bucketed_block) ++shift;
  grow(tuning::limits().largest_bucketed_block, tuning::limits().followed_buckets);
  grow(std::int64_t{1} << 32, tuning::limits().used_buckets);
  return shift;
}

// Divides a problem that suits buckets for a number of threads.
constexpr bucket_plan plan_buckets(const bucket_problem& of, std::int64_t threads) noexcept {
  bucket_plan plan{block_shift(of), 0, 1};
  plan.blocks = ((of.rows - 1) >> plan.shift) + 1;
  std::int64_t most = of.updates / tuning::limits().smallest_check;
  if (most > tuning::most_checks) most = tuning::most_checks;
  plan.parts = threads < most ? threads : most;
  if (plan.parts < 1) plan.parts = 1;
  return plan;
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_PLAN_BUCKET_PLAN_HPP
