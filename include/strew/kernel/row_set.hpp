// SPDX-License-Identifier: Apache-2.0
// A set of rows, one bit each, of a fixed size: which rows an operator overwrites.
#ifndef STREW_KERNEL_ROW_SET_HPP
#define STREW_KERNEL_ROW_SET_HPP

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace strew::detail {

// A subset of the rows 0 .. count - 1, count <= capacity. 32 KiB, meant for the stack.
class row_set {
 public:
  static constexpr std::int64_t capacity = std::int64_t{32} * 1024 * 8;

  // The empty set.
  explicit row_set(std::int64_t count) noexcept : count_{count} {
    std::memset(words_, 0, static_cast<std::size_t>((count + 63) / 64) * sizeof(std::uint64_t));
  }

  void insert(std::int64_t row) noexcept { words_[row / 64] |= std::uint64_t{1} << (row % 64); }

  // Calls body(row) for each row that is not in the set, upwards.
  template <class Body>
  void for_each_absent(Body&& body) const noexcept {
    for (std::int64_t first = 0; first < count_; first += 64) {
      std::uint64_t absent = ~words_[first / 64];
      if (count_ - first < 64) absent &= (std::uint64_t{1} << (count_ - first)) - 1;
      for (; absent != 0; absent &= absent - 1) body(first + std::countr_zero(absent));
    }
  }

  // Calls body(begin, end) for each longest run of rows that are not in the set, upwards.
  template <class Body>
  void for_each_absent_run(Body&& body) const noexcept {
    for (std::int64_t row = next(0, false); row < count_;) {
      const std::int64_t end = next(row, true);
      body(row, end);
      row = next(end, false);
    }
  }

 private:
  // The first row from `row` on that is in the set, or that is not; at most count.
  [[nodiscard]] std::int64_t next(std::int64_t row, bool in_set) const noexcept {
    const std::uint64_t flip = in_set ? 0 : ~std::uint64_t{0};
    while (row < count_) {
      const std::uint64_t rest = (words_[row / 64] ^ flip) >> (row % 64);
      if (rest != 0) {
        row += std::countr_zero(rest);
        return row < count_ ? row : count_;
      }
      row = (row / 64 + 1) * 64;
    }
    return count_;
  }

  std::int64_t count_;
  std::uint64_t words_[capacity / 64];
};

}  // namespace strew::detail

#endif  // STREW_KERNEL_ROW_SET_HPP
