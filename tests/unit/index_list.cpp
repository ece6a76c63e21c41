// SPDX-License-Identifier: Apache-2.0
// Lists of 64-bit integers: what they are built from, what they refuse, and what happens to too many values.
#include "support/catch.hpp"
#include "support/constify.hpp"
#include "support/index_types.hpp"

#include <strew/operators/extents.hpp>
#include <strew/operators/scatter_update.hpp>
#include <strew/operators/slice_scatter.hpp>
#include <strew/view/index_list.hpp>
#include <strew/view/tensor_view.hpp>
#include <strew/view/view_transform.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <list>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

using strew::errc;
using strew::index_list;
using strew::int64_max;
using strew::int64_min;
using strew::max_rank;
using strew::test::constify;

namespace {

constexpr auto too_many = static_cast<std::size_t>(max_rank) + 1;

std::vector<std::int64_t> values_of(const index_list& list) {
  return {list.begin(), list.end()};
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("a list is built from integers of any type in any contiguous form", "[index_list]",
                        strew::test::index_types) {
  using I = TestType;
  constexpr I a = 1;
  constexpr I b = std::numeric_limits<I>::min();
  constexpr I c = std::numeric_limits<I>::max();
  const std::vector<std::int64_t> expected{1, strew::saturate(b), strew::saturate(c)};

  const std::vector<I> vector{a, b, c};
  const std::array<I, 3> array{a, b, c};
  const I c_array[] = {a, b, c};
  I mutable_c_array[] = {a, b, c};
  CHECK(values_of({a, b, c}) == expected);
  CHECK(values_of(vector) == expected);
  CHECK(values_of(array) == expected);
  CHECK(values_of(c_array) == expected);
  CHECK(values_of(mutable_c_array) == expected);
  CHECK(values_of(std::span<const I>(vector)) == expected);
  CHECK(values_of(std::span<I>(mutable_c_array)) == expected);
  CHECK(values_of(std::span<const I, 3>(array)) == expected);
  CHECK(values_of(c) == std::vector<std::int64_t>{strew::saturate(c)});
  CHECK(values_of({b}) == std::vector<std::int64_t>{strew::saturate(b)});
  CHECK(values_of(std::vector<I>{}).empty());

  STATIC_REQUIRE(std::is_nothrow_constructible_v<index_list, I>);
  STATIC_REQUIRE(std::is_nothrow_constructible_v<index_list, const std::vector<I>&>);
}

TEST_CASE("lists of every length keep their values, also in copies", "[index_list]") {
  const std::vector<std::vector<std::int64_t>> braced{values_of(index_list{}),
                                                      values_of({7}),
                                                      values_of({7, 8}),
                                                      values_of({7, 8, 9}),
                                                      values_of({7, 8, 9, 10}),
                                                      values_of({7, 8, 9, 10, 11}),
                                                      values_of({7, 8, 9, 10, 11, 12})};
  std::vector<std::int64_t> expected;
  for (std::size_t length = 0; length <= static_cast<std::size_t>(max_rank); ++length) {
    const index_list list = expected;
    CHECK(values_of(list) == expected);
    CHECK(values_of(index_list(list)) == expected);
    index_list assigned{1, 2};
    assigned = list;
    CHECK(values_of(assigned) == expected);
    CHECK(values_of(index_list(std::vector<unsigned char>(expected.begin(), expected.end()))) == expected);
    if (length < braced.size()) CHECK(braced[length] == expected);
    expected.push_back(static_cast<std::int64_t>(7 + length));
  }
  // The value that saturated first, wherever it is.
  constexpr std::uint64_t huge = std::uint64_t{1} << 63;
  CHECK(index_list{huge, huge + 1, 3}.printed(0).bits == huge);
  CHECK(index_list{1, 2, 3, huge + 5}.printed(3).bits == huge + 5);
  CHECK(index_list{1, 2, 3, 4, huge + 6}.printed(4).bits == huge + 6);
}

TEST_CASE("braces mix integer types", "[index_list]") {
  constify([](auto& expect) {
    expect(index_list{1, 2L, std::int8_t{-3}, 4u} == index_list{1, 2, -3, 4});
    expect(index_list{int64_min, 0, int64_max}[0] == int64_min);
    expect(index_list{}.empty());
    expect(index_list{7}.size() == 1);
    const index_list from_braces = {};
    expect(from_braces.empty());
  });
}

TEST_CASE("unsigned values of 2^63 or more become the largest signed one", "[index_list]") {
  constify([](auto& expect) {
    constexpr std::uint64_t half = std::uint64_t{1} << 63;
    expect(index_list{half} == index_list{int64_max});
    expect(index_list(half) == index_list{int64_max});
    expect(index_list{half - 1, half, half + 1, std::numeric_limits<std::uint64_t>::max()} ==
           index_list{int64_max, int64_max, int64_max, int64_max});
    expect(index_list(std::array<std::uint64_t, 1>{half}) == index_list{int64_max});
  });
}

TEST_CASE("a list is a small value", "[index_list]") {
  constify([](auto& expect) {
    index_list list{3, 1, 4};
    const index_list copy = list;
    list[1] = 5;
    expect(list == index_list{3, 5, 4});
    expect(copy == index_list{3, 1, 4});
    expect(!(list == copy));
    expect(!(index_list{3, 1} == copy));
    expect(list.data() == list.begin() && list.end() - list.begin() == 3);
    list = index_list{9};
    expect(list == index_list{9});
    std::int64_t sum = 0;
    for (const std::int64_t value : copy) sum += value;
    expect(sum == 8);
  });
  STATIC_REQUIRE(std::is_trivially_destructible_v<index_list>);
  STATIC_REQUIRE(std::is_nothrow_default_constructible_v<index_list>);
  STATIC_REQUIRE(std::is_nothrow_copy_constructible_v<index_list>);
  STATIC_REQUIRE(std::is_nothrow_copy_assignable_v<index_list>);
}

TEST_CASE("push_back fills a list and then overflows it", "[index_list]") {
  constify([](auto& expect) {
    index_list list;
    for (int k = 0; k < max_rank; ++k) {
      list.push_back(10 + k);
      expect(list.size() == k + 1 && list[k] == 10 + k && !list.overflowed());
    }
    const index_list full = list;
    list.push_back(99);
    expect(list.size() == max_rank && list[max_rank - 1] == 10 + max_rank - 1);
    expect(list.overflowed());
    expect(!(list == full));
    const index_list copy = list;
    expect(copy.overflowed() && copy == list);
    list = full;
    expect(!list.overflowed());
  });
}

TEST_CASE("too many values are remembered, never written past the end", "[index_list]") {
  for (const std::size_t count : {too_many, std::size_t{100}, std::size_t{100000}}) {
    struct {
      std::uint64_t before = 0xA5A5A5A5A5A5A5A5;
      index_list list;
      std::uint64_t after = 0xA5A5A5A5A5A5A5A5;
    } guarded;
    const std::vector<int> values(count, -1);
    guarded.list = values;
    CHECK(guarded.list.overflowed());
    CHECK(guarded.list.size() == max_rank);
    CHECK(guarded.before == 0xA5A5A5A5A5A5A5A5);
    CHECK(guarded.after == 0xA5A5A5A5A5A5A5A5);
  }
  CHECK_FALSE(index_list(std::vector<int>(static_cast<std::size_t>(max_rank), 1)).overflowed());
}

TEST_CASE("every function refuses a list of too many values", "[index_list]") {
  const index_list many = std::vector<int>(too_many, 1);
  const index_list full = std::vector<int>(static_cast<std::size_t>(max_rank), 1);
  int element = 0;
  strew::tensor_view<int> view;
  strew::strided_layout layout;
  index_list extents;
  REQUIRE(strew::tensor_view<int>::try_make(&element, full, view).ok());

  SECTION("views") {
    CHECK(strew::strided_layout::try_make(many, 4, layout).code() == errc::too_many_axes);
    CHECK(strew::strided_layout::try_make(many, many, 4, layout).code() == errc::too_many_axes);
    CHECK(strew::strided_layout::try_make(full, many, 4, layout).code() == errc::too_many_axes);
    CHECK(strew::strided_layout::try_make(many, full, 4, layout).code() == errc::too_many_axes);
    CHECK(strew::tensor_view<int>::try_make(&element, many, view).code() == errc::too_many_axes);
    CHECK_THROWS_AS(strew::tensor_view<int>(&element, many), strew::scatter_error);
    CHECK_THROWS_AS(strew::tensor_view<int>(&element, full, many), strew::scatter_error);
    const index_list many_zeros = std::vector<int>(too_many, 0);
    CHECK_FALSE(view.layout().contains(many_zeros));
    CHECK_THROWS_AS(view.at(many_zeros), strew::scatter_error);
  }
  SECTION("view transforms") {
    std::vector<int> each_axis(too_many);
    for (std::size_t k = 0; k < too_many; ++k) each_axis[k] = static_cast<int>(k);
    strew::tensor_view<int> result;
    CHECK(strew::try_permute(view, each_axis, result).code() == errc::too_many_axes);
    CHECK(strew::try_broadcast(view, many, result).code() == errc::too_many_axes);
    const strew::tensor_view<int> pair{&element, {2}, {0}};
    CHECK(strew::try_broadcast(pair, many, result).code() == errc::too_many_axes);
  }
  SECTION("slices") {
    const std::vector<std::uint8_t> ones(too_many, 1);
    const auto code = [&](const strew::slice_spec& spec) {
      return strew::try_updates_extents(strew::slice_scatter, full, spec, extents).code();
    };
    CHECK(code({.start = ones, .stop = ones, .step = ones, .axes = ones}) == errc::too_many_axes);
    CHECK(code({.start = ones, .stop = ones, .step = ones}) == errc::too_many_axes);
    CHECK(code({.start = full, .stop = ones, .step = full}) == errc::too_many_axes);
    CHECK(code({.start = full, .stop = full, .step = ones}) == errc::too_many_axes);
    CHECK(code({.start = full, .stop = full, .step = full, .axes = ones}) == errc::too_many_axes);
    CHECK(code({.start = full, .stop = full, .step = full}) == errc::ok);
    CHECK(strew::try_updates_extents(strew::slice_scatter, many, {}, extents).code() == errc::too_many_axes);
  }
  SECTION("shape functions") {
    const auto code = [&](const index_list& data, const index_list& indices, const index_list& axis) {
      return strew::try_updates_extents(strew::scatter_update, data, indices, axis, extents).code();
    };
    CHECK(code(many, {1}, 0) == errc::too_many_axes);
    CHECK(code({1}, many, 0) == errc::too_many_axes);
    CHECK(code({1}, {1}, many) == errc::too_many_axes);
    CHECK(code(full, {1, 1}, 0) == errc::too_many_axes);  // the result would have one axis too many
    CHECK(code(full, {1}, 0) == errc::ok);
  }
}

TEMPLATE_TEST_CASE("what holds no integers is no list", "[index_list]", bool, char, wchar_t, char8_t, char16_t,
                   char32_t, float, double, std::nullptr_t, void*, std::string, std::vector<bool>, std::vector<char>,
                   std::vector<double>, std::deque<int>, std::list<int>, std::initializer_list<bool>,
                   strew::tensor_view<int>) {
  STATIC_REQUIRE_FALSE(std::is_constructible_v<index_list, TestType>);
  STATIC_REQUIRE_FALSE(std::is_convertible_v<TestType, index_list>);
  STATIC_REQUIRE_FALSE(std::is_constructible_v<strew::stop_list, TestType>);
  STATIC_REQUIRE_FALSE(std::is_constructible_v<strew::axes_list, TestType>);
}
