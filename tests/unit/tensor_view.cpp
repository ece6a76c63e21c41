// SPDX-License-Identifier: Apache-2.0
// Views: how they are made, what is refused, and which element a coordinate names.
#include "support/catch.hpp"

// Unchecked access reports a broken precondition here instead of ending the program.
namespace strew::test {

inline int broken_preconditions = 0;
inline void note_broken_precondition() {
  ++broken_preconditions;
}

}  // namespace strew::test

#define STREW_ASSERT(condition) ((condition) ? void() : strew::test::note_broken_precondition())

#include "support/constify.hpp"
#include "support/coordinates.hpp"
#include "support/index_types.hpp"

#include <strew/view/tensor_view.hpp>

#include <array>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

using strew::errc;
using strew::index_list;
using strew::int64_max;
using strew::int64_min;
using strew::tensor_view;
using strew::test::constify;
using strew::test::coordinate;

namespace {

template <class Call>
errc code_thrown_by(Call call) {
  try {
    call();
  } catch (const strew::scatter_error& error) {
    return error.code();
  }
  return errc::ok;
}

struct not_assignable {
  const int value = 0;
};

}  // namespace

TEST_CASE("a view names the elements of somebody else's memory", "[tensor_view]") {
  constify([](auto& expect) {
    int data[] = {0, 1, 2, 3, 4, 5};
    const tensor_view matrix{data, {2, 3}};
    expect(matrix.rank() == 2 && matrix.size() == 6 && !matrix.empty());
    expect(matrix.extent(0) == 2 && matrix.extent(1) == 3 && matrix.stride(0) == 3 && matrix.stride(1) == 1);
    expect(matrix.extents() == index_list{2, 3} && matrix.strides() == index_list{3, 1});
    expect(matrix.data() == data && &matrix(1, 2) == data + 5);
    matrix(1, 2) = 50;
    matrix[{0, 1}] = 10;
    matrix.at(1, 0) = 30;
    expect(data[5] == 50 && data[1] == 10 && data[3] == 30);
  });
}

TEST_CASE("strides lead to the elements", "[tensor_view]") {
  constify([](auto& expect) {
    int data[] = {0, 1, 2, 3, 4, 5};
    const tensor_view columns{data, {3, 2}, {1, 3}};
    expect(columns(2, 1) == 5 && columns(1, 0) == 1 && columns(0, 1) == 3);
    const tensor_view backwards{data + 5, {6}, {-1}};
    expect(backwards(0) == 5 && backwards(5) == 0);
    const tensor_view repeated{data + 4, {2, 3}, {1, 0}};
    expect(repeated(0, 2) == 4 && repeated(1, 0) == 5 && &repeated(1, 0) == &repeated(1, 2));
  });
}

TEST_CASE("every coordinate of every rank names its own element", "[tensor_view]") {
  std::vector<int> data(std::size_t{1} << strew::max_rank);
  for (std::size_t k = 0; k < data.size(); ++k) data[k] = static_cast<int>(k);
  for (std::size_t rank = 0; rank <= static_cast<std::size_t>(strew::max_rank); ++rank) {
    const coordinate extents(rank, 2);
    const tensor_view view{data.data(), extents};
    int expected = 0;
    bool right = true;
    strew::test::for_each_coordinate(extents, [&](const coordinate& at) { right = right && view[at] == expected++; });
    CHECK(right);
    CHECK(view.size() == expected);
  }
}

TEST_CASE("a view of rank 0 is one element", "[tensor_view]") {
  constify([](auto& expect) {
    int element = 7;
    const tensor_view view{&element, {}};
    expect(view.rank() == 0 && view.size() == 1 && !view.empty());
    expect(view() == 7 && view.at() == 7 && view[{}] == 7);
    view() = 8;
    expect(element == 8);
  });
}

TEST_CASE("sixteen indices at once", "[tensor_view]") {
  constify([](auto& expect) {
    int data[] = {1, 2};
    const tensor_view view{data, {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2}};
    expect(view(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1) == 2);
    expect(view.at(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0) == 1);
  });
}

TEST_CASE("the view made without arguments is empty", "[tensor_view]") {
  constify([](auto& expect) {
    constexpr tensor_view<int> view;
    expect(view.empty() && view.size() == 0 && view.rank() == 1 && view.data() == nullptr);
  });
}

TEMPLATE_LIST_TEST_CASE("indices may be of any integer type", "[tensor_view]", strew::test::index_types) {
  constify([](auto& expect) {
    int data[] = {0, 1, 2, 3, 4, 5};
    const tensor_view view{data, {2, 3}};
    expect(view(TestType{1}, 2) == 5 && view.at(1, TestType{2}) == 5 && view(TestType{1}, TestType{1}) == 4);
  });
}

