// SPDX-License-Identifier: Apache-2.0
// Random numbers, one sequence for each seed and case, so that each case can be run alone.
#ifndef STREW_TESTS_ATTACK_DRAWS_HPP
#define STREW_TESTS_ATTACK_DRAWS_HPP

#include <cstddef>
#include <cstdint>
#include <initializer_list>

namespace attack {

class draws {
 public:
  draws(std::uint64_t seed, std::uint64_t number) noexcept : state_{seed * 0x9E3779B97F4A7C15U + number} {
    state_ = next() ^ number;
  }

  std::uint64_t next() noexcept {
    state_ += 0x9E3779B97F4A7C15U;
    std::uint64_t mixed = state_;
    mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9U;
    mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EBU;
    return mixed ^ (mixed >> 31);
  }
  // In [0, bound), bound >= 1. The bias is at most 2^-32 for the bounds in use.
  std::int64_t below(std::int64_t bound) noexcept {
    if (bound < (std::int64_t{1} << 31)) {
      return static_cast<std::int64_t>(((next() >> 32) * static_cast<std::uint64_t>(bound)) >> 32);
    }
    return static_cast<std::int64_t>(next() % static_cast<std::uint64_t>(bound));
  }
  // In [least, most].
  std::int64_t between(std::int64_t least, std::int64_t most) noexcept { return least + below(most - least + 1); }
  int small(int least, int most) noexcept { return static_cast<int>(between(least, most)); }
  bool one_in(std::int64_t n) noexcept { return below(n) == 0; }
  template <class T>
  T pick(std::initializer_list<T> values) noexcept {
    return values.begin()[below(static_cast<std::int64_t>(values.size()))];
  }
  // Small numbers are as likely as large ones.
  std::int64_t skewed(std::int64_t most) noexcept {
    std::int64_t bound = most;
    for (std::int64_t halved = below(40); halved > 0 && bound > 2; --halved) bound = bound * 3 / 4;
    return below(bound + 1);
  }

 private:
  std::uint64_t state_;
};

}  // namespace attack

#endif  // STREW_TESTS_ATTACK_DRAWS_HPP
