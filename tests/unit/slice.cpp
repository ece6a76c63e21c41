// SPDX-License-Identifier: Apache-2.0
// The resolution of one slice, exhaustive for small axes and at the extremes for all others, against Python's rule.
#include "support/catch.hpp"
#include "support/constify.hpp"
#include "support/index_types.hpp"
#include "support/python_slice.hpp"
#include "support/wide.hpp"

#include <strew/view/slice.hpp>

#include <cstdint>
#include <limits>
#include <tuple>
#include <type_traits>
#include <vector>

using strew::errc;
using strew::int64_max;
using strew::int64_min;
using strew::open_ended;
using strew::resolve_slice;
using strew::slice_range;
using strew::status;
using strew::try_resolve_slice;
using strew::test::constify;
using strew::test::wide;

namespace {

std::vector<std::int64_t> elements_of(const slice_range& range) {
  std::vector<std::int64_t> elements;
  wide at = range.first;
  for (std::int64_t i = 0; i < range.count; ++i, at += range.step) elements.push_back(static_cast<std::int64_t>(at));
  return elements;
}

// For axes too long to be walked: the range begins where Python begins, its last element is still selected, and the one
// after it is not. Since the elements in between lie between these two, that determines it.
bool is_python_slice(const slice_range& range, wide start, wide stop, wide step, std::int64_t extent) {
  using strew::test::slice_selects;
  const wide first = strew::test::first_of_slice(start, step, extent);
  if (range.count == 0) return !slice_selects(first, stop, step, extent) && range.first == 0;
  const wide last = range.first + (wide{range.count} - 1) * range.step;
  return range.count > 0 && range.first == first && slice_selects(first, stop, step, extent) &&
         slice_selects(last, stop, step, extent) && !slice_selects(last + step, stop, step, extent);
}

// As the document says, the extremes of a signed stop of 32 or 64 bits lie beyond every axis.
template <class I>
wide stop_bound(I stop) {
  constexpr bool is_open = std::is_signed_v<I> && sizeof(I) >= 4;
  const wide beyond = wide{int64_max} * int64_max;
  if (is_open && stop == std::numeric_limits<I>::max()) return beyond;
  if (is_open && stop == std::numeric_limits<I>::min()) return -beyond;
  return stop;
}

template <class Start, class Stop, class Step>
int check_against_python(const std::vector<Start>& starts, const std::vector<Stop>& stops,
                         const std::vector<Step>& steps, const std::vector<std::int64_t>& extents) {
  constexpr std::int64_t walkable = 300;
  int checked = 0;
  for (const std::int64_t extent : extents) {
    for (const Start start : starts) {
      for (const Stop stop : stops) {
        for (const Step step : steps) {
          if (step == 0) continue;
          const slice_range range = resolve_slice(start, stop, step, extent);
          const bool right = extent <= walkable ? elements_of(range) ==
                                                      strew::test::python_slice(start, stop_bound(stop), step, extent)
                                                : is_python_slice(range, start, stop_bound(stop), step, extent);
          if (!right) {
            FAIL_CHECK(+start << ":" << +stop << ":" << +step << " on extent " << extent << " resolved to first "
                              << range.first << ", count " << range.count);
          }
          ++checked;
        }
      }
    }
  }
  CHECK(checked > 0);
  return checked;
}

const std::vector<std::int64_t> small_extents{0, 1, 2, 3, 4, 5, 6, 7};
const std::vector<std::int64_t> long_extents{127,           128,
                                             255,           256,
                                             32768,         65536,
                                             33554435,      (1LL << 31) - 1,
                                             1LL << 31,     (1LL << 31) + 1,
                                             1LL << 32,     (1LL << 32) + 1,
                                             1LL << 40,     1LL << 62,
                                             int64_max - 1, int64_max};

}  // namespace

TEST_CASE("all bounds and steps in [-10, 10] on extents 0 to 7 select what Python selects", "[slice]") {
  std::vector<int> values;
  for (int value = -10; value <= 10; ++value) values.push_back(value);
  CHECK(check_against_python(values, values, values, small_extents) == 21 * 21 * 20 * 8);
}

TEMPLATE_LIST_TEST_CASE("the notable values of every type select what Python selects", "[slice]",
                        strew::test::index_types) {
  const auto values = strew::test::notable_values<TestType>();
  check_against_python(values, values, values, small_extents);
  check_against_python(values, values, values, long_extents);
}

TEST_CASE("start, stop and step may each have their own type", "[slice]") {
  using strew::test::notable_values;
  check_against_python(notable_values<unsigned char>(), notable_values<int>(), notable_values<long>(), small_extents);
  check_against_python(notable_values<long>(), notable_values<unsigned long>(), notable_values<signed char>(),
                       long_extents);
  check_against_python(notable_values<unsigned long>(), notable_values<long>(), notable_values<int>(), long_extents);
  check_against_python(notable_values<short>(), notable_values<int>(), notable_values<unsigned long>(), long_extents);
  constify([](auto& expect) {
    expect(resolve_slice(std::uint8_t{9}, std::int64_t{0}, std::int16_t{-3}, 10) == slice_range{9, -3, 3});
  });
}

