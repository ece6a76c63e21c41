// SPDX-License-Identifier: Apache-2.0
// The integer types that may hold an index, saturation to 64 signed bits, and arithmetic at the ends of the range.
#include "support/catch.hpp"
#include "support/constify.hpp"
#include "support/index_types.hpp"
#include "support/random_source.hpp"
#include "support/wide.hpp"

#include <strew/view/integer.hpp>

#include <cstdint>
#include <limits>

using strew::int64_max;
using strew::int64_min;
using strew::saturate;
using strew::test::constify;
using strew::test::wide;

namespace {

constexpr std::uint64_t uint64_max = std::numeric_limits<std::uint64_t>::max();

enum plain_enum { plain };
enum class scoped_enum : int { scoped };

}  // namespace

TEMPLATE_LIST_TEST_CASE("every integer type of 8 to 64 bits may hold an index", "[integer]", strew::test::index_types) {
  STATIC_REQUIRE(strew::index_integer<TestType>);
  STATIC_REQUIRE(strew::index_integer<const TestType>);
  STATIC_REQUIRE_FALSE(strew::index_integer<TestType&>);
  STATIC_REQUIRE_FALSE(strew::index_integer<TestType*>);
}

TEMPLATE_TEST_CASE("what does not count something may not", "[integer]", bool, const bool, char, wchar_t, char8_t,
                   char16_t, char32_t, float, double, plain_enum, scoped_enum, void) {
  STATIC_REQUIRE_FALSE(strew::index_integer<TestType>);
}

#if defined(__SIZEOF_INT128__)
namespace {

__extension__ using int128 = __int128;
__extension__ using uint128 = unsigned __int128;

}  // namespace

TEST_CASE("integers of 128 bits may not", "[integer]") {
  STATIC_REQUIRE_FALSE(strew::index_integer<int128>);
  STATIC_REQUIRE_FALSE(strew::index_integer<uint128>);
}

TEST_CASE("the oracles' arithmetic is the compiler's of 128 bits", "[integer]") {
  const auto is = [](const wide& a, int128 b) {
    return static_cast<std::int64_t>(a) == static_cast<std::int64_t>(b) && (a < 0) == (b < 0) &&
           a == wide{static_cast<std::int64_t>(b >> 64)} * (std::uint64_t{1} << 63) * 2 + static_cast<std::uint64_t>(b);
  };
  strew::test::random_source random(128);
  auto values = strew::test::notable_values<std::int64_t>();
  for (int k = 0; k < 100; ++k) {
    const std::int64_t value = random.below(int64_max) >> random.below(63);
    values.push_back(random.one_in(2) ? value : -value);
  }
  bool right = true;
  for (const std::int64_t a : values) {
    right = right && is(a, a) && is(-wide{a}, -int128{a});
    for (const std::int64_t b : values) {
      right = right && is(wide{a} + b, int128{a} + b) && is(wide{a} - b, int128{a} - b);
      right = right && is(wide{a} * b, int128{a} * b) && is(wide{a} * b + a, int128{a} * b + a);
      right = right && (wide{a} * b < wide{b} - a) == (int128{a} * b < int128{b} - a);
      const auto [high, low] = strew::test::multiply(static_cast<std::uint64_t>(a), static_cast<std::uint64_t>(b));
      const uint128 product = uint128{static_cast<std::uint64_t>(a)} * static_cast<std::uint64_t>(b);
      right = right && high == static_cast<std::uint64_t>(product >> 64) && low == static_cast<std::uint64_t>(product);
    }
  }
  CHECK(right);
}
#endif

TEMPLATE_LIST_TEST_CASE("a value saturates to 64 signed bits", "[integer]", strew::test::index_types) {
  STATIC_REQUIRE(noexcept(saturate(TestType{})));
  for (const TestType value : strew::test::notable_values<TestType>()) {
    const wide exact = value;
    const wide expected = exact > int64_max ? wide{int64_max} : exact;
    CHECK(saturate(value) == static_cast<std::int64_t>(expected));
  }
}

TEST_CASE("saturation at the ends of the range", "[integer]") {
  constify([](auto& expect) {
    expect(saturate(std::uint64_t{1} << 63) == int64_max);
    expect(saturate(uint64_max) == int64_max);
    expect(saturate((std::uint64_t{1} << 63) - 1) == int64_max);
    expect(saturate((std::uint64_t{1} << 63) - 2) == int64_max - 1);
    expect(saturate(int64_min) == int64_min);
    expect(saturate(std::uint32_t{4294967295}) == 4294967295);
    expect(saturate(std::int8_t{-128}) == -128);
  });
}

TEST_CASE("the magnitude of the smallest value is exact", "[integer]") {
  constify([](auto& expect) {
    using strew::detail::magnitude;
    expect(magnitude(int64_min) == std::uint64_t{1} << 63);
    expect(magnitude(int64_min + 1) == static_cast<std::uint64_t>(int64_max));
    expect(magnitude(int64_max) == static_cast<std::uint64_t>(int64_max));
    expect(magnitude(-1) == 1);
    expect(magnitude(0) == 0);
  });
}

TEST_CASE("products and sums stop at the largest value", "[integer]") {
  const std::uint64_t values[] = {0,
                                  1,
                                  2,
                                  3,
                                  (std::uint64_t{1} << 31) + 1,
                                  (std::uint64_t{1} << 32) - 1,
                                  std::uint64_t{1} << 32,
                                  (std::uint64_t{1} << 32) + 1,
                                  std::uint64_t{1} << 62,
                                  std::uint64_t{1} << 63,
                                  uint64_max / 3,
                                  uint64_max / 3 + 1,
                                  uint64_max - 1,
                                  uint64_max};
  for (const std::uint64_t a : values) {
    for (const std::uint64_t b : values) {
      const auto [high, low] = strew::test::multiply(a, b);
      const wide sum = wide{a} + b;
      CAPTURE(a, b);
      CHECK(strew::detail::saturating_multiply(a, b) == (high != 0 ? uint64_max : low));
      CHECK(strew::detail::saturating_add(a, b) == (sum > uint64_max ? uint64_max : a + b));
    }
  }
}
