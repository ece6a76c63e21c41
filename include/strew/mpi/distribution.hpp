// SPDX-License-Identifier: Apache-2.0
// Opt-in: how the coordinates of one axis are divided among the ranks of a communicator. Does not need MPI.
#ifndef STREW_MPI_DISTRIBUTION_HPP
#define STREW_MPI_DISTRIBUTION_HPP

#include <strew/config.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

namespace strew::inline STREW_ABI {

namespace detail::inline STREW_CODE {

// Divides by a constant without a division: a multiplication and a shift, exact for 0 <= n < 2^63.
class divisor {
 public:
  constexpr divisor() noexcept : divisor(1) {}
  // 1 <= by.
  constexpr explicit divisor(std::int64_t by) noexcept : by_{static_cast<std::uint64_t>(by)} {
#if defined(__SIZEOF_INT128__)
    while ((std::uint64_t{1} << shift_) < by_) ++shift_;
    // 2^(63 + shift) / by + 1, which is below 2^64 since by > 2^(shift - 1).
    wide rest = wide{1} << (63 + shift_);
    factor_ = static_cast<std::uint64_t>(rest / by_ + 1);
#endif
  }

  [[nodiscard]] constexpr std::int64_t value() const noexcept {
    return static_cast<std::int64_t>(by_);
  }
  [[nodiscard]] constexpr std::int64_t quotient(std::int64_t n) const noexcept {
#if defined(__SIZEOF_INT128__)
    return static_cast<std::int64_t>((wide{static_cast<std::uint64_t>(n)} * factor_) >> (63 + shift_));
#else
    return n / static_cast<std::int64_t>(by_);
#endif
  }

 private:
#if defined(__SIZEOF_INT128__)
  __extension__ using wide = unsigned __int128;

  std::uint64_t factor_ = 0;
  int shift_ = 0;
#endif
  std::uint64_t by_;
};

class block_locator;

}  // namespace detail

namespace mpi {

// Where a coordinate of a distributed axis is: on which rank, and at which coordinate of that rank's part.
struct place {
  std::int64_t rank;
  std::int64_t local;
};

// How the coordinates of one axis are divided among `ranks()` ranks. A value of about 100 bytes, without memory of its
// own. The coordinates of a rank are in ascending order there.
//
//   block(extent, ranks)               one contiguous block a rank; the first extent % ranks ranks have one coordinate
//                                      more than the others
//   blocks(offsets)                    rank r has the coordinates [offsets[r], offsets[r + 1]); offsets are borrowed
//   block_cyclic(extent, ranks, size)  blocks of `size` coordinates, dealt to the ranks in turns
//   replicated(extent)                 every rank has all coordinates
//
// Extents, counts and sizes that make no distribution (a negative extent, no rank, offsets that do not ascend from 0)
// are accepted here and refused by the operators, with unsupported_distribution. owner, local_index, locate and
// global_index are O(1) and do not divide, for `blocks` O(log(ranks)); 0 <= coordinate < extent().
class distribution {
 public:
  enum class kind : unsigned char { block, blocks, block_cyclic, replicated };

  // The distribution of no coordinate on one rank.
  constexpr distribution() noexcept : distribution(kind::block, 0, 1) {}

