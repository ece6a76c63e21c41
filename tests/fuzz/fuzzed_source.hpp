// SPDX-License-Identifier: Apache-2.0
// random_source for fuzzers: its numbers are the bytes of an input, so that a fuzzer can change one choice of a case
// and keep the others. The programs of this folder are compiled with it in the place of support/random_source.hpp,
// whose include guard it has, so that random cases of the property tests can be drawn from inputs too.
#ifndef STREW_TESTS_SUPPORT_RANDOM_SOURCE_HPP
#define STREW_TESTS_SUPPORT_RANDOM_SOURCE_HPP

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <initializer_list>
#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace strew::test {

class random_source {
 public:
  // Numbers that depend on a seed alone.
  explicit random_source(std::uint64_t seed) : state_(seed) {}
  // Numbers of an input: the first bytes are a seed for what is drawn after its end. Zeros there would end no loop that
  // draws until it has found something.
  explicit random_source(std::span<const std::uint8_t> input) : state_(0), rest_(input) { state_ = take(4); }

  [[nodiscard]] std::size_t bytes_left() const { return rest_.size(); }

  // In [0, count - 1].
  std::int64_t below(std::int64_t count) { return count <= 1 ? 0 : between(0, count - 1); }
  // In [low, high], from as many bytes as the number of these has.
  std::int64_t between(std::int64_t low, std::int64_t high) {
    if (high <= low) return low;
    const std::uint64_t most = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
    int bytes = 1;
    while (bytes < 8 && most >> (8 * bytes) != 0) ++bytes;
    std::uint64_t bits = rest_.empty() ? generate() : take(bytes);
    if (most != std::numeric_limits<std::uint64_t>::max()) bits %= most + 1;
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(low) + bits);
  }
  bool one_in(std::int64_t count) { return below(count) == 0; }
  // Any number of 64 bits; many are near a limit of some type.
  std::int64_t any() {
    const auto bits = static_cast<std::int64_t>(rest_.empty() ? generate() : take(8));
    switch (below(4)) {
      case 0:
        return bits;
      case 1:
        return static_cast<std::int64_t>((std::uint64_t{1} << (bits & 63)) + static_cast<std::uint64_t>(bits >> 6) % 3);
      case 2:
        return std::numeric_limits<std::int64_t>::max() - (bits & 7);
      default:
        return std::numeric_limits<std::int64_t>::min() + (bits & 7);
    }
  }
  // In [low, high], or in one of 64 draws any number.
  std::int64_t mostly_between(std::int64_t low, std::int64_t high) { return one_in(64) ? any() : between(low, high); }

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
  std::uint64_t take(int bytes) {
    std::uint64_t bits = 0;
    for (; bytes > 0 && !rest_.empty(); --bytes) {
      bits = bits << 8 | rest_.front();
      rest_ = rest_.subspan(1);
    }
    return bits;
  }
  // splitmix64
  std::uint64_t generate() {
    state_ += 0x9e3779b97f4a7c15U;
    std::uint64_t bits = state_;
    bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9U;
    bits = (bits ^ bits >> 27) * 0x94d049bb133111ebU;
    return bits ^ bits >> 31;
  }

  std::uint64_t state_;
  std::span<const std::uint8_t> rest_;
};

// Of tests with Catch2: the number that a variable of the environment holds.
inline std::uint64_t number_from(const char* variable, std::uint64_t otherwise) {
  const char* const text = std::getenv(variable);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

}  // namespace strew::test

// In the place of support/catch.hpp, for headers of the property tests: a failed assertion is a crash.
#define STREW_TESTS_SUPPORT_CATCH_HPP
#define REQUIRE(...) static_cast<void>((__VA_ARGS__) ? 0 : (std::abort(), 0))
#define CHECK(...) REQUIRE(__VA_ARGS__)
#define FAIL(...) std::abort()
#define CAPTURE(...) static_cast<void>(0)
#define INFO(...) static_cast<void>(0)

#endif  // STREW_TESTS_SUPPORT_RANDOM_SOURCE_HPP
