// SPDX-License-Identifier: Apache-2.0
// Arithmetic in 128 bits for the oracles: sums of some 64-bit values and a product of two cannot overflow in it. It is
// written out, since compilers have no such type for 32-bit targets; integer.cpp compares it with theirs elsewhere.
#ifndef STREW_TESTS_SUPPORT_WIDE_HPP
#define STREW_TESTS_SUPPORT_WIDE_HPP

#include <compare>
#include <concepts>
#include <cstdint>
#include <type_traits>

namespace strew::test {

// high * 2^64 + low
struct product {
  std::uint64_t high;
  std::uint64_t low;
};

// a * b, as on paper: the digits are 32 bits, and each sum of a product of two and a digit or two stays below 2^64.
constexpr product multiply(std::uint64_t a, std::uint64_t b) {
  constexpr std::uint64_t digit = 0xFFFFFFFF;
  const std::uint64_t low = (a & digit) * (b & digit);
  const std::uint64_t left = (a >> 32) * (b & digit) + (low >> 32);
  const std::uint64_t right = (a & digit) * (b >> 32) + (left & digit);
  return {(a >> 32) * (b >> 32) + (left >> 32) + (right >> 32), right << 32 | (low & digit)};
}

class wide {
 public:
  constexpr wide() : wide(0) {}
  template <std::integral I>
  constexpr wide(I value)
      : high_(std::is_signed_v<I> && value < I{0} ? ~std::uint64_t{0} : 0), low_(static_cast<std::uint64_t>(value)) {}

  template <std::integral I>
  constexpr explicit operator I() const {
    return static_cast<I>(low_);
  }

  constexpr wide operator-() const { return {~high_ + (low_ == 0 ? 1U : 0U), ~low_ + 1}; }

  friend constexpr wide operator+(const wide& a, const wide& b) {
    const std::uint64_t low = a.low_ + b.low_;
    return {a.high_ + b.high_ + (low < a.low_ ? 1U : 0U), low};
  }
  friend constexpr wide operator-(const wide& a, const wide& b) { return a + -b; }
  friend constexpr wide operator*(const wide& a, const wide& b) {
    const auto [high, low] = multiply(a.low_, b.low_);
    return {high + a.high_ * b.low_ + a.low_ * b.high_, low};
  }
  constexpr wide& operator+=(const wide& other) { return *this = *this + other; }
  constexpr wide& operator*=(const wide& other) { return *this = *this * other; }
  constexpr wide& operator++() { return *this += 1; }
  friend constexpr wide operator<<(wide a, int bits) {
    for (; bits > 0; --bits) a += a;
    return a;
  }
  // Half of a number, rounded down.
  [[nodiscard]] constexpr wide half() const {
    const auto high = static_cast<std::int64_t>(high_);
    return {static_cast<std::uint64_t>(high >> 1), high_ << 63 | low_ >> 1};
  }

  friend constexpr bool operator==(const wide&, const wide&) = default;
  friend constexpr std::strong_ordering operator<=>(const wide& a, const wide& b) {
    const std::strong_ordering high = static_cast<std::int64_t>(a.high_) <=> static_cast<std::int64_t>(b.high_);
    return high != 0 ? high : a.low_ <=> b.low_;
  }

 private:
  constexpr wide(std::uint64_t high, std::uint64_t low) : high_(high), low_(low) {}

  // Two's complement.
  std::uint64_t high_;
  std::uint64_t low_;
};

}  // namespace strew::test

#endif  // STREW_TESTS_SUPPORT_WIDE_HPP
