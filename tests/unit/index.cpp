// SPDX-License-Identifier: Apache-2.0
// The rules for one axis and one index: exhaustive for 8-bit types, at the extremes for all others, against the
// documents' ranges written in arithmetic that cannot overflow.
#include "support/catch.hpp"
#include "support/constify.hpp"
#include "support/index_types.hpp"
#include "support/wide.hpp"

#include <strew/view/index.hpp>

#include <cstdint>
#include <limits>
#include <type_traits>

using strew::index_rule;
using strew::int64_max;
using strew::int64_min;
using strew::normalize_axis;
using strew::normalize_index;
using strew::out_of_bounds;
using strew::test::constify;
using strew::test::wide;

namespace {

// The documents: [0, s-1], or [-s, s-1] with a negative index counting from the end.
std::int64_t expected_element(wide index, wide extent, index_rule rule) {
  const wide lowest = rule == index_rule::strict ? wide{0} : -extent;
  if (index < lowest || index > extent - 1) return out_of_bounds;
  return static_cast<std::int64_t>(index < 0 ? extent + index : index);
}

constexpr index_rule rules[] = {index_rule::strict, index_rule::wrapping};

}  // namespace

TEMPLATE_TEST_CASE("every 8-bit index on every extent from 0 to 300 names what its rule says", "[index]", signed char,
                   unsigned char) {
  int checked = 0;
  for (const index_rule rule : rules) {
    for (std::int64_t extent = 0; extent <= 300; ++extent) {
      for (int value = std::numeric_limits<TestType>::min(); value <= std::numeric_limits<TestType>::max(); ++value) {
        const auto index = static_cast<TestType>(value);
        if (normalize_index(index, extent, rule) != expected_element(value, extent, rule)) {
          FAIL_CHECK("index " << value << ", extent " << extent << ", rule " << static_cast<int>(rule));
        }
        ++checked;
      }
    }
  }
  CHECK(checked == 2 * 301 * 256);
}

TEMPLATE_LIST_TEST_CASE("the notable values of every type name what their rule says", "[index]",
                        strew::test::index_types) {
  STATIC_REQUIRE(noexcept(normalize_index(TestType{}, 0, index_rule::strict)));
  STATIC_REQUIRE(noexcept(normalize_axis(TestType{}, 0)));
  const std::int64_t extents[] = {0,
                                  1,
                                  2,
                                  3,
                                  7,
                                  10,
                                  11,
                                  127,
                                  128,
                                  129,
                                  255,
                                  256,
                                  257,
                                  32767,
                                  32768,
                                  65535,
                                  65536,
                                  2147483647,
                                  1LL << 31,
                                  (1LL << 31) + 1,
                                  (1LL << 32) - 1,
                                  1LL << 32,
                                  (1LL << 32) + 1,
                                  1LL << 62,
                                  int64_max - 1,
                                  int64_max};
  for (const index_rule rule : rules) {
    for (const std::int64_t extent : extents) {
      for (const TestType index : strew::test::notable_values<TestType>()) {
        CAPTURE(index, extent, static_cast<int>(rule));
        CHECK(normalize_index(index, extent, rule) == expected_element(index, extent, rule));
      }
    }
  }
}

TEST_CASE("no index wraps, overflows or loses bits", "[index]") {
  constify([](auto& expect) {
    using enum index_rule;
    expect(normalize_index(std::int64_t{1} << 32, 4, strict) == out_of_bounds);
    expect(normalize_index(std::int64_t{1} << 62, 4, strict) == out_of_bounds);
    expect(normalize_index(std::uint64_t{1} << 63, 4, wrapping) == out_of_bounds);
    expect(normalize_index(std::numeric_limits<std::uint64_t>::max(), 4, wrapping) == out_of_bounds);
    expect(normalize_index(std::numeric_limits<std::uint64_t>::max(), int64_max, wrapping) == out_of_bounds);
    expect(normalize_index(std::uint8_t{200}, 100, wrapping) == out_of_bounds);
    expect(normalize_index(std::uint8_t{200}, 201, strict) == 200);
    expect(normalize_index(int64_min, 4, wrapping) == out_of_bounds);
    expect(normalize_index(int64_min, int64_max, wrapping) == out_of_bounds);
    expect(normalize_index(int64_min + 1, int64_max, wrapping) == 0);
    expect(normalize_index(int64_max, int64_max, strict) == out_of_bounds);
    expect(normalize_index(int64_max - 1, int64_max, strict) == int64_max - 1);
  });
}

TEST_CASE("the two rules differ on negative indices only", "[index]") {
  constify([](auto& expect) {
    using enum index_rule;
    expect(normalize_index(-1, 5, strict) == out_of_bounds);
    expect(normalize_index(-1, 5, wrapping) == 4);
    expect(normalize_index(-5, 5, wrapping) == 0);
    expect(normalize_index(-6, 5, wrapping) == out_of_bounds);
    expect(normalize_index(0, 1, strict) == 0);
    expect(normalize_index(-1, 1, wrapping) == 0);
    expect(normalize_index(-1, 1, strict) == out_of_bounds);
    expect(normalize_index(5, 5, strict) == out_of_bounds);
    expect(normalize_index(5, 5, wrapping) == out_of_bounds);
    expect(normalize_index(0, 0, strict) == out_of_bounds);
    expect(normalize_index(-1, 0, wrapping) == out_of_bounds);
  });
}

TEMPLATE_LIST_TEST_CASE("an axis lies in [-rank, rank - 1]", "[index]", strew::test::index_types) {
  for (int rank = 0; rank <= strew::max_rank; ++rank) {
    for (const TestType axis : strew::test::notable_values<TestType>()) {
      CAPTURE(axis, rank);
      CHECK(normalize_axis(axis, rank) == expected_element(axis, rank, index_rule::wrapping));
    }
    for (int axis = -rank - 2; axis <= rank + 1; ++axis) {
      if (std::is_unsigned_v<TestType> && axis < 0) continue;
      CAPTURE(axis, rank);
      CHECK(normalize_axis(static_cast<TestType>(axis), rank) == expected_element(axis, rank, index_rule::wrapping));
    }
  }
}

TEST_CASE("axis extremes", "[index]") {
  constify([](auto& expect) {
    expect(normalize_axis(0, 0) == out_of_bounds);
    expect(normalize_axis(-1, 0) == out_of_bounds);
    expect(normalize_axis(-3, 3) == 0);
    expect(normalize_axis(-4, 3) == out_of_bounds);
    expect(normalize_axis(2, 3) == 2);
    expect(normalize_axis(3, 3) == out_of_bounds);
    expect(normalize_axis(int64_min, 3) == out_of_bounds);
    expect(normalize_axis(int64_max, 3) == out_of_bounds);
    expect(normalize_axis(std::numeric_limits<std::uint64_t>::max(), 3) == out_of_bounds);  // not -1
    expect(normalize_axis((std::int64_t{1} << 32) + 1, 3) == out_of_bounds);                // not 1
  });
}
