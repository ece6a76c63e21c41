// SPDX-License-Identifier: Apache-2.0
// Random numbers that are the same with every standard library, so that a seed printed by a failed test is enough to
// see the failure again anywhere.
#ifndef STREW_TESTS_SUPPORT_RANDOM_SOURCE_HPP
#define STREW_TESTS_SUPPORT_RANDOM_SOURCE_HPP

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <utility>
#include <vector>

namespace strew::test {

// The number that a variable of the environment holds: where seeds begin, or how many cases are drawn.
inline std::uint64_t number_from(const char* variable, std::uint64_t otherwise) {
  const char* const text = std::getenv(variable);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

class random_source {
 public:
  explicit random_source(std::uint64_t seed) noexcept : state_(seed) {}

  // In [0, count - 1].
  std::int64_t below(std::int64_t count) {
    return static_cast<std::int64_t>(next() % static_cast<std::uint64_t>(count));
  }
  // In [low, high].
  std::int64_t between(std::int64_t low, std::int64_t high) { return low + below(high - low + 1); }
  bool one_in(std::int64_t count) { return below(count) == 0; }

  template <class T>
  const T& pick(const std::vector<T>& from) {
    return from[static_cast<std::size_t>(below(static_cast<std::int64_t>(from.size())))];
  }
  template <class T>
  T& pick_any(std::vector<T>& from) {
    return from[static_cast<std::size_t>(below(static_cast<std::int64_t>(from.size())))];
  }
  // 0 .. count - 1 in any order.
  std::vector<std::size_t> order(std::size_t count) {
    std::vector<std::size_t> result;
    for (std::size_t k = 0; k < count; ++k) result.push_back(k);
    for (std::size_t k = count; k > 1; --k) {
      std::swap(result[k - 1], result[static_cast<std::size_t>(below(static_cast<std::int64_t>(k)))]);
    }
    return result;
  }

 private:
  // SplitMix64. Most cases draw some dozen numbers from a seed of their own: std::mt19937_64 took a tenth of the time
  // of all random cases to begin its sequences.
  std::uint64_t next() noexcept {
    state_ += 0x9e3779b97f4a7c15U;
    std::uint64_t mixed = (state_ ^ (state_ >> 30)) * 0xbf58476d1ce4e5b9U;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebU;
    return mixed ^ (mixed >> 31);
  }

  std::uint64_t state_;
};

}  // namespace strew::test

#endif  // STREW_TESTS_SUPPORT_RANDOM_SOURCE_HPP
