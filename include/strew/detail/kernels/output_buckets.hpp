// SPDX-License-Identifier: Apache-2.0
// Buckets without a workspace: they are at the end of the output, which is written last. The updates of each block are
// counted first, to find the position of its bucket. Blocks are written in ascending order, and a bucket is above its
// block when that is written. There is no space above the last blocks: they have no buckets, and their updates are read
// again at the end. With several threads each part would read all updates, which takes longer than direct stores, so
// only a part that owns the whole axis does this.
#ifndef STREW_DETAIL_KERNELS_OUTPUT_BUCKETS_HPP
#define STREW_DETAIL_KERNELS_OUTPUT_BUCKETS_HPP

#include <strew/config.hpp>
#include <strew/detail/kernel_counter.hpp>
#include <strew/detail/kernels/bucket_loops.hpp>
#include <strew/detail/kernels/index_reader.hpp>
#include <strew/detail/plan/bucket_plan.hpp>
#include <strew/detail/rules/target_axis.hpp>
#include <strew/detail/tuning.hpp>
#include <strew/view/integer.hpp>

#include <cstdint>
#include <cstring>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

class output_buckets {
 public:
  STREW_SMALL output_buckets(const bucket_problem& problem, const target_axis& axis, const bucket_operands& at,
                             const bucket_loops& loops) noexcept
      : problem_{problem},
        at_{at},
        loops_{loops},
        shift_{block_shift(problem, tuning::limits().largest_output_block)},
        row_bytes_{problem.row_size * problem.width},
        reader_{at.indices, axis} {}

  // Returns false, with nothing done, if the buckets of too many blocks would not fit.
  [[nodiscard]] bool run() noexcept {
    if ((problem_.rows - 1) >> shift_ >= most) return false;  // terabytes
    STREW_EXPECT(problem_.width <= tuning::widest_bucketed);
    count();
    if (!choose_blocks()) return false;
    STREW_RAN("output_buckets");
    fill();
    write();
    write_rest();
    return true;
  }

 private:
  static constexpr std::int64_t most = tuning::most_buckets;

  // Calls body(targets, number of the first, count) for all updates, in blocks.
  template <class Body>
  void for_each_block(const Body& body) noexcept {
    for (std::int64_t k = 0; k < problem_.updates;) {
      const target_run read =
          reader_.read_targets(k * at_.indices.loops.size, at_.indices.loops.size, problem_.updates - k);
      body(read.indices, k, read.count);
      k += read.taken;
    }
  }

  // Counts the updates of each block.
  void count() noexcept {
    blocks_ = ((problem_.rows - 1) >> shift_) + 1;
    const int shift = shift_;
    std::int64_t others[most] = {};
    std::memset(counts_, 0, sizeof counts_);
    for_each_block([&](const void* targets, std::int64_t, std::int64_t n) {
      const char* target = static_cast<const char*>(targets);
      std::int64_t* const counts[] = {counts_, others};  // alternating: a counter that was just stored is slow to load
      for (std::int64_t i = 0; i < n; ++i) ++counts[i % 2][load<std::uint64_t>(target + i * 8) >> shift];
    });
    for (std::int64_t b = 0; b < blocks_; ++b) counts_[b] += others[b];
  }

  // Finds how many blocks may have buckets: the buckets of block b and of the blocks after it must fit above block b.
  [[nodiscard]] bool choose_blocks() noexcept {
    const std::int64_t entry = bucket_entry(problem_.width);
    const std::int64_t size = problem_.rows * row_bytes_;
    std::int64_t total = 0;  // bytes of entries up to block b
    std::int64_t room = size;
    std::int64_t in_buckets = 0;
    used_ = 0;
    for (std::int64_t b = 0; b < blocks_; ++b) {
      const std::int64_t end = begin_of(b + 1);
      if (size - end + total < room) room = size - end + total;
      total += counts_[b] * entry;
      if (total > room) continue;
      used_ = b + 1;
      in_buckets = total;
    }
    if (in_buckets < total / 8 * 7) return false;
    char* next = at_.output + (size - in_buckets);
    for (std::int64_t b = 0; b < used_; ++b) {
      ends_[b] = next;
      next += counts_[b] * entry;
    }
    ends_[used_] = aside_;
    return true;
  }