  STREW_KEYED [[nodiscard]] static constexpr distribution block(std::int64_t extent, std::int64_t ranks) noexcept {
    distribution made(kind::block, extent, ranks);
    if (extent < 1 || ranks < 1) return made;
    made.size_ = detail::divisor(extent < ranks ? 1 : extent / ranks);
    made.larger_ = extent % ranks;
    if (made.larger_ == 0) return made;  // one more than the largest extent would overflow
    made.size_of_larger_ = detail::divisor(extent / ranks + 1);
    made.begin_smaller_ = made.larger_ * made.size_of_larger_.value();
    return made;
  }
  STREW_KEYED [[nodiscard]] static constexpr distribution blocks(std::span<const std::int64_t> offsets) noexcept {
    const auto count = static_cast<std::int64_t>(offsets.size());
    distribution made(kind::blocks, count < 1 ? -1 : offsets[offsets.size() - 1], count - 1);
    made.offsets_ = offsets.data();
    return made;
  }
  STREW_KEYED [[nodiscard]] static constexpr distribution block_cyclic(std::int64_t extent, std::int64_t ranks,
                                                                       std::int64_t size) noexcept {
    distribution made(kind::block_cyclic, extent, ranks);
    made.cycle_ = size;
    if (extent < 1 || ranks < 1 || size < 1) return made;
    // A block of all coordinates is as good as a larger one, whose cycle could overflow.
    if (size > extent) made.cycle_ = extent;
    made.size_ = detail::divisor(made.cycle_);
    made.of_ranks_ = detail::divisor(ranks);
    return made;
  }
  [[nodiscard]] static constexpr distribution replicated(std::int64_t extent) noexcept {
    return {kind::replicated, extent, 1};
  }

  [[nodiscard]] constexpr std::int64_t extent() const noexcept { return extent_; }
  // 1 for a replicated axis, whatever the communicator.
  [[nodiscard]] constexpr std::int64_t ranks() const noexcept { return ranks_; }
  [[nodiscard]] constexpr kind how() const noexcept { return kind_; }
  [[nodiscard]] constexpr bool is_replicated() const noexcept { return kind_ == kind::replicated; }
  // The coordinates of a block of a block-cyclic distribution; 0 for others.
  [[nodiscard]] constexpr std::int64_t block_size() const noexcept { return cycle_; }
  // Whether the coordinates of a rank are a range that lies before those of the next rank.
  [[nodiscard]] constexpr bool is_contiguous() const noexcept {
    return kind_ == kind::block || kind_ == kind::blocks || (kind_ == kind::block_cyclic && ranks_ == 1);
  }
  // Whether this is a distribution; all other functions require that. O(1), for `blocks` O(ranks).
  STREW_KEYED [[nodiscard]] constexpr bool is_valid() const noexcept {
    if (extent_ < 0 || ranks_ < 1) return false;
    if (kind_ == kind::block_cyclic) return cycle_ > 0 || extent_ == 0;
    if (kind_ != kind::blocks) return true;
    for (std::int64_t r = 0; r < ranks_; ++r) {
      if (offsets_[r] > offsets_[r + 1]) return false;
    }
    return offsets_[0] == 0;
  }

  // The place of a coordinate; on a replicated axis that of rank 0.
  STREW_KEYED [[nodiscard]] constexpr place locate(std::int64_t coordinate) const noexcept {
    switch (kind_) {
      case kind::block:
        return locate_in_block(coordinate);
      case kind::blocks: {
        std::int64_t rank = 0;
        std::int64_t end = ranks_;
        while (end - rank > 1) {
          const std::int64_t middle = rank + (end - rank) / 2;
          (offsets_[middle] <= coordinate ? rank : end) = middle;
        }
        return {rank, coordinate - offsets_[rank]};
      }
      case kind::block_cyclic: {
        const std::int64_t number = size_.quotient(coordinate);
        const std::int64_t round = of_ranks_.quotient(number);
        return {number - round * ranks_, round * cycle_ + (coordinate - number * cycle_)};
      }
      default:
        return {0, coordinate};
    }
  }
  STREW_KEYED [[nodiscard]] constexpr std::int64_t owner(std::int64_t coordinate) const noexcept {
    return locate(coordinate).rank;
  }
  STREW_KEYED [[nodiscard]] constexpr std::int64_t local_index(std::int64_t coordinate) const noexcept {
    return locate(coordinate).local;
  }

