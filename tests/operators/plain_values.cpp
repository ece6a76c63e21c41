// SPDX-License-Identifier: Apache-2.0
// One value in the place of updates: which arguments are values, what elements can hold, and what is said of others.
#include "support/catch.hpp"
#include "support/constify.hpp"

#include <strew/dynamic.hpp>
#include <strew/strew.hpp>

#include <array>
#include <complex>
#include <cstdint>
#include <limits>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

using strew::errc;
using strew::tensor_view;
using strew::test::constify;

namespace {

const std::vector<int> at{1, 3, 1};

// The elements after a sum of a value, or the message.
template <class T, class Value>
std::string message_of_sum(const Value& value) {
  std::vector<T> data(4);
  return std::string(strew::try_index_add(data, 0, at, value).message().view());
}
template <class T, class Value>
std::vector<T> sums_of(const Value& value) {
  std::vector<T> data(4);
  strew::index_add(data, 0, at, value);
  return data;
}

TEST_CASE("an integer goes into any arithmetic element type that holds it") {
  CHECK(sums_of<float>(1) == std::vector<float>{0, 2, 0, 1});
  CHECK(sums_of<double>(std::uint64_t{1} << 60) == std::vector<double>{0, 0x1p61, 0, 0x1p60});
  CHECK(sums_of<std::int8_t>(-64LL) == std::vector<std::int8_t>{0, -128, 0, -64});
  CHECK(sums_of<std::uint64_t>(std::numeric_limits<std::uint64_t>::max()) ==
        std::vector<std::uint64_t>{0, std::numeric_limits<std::uint64_t>::max() - 1, 0,
                                   std::numeric_limits<std::uint64_t>::max()});
  CHECK(sums_of<int>(true) == std::vector<int>{0, 2, 0, 1});
  CHECK(sums_of<std::complex<float>>(2) == std::vector<std::complex<float>>{0, 4, 0, 2});
  CHECK(sums_of<float>(0.5) == std::vector<float>{0, 1, 0, 0.5F});
}

enum sizes : int { few = 3, many = 300 };
struct half {
  operator float() const { return 0.5F; }
};
struct throws {
  operator double() const { throw 1; }
};

TEST_CASE("enumerations and classes are the numbers that they convert to") {
  CHECK(sums_of<std::uint8_t>(few) == std::vector<std::uint8_t>{0, 6, 0, 3});
  CHECK(message_of_sum<std::uint8_t>(many) ==
        "index_add: updates = 300 is outside [0, 255], the range of the elements of data");
  CHECK(message_of_sum<std::int8_t>(std::integral_constant<int, -129>{}) ==
        "index_add: updates = -129 is outside [-128, 127], the range of the elements of data");
  CHECK(sums_of<double>(half{}) == std::vector<double>{0, 1, 0, 0.5});
  std::vector<double> data(4);
  CHECK_THROWS_AS(strew::index_add(data, 0, at, throws{}), int);
  const auto prepare = [&] {
    return strew::prepare<double, int>(strew::index_add, {strew::as_view(data).layout(), strew::as_view(at).layout()},
                                       0, throws{});
  };
  CHECK_THROWS_AS(prepare(), int);
}

TEST_CASE("what elements cannot hold is refused, with nothing written") {
  CHECK(message_of_sum<std::uint8_t>(300) ==
        "index_add: updates = 300 is outside [0, 255], the range of the elements of data");
  CHECK(message_of_sum<std::int8_t>(-129L) ==
        "index_add: updates = -129 is outside [-128, 127], the range of the elements of data");
  CHECK(message_of_sum<std::uint64_t>(-1) ==
        "index_add: updates = -1 is negative, and the elements of data are unsigned");
  CHECK(message_of_sum<std::int64_t>(std::uint64_t{1} << 63) ==
        "index_add: updates = 9223372036854775808 is outside [-9223372036854775808, 9223372036854775807], the range of "
        "the elements of data");
  CHECK(message_of_sum<float>(1e300) ==
        "index_add: updates = 1e+300 is outside [-3.4028235e+38, 3.4028235e+38], the range of the elements of data");
  CHECK(message_of_sum<std::complex<float>>(-1e300) ==
        "index_add: updates = -1e+300 is outside [-3.4028235e+38, 3.4028235e+38], the range of the elements of data");
  CHECK(message_of_sum<float>(std::numeric_limits<double>::infinity()).empty());
  CHECK(message_of_sum<float>(std::numeric_limits<double>::quiet_NaN()).empty());

  std::vector<std::uint8_t> bytes{7, 7, 7, 7};
  const std::array mask{true, false, true, false};
  CHECK(strew::try_masked_fill(bytes, mask, 256).message().view() ==
        "masked_fill: value = 256 is outside [0, 255], the range of the elements of data");
  CHECK(strew::try_scatter_update(bytes, at, -1, 0).code() == errc::value_out_of_range);
  CHECK(bytes == std::vector<std::uint8_t>{7, 7, 7, 7});
  CHECK_THROWS_AS(strew::scatter_update(bytes, at, 1000, 0), strew::scatter_error);
  bool flags[] = {false, false, false, false};
  CHECK(strew::try_scatter_update(flags, at, 2, 0).code() == errc::value_out_of_range);
  CHECK(strew::try_scatter_update(flags, at, 1, 0).ok());
  CHECK((flags[1] && flags[3] && !flags[0]));
}

TEST_CASE("an element is its own value, be it a container, and what converts to one is a value") {
  std::vector<std::string> texts(4, "-");
  const tensor_view<std::string> view{texts.data(), {4}};
  strew::scatter_update(view, at, std::string("a"), 0);
  const char* letters = "b";
  strew::index_copy(view, 0, std::vector<int>{0}, letters);
  strew::index_fill(view, 0, std::vector<int>{2}, "c");
  CHECK(texts == std::vector<std::string>{"b", "a", "c", "a"});

  std::vector<std::array<int, 2>> pairs(2);
  strew::scatter_update(tensor_view{pairs.data(), {2}}, std::vector<int>{1}, std::array{3, 4}, 0);
  CHECK(pairs[1] == std::array{3, 4});
}

TEST_CASE("updates that are one element of the output are refused in calls of any size") {
  for (const std::int64_t extent : {2, 4, 500, 50'000}) {
    std::vector<float> data(static_cast<std::size_t>(extent) * 2, 3.0F);
    const std::vector<float> before = data;
    const std::vector<std::int64_t> first{0, 1};
    const tensor_view<float> output(data.data(), {extent, 2});
    const tensor_view<const float> updates(data.data() + 1, {2, 2}, {0, 0});
    CHECK(strew::try_index_add(output, 0, first, updates).code() == errc::overlap);
    CHECK(strew::try_index_copy(output, 0, first, updates).code() == errc::overlap);
    CHECK(strew::try_slice_scatter(output, updates, {.start = {0}, .stop = {2}, .step = {1}, .axes = {0}}).code() ==
          errc::overlap);
    CHECK(data == before);
  }
}

TEST_CASE("what can be a tensor is one") {
  std::vector<float> data(4);
  const std::vector<float> one{2.0F};
  // A tensor still needs its exact shape.
  CHECK(strew::try_scatter_update(data, at, one, 0).code() == errc::extent_mismatch);
  CHECK(strew::try_scatter_update(data, at, tensor_view<const float>{one.data(), {}}, 0).code() == errc::rank_mismatch);
}

TEST_CASE("a value stands where updates do, whatever the operator's order") {
  constify([](auto& expect) {
    int data[] = {0, 0, 0, 0, 0, 0};
    const tensor_view matrix{data, {2, 3}};
    const int columns[] = {2, 0};
    const tensor_view two{columns, {2}};
    strew::scatter_update(matrix, two, 1, 1);
    expect(data[0] == 1 && data[1] == 0 && data[2] == 1 && data[5] == 1);
    strew::slice_scatter(matrix, 2, {.start = 1});
    expect(data[0] == 1 && data[3] == 2 && data[4] == 2 && data[5] == 2);
    strew::select_scatter(matrix, 3, 0, -1);
    strew::diagonal_scatter(matrix, 4, 1, 0, 1);
    expect(data[3] == 3 && data[1] == 4 && data[5] == 4);
    const int rows[] = {1, 0};
    strew::index_put(matrix, std::tuple{tensor_view{rows, {2}}, two}, 10, strew::reduction::sum);
    expect(data[5] == 14 && data[0] == 11 && data[1] == 4 && data[3] == 3);
  });
}

TEST_CASE("run-time types take arithmetic values that their elements hold") {
  using namespace strew::dynamic;
  std::array<std::byte, 64> memory{};
  const auto code_of = [&](element_type type, const auto& value) {
    const tensor data(memory.data(), type, {4});
    return strew::try_index_copy(data, 0, at, value).code();
  };
  using enum element_kind;
  CHECK(code_of({signed_integer, 1}, -128) == errc::ok);
  CHECK(code_of({signed_integer, 1}, 128) == errc::value_out_of_range);
  CHECK(code_of({unsigned_integer, 8}, std::numeric_limits<std::uint64_t>::max()) == errc::ok);
  CHECK(code_of({unsigned_integer, 8}, -1) == errc::value_out_of_range);
  CHECK(code_of({unsigned_integer, 2}, 1.0) == errc::type_mismatch);
  CHECK(code_of({boolean, 1}, 1) == errc::ok);
  CHECK(code_of({boolean, 1}, 2) == errc::value_out_of_range);
  CHECK(code_of({floating_point, 2}, 65519) == errc::ok);
  CHECK(code_of({floating_point, 2}, 65520) == errc::value_out_of_range);
  CHECK(code_of({floating_point, 2}, std::numeric_limits<double>::infinity()) == errc::ok);
  CHECK(code_of({floating_point, 4}, 1e39) == errc::value_out_of_range);
  CHECK(code_of({brain_float, 2}, 1e38) == errc::ok);
  CHECK(code_of({complex, 16}, 1e300) == errc::ok);
  CHECK(code_of({complex, 8}, 1e300) == errc::value_out_of_range);
  CHECK(code_of({opaque, 4}, 1) == errc::type_mismatch);
  CHECK(code_of({floating_point, 16}, 1) == errc::type_mismatch);
  CHECK(strew::try_index_copy(tensor(memory.data(), {opaque, 4}, {4}), 0, at, 1).message().view() ==
        "index_copy: updates is a value, but the elements of data are no numbers");
  float numbers[4] = {};
  strew::index_add(tensor(numbers, {floating_point, 4}, {4}), 0, at, 1);
  CHECK((numbers[1] == 2 && numbers[3] == 1 && numbers[0] == 0));
}

TEST_CASE("values of prepared calls are checked when they are prepared") {
  std::vector<std::uint8_t> data(4);
  const tensor_view view{data.data(), {4}};
  const auto layouts = [&](int value) {
    return strew::prepare<std::uint8_t, int>(strew::scatter_update, {view.layout(), strew::as_view(at).layout()}, value,
                                             0);
  };
  layouts(9).run(data.data(), at.data());
  CHECK(data == std::vector<std::uint8_t>{0, 9, 0, 9});
  CHECK_THROWS_AS(layouts(256), strew::scatter_error);
  strew::prepared<std::uint8_t, int, strew::index_add, std::int64_t, std::uint8_t> add;
  CHECK(strew::try_prepare(strew::index_add, {view.layout(), strew::as_view(at).layout()}, 0, -1, add).code() ==
        errc::value_out_of_range);
  CHECK(strew::try_prepare(strew::index_add, {view.layout(), strew::as_view(at).layout()}, 0, 2, add).ok());
  add.run(data.data(), at.data());
  CHECK(data == std::vector<std::uint8_t>{0, 13, 0, 11});
}

}  // namespace