TEST_CASE("a view of T is a view of const T, and not the other way", "[tensor_view]") {
  STATIC_REQUIRE(std::is_convertible_v<tensor_view<int>, tensor_view<const int>>);
  STATIC_REQUIRE(std::is_nothrow_constructible_v<tensor_view<const int>, tensor_view<int>>);
  STATIC_REQUIRE_FALSE(std::is_convertible_v<tensor_view<const int>, tensor_view<int>>);
  STATIC_REQUIRE_FALSE(std::is_assignable_v<tensor_view<int>&, tensor_view<const int>>);
  STATIC_REQUIRE_FALSE(std::is_convertible_v<tensor_view<int>, tensor_view<long>>);
  STATIC_REQUIRE_FALSE(std::is_convertible_v<tensor_view<int>, tensor_view<const long>>);
  STATIC_REQUIRE(std::is_same_v<decltype(std::declval<const tensor_view<const int>&>()(0)), const int&>);
  STATIC_REQUIRE(std::is_same_v<decltype(std::declval<const tensor_view<int>&>()(0)), int&>);
  constify([](auto& expect) {
    int data[] = {0, 1, 2, 3, 4, 5};
    const tensor_view<int> view{data + 5, {3, 2}, {-1, -3}};
    const tensor_view<const int> read_only = view;
    expect(read_only.data() == view.data() && read_only.layout() == view.layout());
    expect(read_only(2, 1) == view(2, 1) && &read_only(1, 1) == &view(1, 1));
    const tensor_view<const int> empty = tensor_view<int>{};
    expect(empty.empty() && empty.data() == nullptr);
    const tensor_view<int> hollow{nullptr, {0, 5}, {1, 2}};
    const tensor_view<const int> read_only_hollow = hollow;
    expect(read_only_hollow.extents() == index_list{0, 5} && read_only_hollow.strides() == index_list{1, 2});
  });
}

TEST_CASE("the element type is deduced from the pointer", "[tensor_view]") {
  int data[] = {1};
  const int constant[] = {1};
  STATIC_REQUIRE(std::is_same_v<decltype(tensor_view{data, {1}}), tensor_view<int>>);
  STATIC_REQUIRE(std::is_same_v<decltype(tensor_view{constant, {1}}), tensor_view<const int>>);
  STATIC_REQUIRE(std::is_same_v<tensor_view<const int>::value_type, int>);
  STATIC_REQUIRE(std::is_same_v<tensor_view<const int>::element_type, const int>);
  CHECK(tensor_view{data, {1}}(0) == tensor_view{constant, {1}}(0));
}

TEMPLATE_TEST_CASE("what can be assigned by copy may be an element", "[tensor_view]", bool, char, std::int8_t,
                   std::uint64_t, float, long double, std::byte, std::complex<double>, std::string, std::vector<int>,
                   int*) {
  STATIC_REQUIRE(strew::element<TestType>);
  STATIC_REQUIRE(strew::element<const TestType>);
  TestType element{};
  const tensor_view view{&element, {1}};
  CHECK(&view(0) == &element);
}

TEMPLATE_TEST_CASE("what cannot be assigned by copy may not", "[tensor_view]", void, int&, int[3], volatile int,
                   const volatile int, int(), std::unique_ptr<int>, not_assignable) {
  STATIC_REQUIRE_FALSE(strew::element<TestType>);
}

TEST_CASE("null data is fine where there are no elements, and only there", "[tensor_view]") {
  constify([](auto& expect) {
    int* const none = nullptr;
    tensor_view<int> view;
    expect(tensor_view<int>::try_make(none, {0}, view).ok());
    expect(tensor_view<int>::try_make(none, {2, 0, 4}, view).ok() && view.extents() == index_list{2, 0, 4});
    expect(tensor_view<int>::try_make(none, {3, 0}, {-5, 7}, view).ok());
    expect(tensor_view<int>::try_make(none, {1}, view).code() == errc::null_data);
    expect(tensor_view<int>::try_make(none, index_list{}, view).code() == errc::null_data);
    expect(tensor_view<int>::try_make(none, {2, 2}, {0, 0}, view).code() == errc::null_data);
    expect(view.extents() == index_list{3, 0});
  });
}