  // The number of coordinates of a rank; 0 <= rank < ranks(), on a replicated axis any.
  STREW_KEYED [[nodiscard]] constexpr std::int64_t local_extent(std::int64_t rank) const noexcept {
    switch (kind_) {
      case kind::block:
        return rank < larger_ ? size_of_larger_.value() : extent_ < ranks_ ? 0 : size_.value();
      case kind::blocks:
        return offsets_[rank + 1] - offsets_[rank];
      case kind::block_cyclic: {
        if (extent_ == 0) return 0;
        const std::int64_t whole = extent_ / cycle_;  // blocks
        const std::int64_t rounds = whole / ranks_;
        const std::int64_t rest = whole - rounds * ranks_;
        return (rounds + (rank < rest ? 1 : 0)) * cycle_ + (rank == rest ? extent_ - whole * cycle_ : 0);
      }
      default:
        return extent_;
    }
  }
  // The coordinate on the axis of a coordinate of a rank's part.
  STREW_KEYED [[nodiscard]] constexpr std::int64_t global_index(std::int64_t rank, std::int64_t local) const noexcept {
    switch (kind_) {
      case kind::block:
        return local +
               (rank < larger_ ? rank * size_of_larger_.value() : begin_smaller_ + (rank - larger_) * size_.value());
      case kind::blocks:
        return offsets_[rank] + local;
      case kind::block_cyclic: {
        const std::int64_t round = size_.quotient(local);
        return (round * ranks_ + rank) * cycle_ + (local - round * cycle_);
      }
      default:
        return local;
    }
  }

  // Whether each coordinate is at the same place in both. `blocks` are compared by their offsets. O(1), for `blocks`
  // O(ranks).
  STREW_KEYED [[nodiscard]] friend constexpr bool operator==(const distribution& a, const distribution& b) noexcept {
    if (a.extent_ != b.extent_ || a.ranks_ != b.ranks_ || a.is_replicated() != b.is_replicated()) return false;
    if (a.kind_ == kind::block_cyclic || b.kind_ == kind::block_cyclic) {
      return a.kind_ == b.kind_ && a.cycle_ == b.cycle_;
    }
    if (a.kind_ == b.kind_ && a.kind_ != kind::blocks) return true;
    for (std::int64_t r = 0; r < a.ranks_; ++r) {
      if (a.local_extent(r) != b.local_extent(r)) return false;
    }
    return true;
  }

 private:
  friend class detail::block_locator;

  [[nodiscard]] constexpr place locate_in_block(std::int64_t coordinate) const noexcept {
    if (coordinate < begin_smaller_) {
      const std::int64_t rank = size_of_larger_.quotient(coordinate);
      return {rank, coordinate - rank * size_of_larger_.value()};
    }
    const std::int64_t beyond = coordinate - begin_smaller_;
    const std::int64_t rank = size_.quotient(beyond);
    return {larger_ + rank, beyond - rank * size_.value()};
  }

  constexpr distribution(kind how, std::int64_t extent, std::int64_t ranks) noexcept
      : extent_{extent}, ranks_{ranks}, kind_{how} {}

  std::int64_t extent_;
  std::int64_t ranks_;
  kind kind_;
  // block: `larger_` ranks with one coordinate more, which end at `begin_smaller_`.
  std::int64_t larger_ = 0;
  std::int64_t begin_smaller_ = 0;
  detail::divisor size_of_larger_;
  detail::divisor size_;  // of the other ranks; block_cyclic: of a block
  // block_cyclic
  std::int64_t cycle_ = 0;
  detail::divisor of_ranks_;
  // blocks
  const std::int64_t* offsets_ = nullptr;
};

}  // namespace mpi

namespace detail::inline STREW_CODE {

// locate() of a block distribution, for loops that ask for the kind only once.
class block_locator {
 public:
  constexpr explicit block_locator(const mpi::distribution& over) noexcept : over_{over} {}

  [[nodiscard]] constexpr mpi::place operator()(std::int64_t coordinate) const noexcept {
    return over_.locate_in_block(coordinate);
  }

 private:
  const mpi::distribution over_;  // a copy, which no store in a loop can change
};

}  // namespace detail
}  // namespace strew

#endif  // STREW_MPI_DISTRIBUTION_HPP