  void fill() noexcept {
    const std::int64_t rows = used_ == blocks_ ? problem_.rows : used_ << shift_;
    bucket_filler filler{ends_, nullptr, shift_, problem_.row_size, 0, problem_.width, rows, used_};
    for_each_block([&](const void* targets, std::int64_t k, std::int64_t n) {
      loops_.fill(filler, targets, at_.updates + k * problem_.width, n);
    });
  }

  void write() const noexcept {
    for (std::int64_t b = 0; b < used_; ++b) {
      char* const to = copy_rows(begin_of(b), begin_of(b + 1));
      loops_.empty(to, ends_[b] - counts_[b] * bucket_entry(problem_.width), counts_[b], problem_.width);
    }
  }

  // Writes the blocks without buckets: their few updates are searched for among all, and listed first so that several
  // are loaded at once.
  void write_rest() noexcept {
    if (used_ == blocks_) return;
    STREW_RAN("output_buckets without room for the last blocks");
    const std::int64_t begin = used_ << shift_;
    char* const to = copy_rows(begin_of(used_), problem_.rows * row_bytes_);
    const auto first_row = static_cast<std::uint64_t>(begin);
    const auto rows = static_cast<std::uint64_t>(problem_.rows - begin);
    for_each_block([&](const void* targets, std::int64_t first, std::int64_t n) {
      constexpr std::int64_t most_found = tuning::positions / 2;
      const std::int64_t some = tuning::limits().used_positions / 2;
      const char* const target = static_cast<const char*>(targets);
      for (std::int64_t i = 0; i < n; i += some) {
        const std::int64_t end = n - i < some ? n : i + some;
        std::int64_t found[most_found];
        std::int64_t count = 0;
        for (std::int64_t k = i; k < end; ++k) {  // without a branch, which would be mispredicted
          found[count] = k;
          count += load<std::uint64_t>(target + k * 8) - first_row < rows ? 1 : 0;
        }
        for (std::int64_t k = 0; k < count; ++k) {
          const std::uint64_t row = load<std::uint64_t>(target + found[k] * 8) - first_row;
          store(to, static_cast<std::int64_t>(row), first + found[k]);
        }
      }
    });
  }

  void store(char* to, std::int64_t row, std::int64_t update) const noexcept {
    const std::int64_t element = row * problem_.row_size + update % problem_.row_size;
    std::memcpy(to + element * problem_.width, at_.updates + update * problem_.width,
                static_cast<std::size_t>(problem_.width));
  }

  // The offset of a block in the output, in bytes; for number blocks_ the end of the output.
  [[nodiscard]] std::int64_t begin_of(std::int64_t block) const noexcept {
    return block == blocks_ ? problem_.rows * row_bytes_ : (block << shift_) * row_bytes_;
  }
  char* copy_rows(std::int64_t begin, std::int64_t end) const noexcept {
    std::memcpy(at_.output + begin, at_.data + begin, static_cast<std::size_t>(end - begin));
    return at_.output + begin;
  }

  const bucket_problem& problem_;
  const bucket_operands& at_;
  const bucket_loops& loops_;
  int shift_;
  std::int64_t row_bytes_;
  index_reader reader_;
  std::int64_t blocks_ = 0;
  std::int64_t used_ = 0;  // blocks that have buckets
  std::int64_t counts_[most];
  char* ends_[most + 1];
  char aside_[bucket_entry(tuning::widest_bucketed)];
};

STREW_SMALL inline bool scatter_by_output_buckets(const bucket_problem& problem, const target_axis& axis,
                                                  const bucket_operands& at, const bucket_loops& loops) noexcept {
  STREW_EXPECT(axis.is_whole());
  if (!suits_output_buckets(problem) || looks_local(problem, at.indices)) return false;
  return output_buckets(problem, axis, at, loops).run();
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_KERNELS_OUTPUT_BUCKETS_HPP