TEST_CASE("a view that cannot be is refused: by an exception or by a status", "[tensor_view]") {
  double element = 0;
  const index_list seventeen = std::vector<int>(17, 1);
  const auto both_ways = [&](const index_list& extents) {
    tensor_view<double> view;
    const errc code = tensor_view<double>::try_make(&element, extents, view).code();
    CHECK(code_thrown_by([&] { tensor_view<double>{&element, extents}; }) == code);
    return code;
  };
  const auto both_ways_with_strides = [&](const index_list& extents, const index_list& strides) {
    tensor_view<double> view;
    const errc code = tensor_view<double>::try_make(&element, extents, strides, view).code();
    CHECK(code_thrown_by([&] { tensor_view<double>{&element, extents, strides}; }) == code);
    return code;
  };
  CHECK(both_ways({1}) == errc::ok);
  CHECK(both_ways({-1}) == errc::negative_extent);
  CHECK(both_ways(seventeen) == errc::too_many_axes);
  CHECK(both_ways({int64_max}) == errc::size_overflow);
  constexpr std::int64_t largest = std::numeric_limits<std::ptrdiff_t>::max();
  CHECK(both_ways({largest / 8}) == errc::ok);
  CHECK(both_ways({largest / 8 + 1}) == errc::size_overflow);
  CHECK(both_ways({1LL << 32, 1LL << 32}) == errc::size_overflow);
  CHECK(both_ways_with_strides({2}, {1, 1}) == errc::rank_mismatch);
  CHECK(both_ways_with_strides({2}, {int64_min}) == errc::size_overflow);
  CHECK(both_ways_with_strides({1}, seventeen) == errc::too_many_axes);
  CHECK(code_thrown_by([] { tensor_view<double>{nullptr, {1}}; }) == errc::null_data);
}

TEST_CASE("at() checks what it is given", "[tensor_view]") {
  int data[] = {0, 1, 2, 3, 4, 5};
  const tensor_view view{data, {2, 3}};
  CHECK(view.at(1, 2) == 5);
  CHECK(view.at({1, 2}) == 5);
  CHECK(view.at(std::vector<int>{1, 2}) == 5);
  CHECK(code_thrown_by([&] { static_cast<void>(view.at(2, 0)); }) == errc::index_out_of_bounds);
  CHECK(code_thrown_by([&] { static_cast<void>(view.at(0, 3)); }) == errc::index_out_of_bounds);
  CHECK(code_thrown_by([&] { static_cast<void>(view.at(0, -1)); }) == errc::index_out_of_bounds);
  CHECK(code_thrown_by([&] { static_cast<void>(view.at(int64_max, 0)); }) == errc::index_out_of_bounds);
  CHECK(code_thrown_by([&] { static_cast<void>(view.at(int64_min, 0)); }) == errc::index_out_of_bounds);
  CHECK(code_thrown_by([&] { static_cast<void>(view.at(1LL << 32, 0)); }) == errc::index_out_of_bounds);
  CHECK(code_thrown_by([&] { static_cast<void>(view.at(std::numeric_limits<std::uint64_t>::max(), 0)); }) ==
        errc::index_out_of_bounds);
  CHECK(code_thrown_by([&] { static_cast<void>(view.at(0)); }) == errc::rank_mismatch);
  CHECK(code_thrown_by([&] { static_cast<void>(view.at(0, 0, 0)); }) == errc::rank_mismatch);
  CHECK(code_thrown_by([&] { static_cast<void>(view.at()); }) == errc::rank_mismatch);
  CHECK(code_thrown_by([&] { static_cast<void>(view.at(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)); }) ==
        errc::rank_mismatch);
  CHECK(code_thrown_by([] { static_cast<void>(tensor_view<int>{}.at(0)); }) == errc::index_out_of_bounds);
}

TEST_CASE("unchecked access outside the view breaks a precondition that debug builds see", "[tensor_view]") {
  using strew::test::broken_preconditions;
  std::array<int, 16> data{};
  const tensor_view view{data.data() + 4, {2, 3}};
  const auto breaks = [](auto call) {
    const int before = broken_preconditions;
    call();
    return broken_preconditions > before;
  };
  CHECK_FALSE(breaks([&] { view(1, 2) = 1; }));
  CHECK(breaks([&] { view(2, 0) = 1; }));
  CHECK(breaks([&] { view(0, 3) = 1; }));
  CHECK(breaks([&] { view(0, -1) = 1; }));
  CHECK(breaks([&] { view(0, 0, 0) = 1; }));
  CHECK(breaks([&] { view[{0, 3}] = 1; }));
  CHECK(breaks([&] { static_cast<void>(view.extents()[2]); }));
}

TEST_CASE("a view is cheap to pass and never throws once made", "[tensor_view]") {
  using view = tensor_view<std::string>;
  STATIC_REQUIRE(std::is_nothrow_default_constructible_v<view>);
  STATIC_REQUIRE(std::is_nothrow_copy_constructible_v<view>);
  STATIC_REQUIRE(std::is_nothrow_copy_assignable_v<view>);
  STATIC_REQUIRE(std::is_trivially_destructible_v<view>);
  STATIC_REQUIRE_FALSE(std::is_nothrow_constructible_v<view, std::string*, index_list>);
  STATIC_REQUIRE(noexcept(std::declval<const view&>()(0, 1)));
  STATIC_REQUIRE(noexcept(std::declval<const view&>()[{0, 1}]));
  STATIC_REQUIRE_FALSE(noexcept(std::declval<const view&>().at(0, 1)));
  STATIC_REQUIRE(noexcept(view::try_make(nullptr, index_list{}, std::declval<view&>())));
  STATIC_REQUIRE(noexcept(view::try_make(nullptr, {}, {}, std::declval<view&>())));
}