TEST_CASE("slices to read", "[slice]") {
  constify([](auto& expect) {
    expect(resolve_slice(-25, 25, 2, 5) == slice_range{0, 2, 3});
    expect(resolve_slice(9, 0, -3, 10) == slice_range{9, -3, 3});
    expect(resolve_slice(1, 9, 3, 10) == slice_range{1, 3, 3});
    expect(resolve_slice(0, 10, 1, 10) == slice_range{0, 1, 10});
    expect(resolve_slice(-1, int64_min, -1, 10) == slice_range{9, -1, 10});
    expect(resolve_slice(-1, -11, -1, 10) == slice_range{9, -1, 10});
    expect(resolve_slice(-3, -1, 1, 10) == slice_range{7, 1, 2});
    expect(resolve_slice(5, 5, 1, 10) == slice_range{0, 1, 0});
    expect(resolve_slice(6, 5, 1, 10) == slice_range{0, 1, 0});
    expect(resolve_slice(5, 6, -1, 10) == slice_range{0, -1, 0});
    expect(resolve_slice(0, 1, -1, 0) == slice_range{0, -1, 0});
    expect(resolve_slice(0, 1, 1, 0) == slice_range{0, 1, 0});
  });
}

TEST_CASE("a negative step with start and stop before the beginning selects nothing, as in NumPy", "[slice]") {
  constify([](auto& expect) {
    expect(resolve_slice(-6, -7, -1, 5).count == 0);
    expect(resolve_slice(-7, -6, -1, 5).count == 0);
    expect(resolve_slice(int64_min, int64_min, -1, 5).count == 0);
    expect(resolve_slice(-5, -6, -1, 5) == slice_range{0, -1, 1});  // start at the beginning is inside
    expect(resolve_slice(-6, -7, 1, 5).count == 0);
  });
}

TEST_CASE("a length is exact where floating-point division is not", "[slice]") {
  constify([](auto& expect) {
    expect(resolve_slice(0, 33554435, 1, 33554435).count == 33554435);
    expect(resolve_slice(0, int64_max, 1, int64_max).count == int64_max);
    expect(resolve_slice(0, int64_max, 2, int64_max).count == (int64_max - 1) / 2 + 1);
    expect(resolve_slice(int64_max, int64_min, -1, int64_max) == slice_range{int64_max - 1, -1, int64_max});
    expect(resolve_slice(0, int64_max - 1, 3, int64_max - 1).count == (int64_max - 2) / 3 + 1);
  });
}

TEST_CASE("a step of any size is taken or not, but never overflows", "[slice]") {
  constify([](auto& expect) {
    expect(resolve_slice(4, int64_min, int64_min, 5) == slice_range{4, int64_min, 1});
    expect(resolve_slice(0, 5, int64_min, 5).count == 0);
    expect(resolve_slice(0, 5, int64_max, 5) == slice_range{0, int64_max, 1});
    expect(resolve_slice(int64_max, int64_min, int64_min, int64_max) == slice_range{int64_max - 1, int64_min, 1});
    expect(resolve_slice(int64_max, int64_min, int64_min + 1, int64_max).count == 1);
    expect(resolve_slice(0, 5, std::numeric_limits<std::uint64_t>::max(), 5) == slice_range{0, int64_max, 1});
  });
}

TEST_CASE("the extremes of a 32- or 64-bit signed stop mean to the end and to the beginning", "[slice]") {
  constify([](auto& expect) {
    constexpr std::int64_t extent = std::int64_t{1} << 40;
    using i16 = std::numeric_limits<std::int16_t>;
    using i32 = std::numeric_limits<std::int32_t>;
    using u32 = std::numeric_limits<std::uint32_t>;
    expect(resolve_slice(0, i32::max(), 1, extent).count == extent);
    expect(resolve_slice(-1, i32::min(), -1, extent).count == extent);
    expect(resolve_slice(0, int64_max, 1, extent).count == extent);
    expect(resolve_slice(-1, int64_min, -1, extent).count == extent);
    expect(resolve_slice(0, i32::max() - 1, 1, extent).count == i32::max() - 1);
    expect(resolve_slice(0, std::int64_t{i32::max()}, 1, extent).count == i32::max());
    expect(resolve_slice(0, u32::max(), 1, extent).count == u32::max());
    expect(resolve_slice(0, i16::max(), 1, extent).count == i16::max());
    expect(resolve_slice(0, std::uint64_t{1} << 63, 1, extent).count == extent);
    expect(resolve_slice(i32::max(), int64_max, 1, extent).first == i32::max());  // a start is a start
    expect(open_ended(i32::max()) == int64_max);
    expect(open_ended(i32::min()) == int64_min);
    expect(open_ended(i16::max()) == i16::max());
    expect(open_ended(u32::max()) == u32::max());
  });
}

TEST_CASE("what is no slice is refused and leaves the result alone", "[slice]") {
  constify([](auto& expect) {
    slice_range range{7, 8, 9};
    expect(try_resolve_slice(0, 1, 0, 5, range).code() == errc::zero_step);
    expect(try_resolve_slice(0, 1, std::uint8_t{0}, 5, range).code() == errc::zero_step);
    expect(try_resolve_slice(0, 1, 1, -1, range).code() == errc::negative_extent);
    expect(try_resolve_slice(0, 1, 1, int64_min, range).code() == errc::negative_extent);
    expect(range == slice_range{7, 8, 9});
    expect(try_resolve_slice(0, 1, 1, 5, range).ok());
    expect(range == slice_range{0, 1, 1});
  });
  STATIC_REQUIRE(noexcept(try_resolve_slice(0, 1, 1, 5, std::declval<slice_range&>())));
  CHECK_THROWS_AS(resolve_slice(0, 1, 0, 5), strew::scatter_error);
  CHECK_THROWS_AS(resolve_slice(0, 1, 1, -5), strew::scatter_error);
}
