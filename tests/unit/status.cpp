// SPDX-License-Identifier: Apache-2.0
// What a call reports: each error's message word for word, its code, and the limits of the text.
#include "support/catch.hpp"
#include "support/constify.hpp"
#include "support/index_types.hpp"

#include <strew/strew.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <iomanip>
#include <limits>
#include <new>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

using strew::errc;
using strew::error_message;
using strew::index_list;
using strew::int64_max;
using strew::int64_min;
using strew::scatter_error;
using strew::status;
using strew::tensor_view;
using strew::test::constify;
using namespace std::string_view_literals;

namespace {

const index_list seventeen = std::vector<int>(17, 1);

// What a view may have at most, and how messages end that refuse one with more.
constexpr std::int64_t most_elements = std::numeric_limits<std::ptrdiff_t>::max();
const std::string too_many = " and their strides hold more than " + std::to_string(most_elements) +
                             " elements or span more than " + std::to_string(most_elements) + " bytes";

std::string message_of(const status& outcome) {
  return std::string(outcome.message().view());
}

// Row-major views of elements that no test reads: large enough for all of them.
std::array<float, 64> data_memory;
std::array<float, 64> updates_memory;
std::array<std::int64_t, 64> indices_memory;

tensor_view<float> data(const index_list& extents) {
  return {data_memory.data(), extents};
}
tensor_view<const float> updates(const index_list& extents) {
  return {updates_memory.data(), extents};
}
tensor_view<std::int64_t> indices(const index_list& extents) {
  return {indices_memory.data(), extents};
}

std::string slice_scatter(const index_list& data_extents, const index_list& updates_extents,
                          const strew::slice_spec& slice) {
  return message_of(strew::try_slice_scatter(data(data_extents), updates(updates_extents), slice));
}

std::string view_message(const index_list& extents) {
  tensor_view<float> view;
  return message_of(tensor_view<float>::try_make(data_memory.data(), extents, view));
}

std::string view_message(const index_list& extents, const index_list& strides) {
  tensor_view<float> view;
  return message_of(tensor_view<float>::try_make(data_memory.data(), extents, strides, view));
}

template <class Call>
std::string thrown_by(Call call) {
  try {
    call();
  } catch (const scatter_error& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("statuses and messages go to any stream of characters, without another include", "[status]") {
  strew::tensor_view<float> view;
  const strew::status error = strew::tensor_view<float>::try_make(nullptr, {2}, view);
  std::ostringstream stream;
  stream << error.message() << '|' << error << '|' << strew::status();
  const std::string text(error.message().view());
  CHECK(stream.str() == text + '|' + text + "|ok");
  std::ostringstream wide;
  wide << std::setw(5) << strew::status();
  CHECK(wide.str() == "   ok");
}

TEST_CASE("an ok status has nothing to say", "[status]") {
  constify([](auto& expect) {
    constexpr status outcome;
    expect(outcome.ok() && outcome && outcome.code() == errc::ok);
    expect(outcome.operation() == ""sv && outcome.operand() == ""sv && outcome.coordinate().empty());
    expect(outcome.message().view().empty() && outcome.message().c_str()[0] == '\0');
  });
}

TEST_CASE("a status keeps what happened", "[status]") {
  constify([](auto& expect) {
    const status error{errc::zero_step,
                       "operation",
                       "operand",
                       "{c} = {0}, {1}, {2}, {3}, {4} as {o} has",
                       {int64_min, -1, 0, 1, int64_max},
                       {2, 3},
                       "other"};
    expect(!error.ok() && !error && error.code() == errc::zero_step);
    expect(error.operation() == "operation"sv && error.operand() == "operand"sv);
    expect(error.coordinate() == index_list{2, 3});
    expect(error.message().view() ==
           "operation: operand[2, 3] = -9223372036854775808, -1, 0, 1, 9223372036854775807 as other has");
    status copy;
    copy = error;
    expect(copy.message().view() == error.message().view() && copy.code() == error.code());
    const status another = copy;
    expect(another.message().view() == error.message().view() && another.coordinate() == index_list{2, 3});
    copy = status{};
    expect(copy.ok() && copy.message().view().empty() && copy.operation() == ""sv);
  });
}

TEST_CASE("an unsigned number is printed as one", "[status]") {
  constify([](auto& expect) {
    status error{errc::index_out_of_bounds, "a", "b", " {0} {1}", {int64_min, -1}};
    expect(error.message().view() == "a: b -9223372036854775808 -1");
    error.first_number_is_unsigned();
    expect(error.message().view() == "a: b 9223372036854775808 -1");
    const status copy = error;
    expect(copy.message().view() == "a: b 9223372036854775808 -1");
  });
}

TEST_CASE("messages of views", "[status]") {
  CHECK(view_message(seventeen) == "tensor_view: extents has more than 16 entries (STREW_MAX_RANK)");
  CHECK(view_message({1}, seventeen) == "tensor_view: strides has more than 16 entries (STREW_MAX_RANK)");
  CHECK(view_message({2, 3}, {1}) == "tensor_view: strides has length 1, expected 2 as extents has");
  CHECK(view_message({2, -3}) == "tensor_view: extents[1] = -3 is negative");
  CHECK(view_message({4294967296, 4294967296}) == "tensor_view: extents [4294967296, 4294967296]" + too_many);
  tensor_view<float> view;
  CHECK(message_of(tensor_view<float>::try_make(nullptr, {2, 3}, view)) ==
        "tensor_view: data is null, but extents [2, 3] hold elements");
  CHECK(thrown_by([] {
          static_cast<void>(data({2, 3}).at(1, 3));
        }) == "tensor_view::at: coordinate [1, 3] has index 3 on axis 1, outside [0, 2]");
  CHECK(thrown_by([] {
          static_cast<void>(data({2, 3}).at(-1, 3));
        }) == "tensor_view::at: coordinate [-1, 3] has index -1 on axis 0, outside [0, 1]");
  CHECK(thrown_by([] {
          static_cast<void>(data({2, 3}).at(1));
        }) == "tensor_view::at: coordinate has length 1, expected 2 (the rank)");
  CHECK(thrown_by([] {
          static_cast<void>(data({2, 3}).at(seventeen));
        }) == "tensor_view::at: coordinate has more than 16 entries, expected 2 (the rank)");
  CHECK(thrown_by([] {
          static_cast<void>(data({2, 0}).at(1, 0));
        }) == "tensor_view::at: coordinate [1, 0] has index 0 on axis 1, which has extent 0");
}

TEST_CASE("messages of view transforms", "[status]") {
  tensor_view<float> view;
  const auto matrix = data({2, 3});
  CHECK(message_of(strew::try_permute(matrix, {0}, view)) ==
        "permute: axes has length 1, expected 2 (the rank of the view)");
  CHECK(message_of(strew::try_permute(matrix, {0, -2}, view)) == "permute: axes[1] = -2 names axis 0 a second time");
  CHECK(message_of(strew::try_permute(matrix, {0, 2}, view)) ==
        "permute: axes[1] = 2 is outside [-2, 1] (the view has rank 2)");
  CHECK(message_of(strew::try_reverse(matrix, -3, view)) ==
        "reverse: axis = -3 is outside [-2, 1] (the view has rank 2)");
  CHECK(message_of(strew::try_slice(matrix, 2, 0, 1, 1, view)) ==
        "slice: axis = 2 is outside [-2, 1] (the view has rank 2)");
  CHECK(message_of(strew::try_broadcast(matrix, {3}, view)) ==
        "broadcast: extents has length 1, expected at least 2 (the rank of the view)");
  CHECK(message_of(strew::try_broadcast(matrix, {5, 2, 4}, view)) ==
        "broadcast: extents[2] = 4, expected 3 or a view with extent 1 there");
  CHECK(message_of(strew::try_broadcast(matrix, seventeen, view)) ==
        "broadcast: extents has more than 16 entries (STREW_MAX_RANK)");
  CHECK(message_of(strew::try_broadcast(matrix, {-1, 2, 3}, view)) == "broadcast: extents[0] = -1 is negative");
  CHECK(message_of(strew::try_broadcast(matrix, {1LL << 62, 2, 3}, view)) ==
        "broadcast: extents [4611686018427387904, 2, 3]" + too_many);
  CHECK(message_of(strew::try_slice(matrix, 0, 0, 1, 0, view)) ==
        "slice: step = 0 selects nothing, expected any other value");
  strew::slice_range range;
  CHECK(message_of(strew::try_resolve_slice(0, 1, 0, 5, range)) ==
        "resolve_slice: step = 0 selects nothing, expected any other value");
  CHECK(message_of(strew::try_resolve_slice(0, 1, 1, -5, range)) == "resolve_slice: extent = -5 is negative");
}

TEST_CASE("messages of slice_scatter", "[status]") {
  CHECK(slice_scatter({}, {}, {}) == "slice_scatter: data has rank 0, expected at least 1");
  CHECK(slice_scatter({4, 4}, {1, 4}, {.start = {0, 0}, .stop = {1}, .step = {1, 1}}) ==
        "slice_scatter: stop has length 1, expected 2 as start has");
  CHECK(slice_scatter({4, 4}, {1, 4}, {.start = {0}, .stop = {1}, .step = {1, 1}}) ==
        "slice_scatter: step has length 2, expected 1 as start has");
  CHECK(slice_scatter({4, 4}, {1, 4}, {.start = 0, .stop = 1, .step = 1, .axes = {}}) ==
        "slice_scatter: axes has length 0, expected 1 as start has");
  CHECK(slice_scatter({4, 4}, {1, 4}, {.start = {0, 0, 0}, .stop = {1, 1, 1}, .step = {1, 1, 1}}) ==
        "slice_scatter: start has length 3, expected at most 2 (the rank of data)");
  CHECK(slice_scatter({4, 4}, {1, 4}, {.start = seventeen, .stop = seventeen, .step = seventeen}) ==
        "slice_scatter: start has more than 16 entries (STREW_MAX_RANK)");
  CHECK(slice_scatter({4, 4}, {1, 4}, {.start = 0, .stop = 1, .step = 1, .axes = 2}) ==
        "slice_scatter: axes[0] = 2 is outside [-2, 1] (data has rank 2)");
  CHECK(slice_scatter({4, 4}, {1, 4}, {.start = {0, 0}, .stop = {1, 1}, .step = {1, 1}, .axes = {1, -1}}) ==
        "slice_scatter: axes[1] = -1 names axis 1 a second time");
  CHECK(slice_scatter({4, 4}, {1, 4}, {.start = {0, 0}, .stop = {1, 1}, .step = {1, 0}}) ==
        "slice_scatter: step[1] = 0 selects nothing, expected any other value");
  CHECK(slice_scatter({4, 4}, {2, 4}, {.start = 0, .stop = 1, .step = 1}) ==
        "slice_scatter: updates has extent 2 on axis 0, expected 1 as the slice of data has");
  CHECK(slice_scatter({4, 4}, {4}, {.start = 0, .stop = 1, .step = 1}) ==
        "slice_scatter: updates has rank 1, expected 2 as the slice of data has");
  index_list extents;
  CHECK(message_of(strew::try_updates_extents(strew::slice_scatter, {4, -4}, {}, extents)) ==
        "updates_extents(slice_scatter): data_extents[1] = -4 is negative");
}

TEST_CASE("messages of scatter_update", "[status]") {
  const auto message = [](const index_list& data_extents, const index_list& indices_extents,
                          const index_list& updates_extents, const index_list& axis) {
    return message_of(
        strew::try_scatter_update(data(data_extents), indices(indices_extents), updates(updates_extents), axis));
  };
  indices_memory = {0, 2, 1, -1};
  CHECK(message({}, {1}, {1}, 0) == "scatter_update: data has rank 0, expected at least 1");
  CHECK(message({3, 4}, {2}, {2, 4}, {0, 1}) == "scatter_update: axis has length 2, expected 1");
  CHECK(message({3, 4}, {2}, {2, 4}, {}) == "scatter_update: axis has length 0, expected 1");
  CHECK(message({3, 4}, {2}, {2, 4}, -3) == "scatter_update: axis = -3 is outside [-2, 1] (data has rank 2)");
  CHECK(message({3, 4}, {2}, {2, 5}, 0) ==
        "scatter_update: updates has extent 5 on axis 1, expected 4 as data has on axis 1");
  CHECK(message({3, 4}, {2, 2}, {2, 3, 4}, 0) ==
        "scatter_update: updates has extent 3 on axis 1, expected 2 as indices has on axis 1");
  CHECK(message({3, 4}, {4}, {4, 4}, 0) == "scatter_update: indices[3] = -1 is outside [0, 2] (axis 0 has extent 3)");
  CHECK(message({2, 4}, {}, {4}, 0).empty());
  CHECK(message({3, 0}, {2, 2}, {3, 2, 2}, 1) ==
        "scatter_update: indices[0, 0] = 0 names no element (axis 1 has extent 0)");
  indices_memory[0] = 4294967296;
  CHECK(message({3, 4}, {}, {4}, 0) == "scatter_update: indices = 4294967296 is outside [0, 2] (axis 0 has extent 3)");
  index_list extents;
  CHECK(message_of(strew::try_updates_extents(strew::scatter_update, {4}, {2, -1}, 0, extents)) ==
        "updates_extents(scatter_update): indices_extents[1] = -1 is negative");
  CHECK(message_of(strew::try_updates_extents(strew::scatter_update, {1, 2}, std::vector<int>(16, 1), 0, extents)) ==
        "updates_extents(scatter_update): updates has more than 16 entries (STREW_MAX_RANK)");
}

TEST_CASE("messages of scatter_elements_update and onnx::scatter", "[status]") {
  const auto openvino = [](const index_list& data_extents, const index_list& indices_extents,
                           const index_list& updates_extents, const index_list& axis) {
    return message_of(strew::try_scatter_elements_update(data(data_extents), indices(indices_extents),
                                                         updates(updates_extents), axis));
  };
  const auto onnx = [](const index_list& data_extents, const index_list& indices_extents,
                       const index_list& updates_extents, const index_list& axis) {
    return message_of(
        strew::onnx::try_scatter(data(data_extents), indices(indices_extents), updates(updates_extents), axis));
  };
  indices_memory.fill(0);
  CHECK(openvino({3, 4}, {3}, {3}, 0) == "scatter_elements_update: indices has rank 1, expected 2 as data has");
  CHECK(openvino({3, 4}, {3, 5}, {3, 5}, 0) ==
        "scatter_elements_update: indices has extent 5 on axis 1, expected at most 4 as data has");
  CHECK(openvino({3, 4}, {3, 4}, {3, 3}, 0) ==
        "scatter_elements_update: updates has extent 3 on axis 1, expected 4 as indices has");
  CHECK(openvino({3, 4}, {3, 4}, {3, 4, 1}, 0) ==
        "scatter_elements_update: updates has rank 3, expected 2 as indices has");
  CHECK(onnx({3, 4}, {3, 5}, {3, 5}, 0) ==
        "onnx::scatter: indices has extent 5 on axis 1, expected at most 4 as data has");
  CHECK(onnx({3, 4}, {3, 4}, {3, 4}, 2) == "onnx::scatter: axis = 2 is outside [-2, 1] (data has rank 2)");

  indices({2, 1, 3})(1, 0, 2) = 7;
  CHECK(openvino({2, 5, 3}, {2, 1, 3}, {2, 1, 3}, 1) ==
        "scatter_elements_update: indices[1, 0, 2] = 7 is outside [0, 4] (axis 1 has extent 5)");
  CHECK(openvino({2, 5, 3}, {2, 1, 3}, {2, 1, 3}, -2) ==
        "scatter_elements_update: indices[1, 0, 2] = 7 is outside [0, 4] (axis 1 has extent 5)");
  indices({2, 1, 3})(1, 0, 2) = -6;
  CHECK(onnx({2, 5, 3}, {2, 1, 3}, {2, 1, 3}, 1) ==
        "onnx::scatter: indices[1, 0, 2] = -6 is outside [-5, 4] (axis 1 has extent 5)");
  indices({2, 1, 3})(1, 0, 2) = int64_min;
  CHECK(onnx({2, 5, 3}, {2, 1, 3}, {2, 1, 3}, 1) ==
        "onnx::scatter: indices[1, 0, 2] = -9223372036854775808 is outside [-5, 4] (axis 1 has extent 5)");
  indices_memory.fill(0);
  CHECK(onnx({1, 0, 2}, {1, 1, 2}, {1, 1, 2}, 1) ==
        "onnx::scatter: indices[0, 0, 0] = 0 names no element (axis 1 has extent 0)");
}

TEST_CASE("an index of 2^63 or more is printed unsigned", "[status]") {
  const std::array<std::uint64_t, 2> large{3, std::uint64_t{1} << 63};
  CHECK(message_of(strew::onnx::try_scatter(data({4}), tensor_view{large.data(), {2}}, updates({2}))) ==
        "onnx::scatter: indices[1] = 9223372036854775808 is outside [-4, 3] (axis 0 has extent 4)");
  const std::array<std::uint8_t, 1> byte{200};
  CHECK(message_of(strew::try_scatter_update(data({4}), tensor_view{byte.data(), {1}}, updates({1}), 0)) ==
        "scatter_update: indices[0] = 200 is outside [0, 3] (axis 0 has extent 4)");
}

TEST_CASE("a value of 2^63 or more is printed as it was given", "[status]") {
  constexpr std::uint64_t half = std::uint64_t{1} << 63;
  constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  tensor_view<float> view;
  const auto matrix = data({2, 3});

  SECTION("as an axis") {
    const auto axis_message = [](const index_list& axis) {
      return message_of(strew::try_scatter_update(data({3, 4}), indices({2}), updates({2, 4}), axis));
    };
    CHECK(axis_message(half) == "scatter_update: axis = 9223372036854775808 is outside [-2, 1] (data has rank 2)");
    CHECK(axis_message(std::vector<std::uint64_t>{most}) ==
          "scatter_update: axis = 18446744073709551615 is outside [-2, 1] (data has rank 2)");
    CHECK(message_of(strew::try_slice(matrix, half + 1, 0, 1, 1, view)) ==
          "slice: axis = 9223372036854775809 is outside [-2, 1] (the view has rank 2)");
    CHECK(message_of(strew::try_reverse(matrix, most, view)) ==
          "reverse: axis = 18446744073709551615 is outside [-2, 1] (the view has rank 2)");
    CHECK(message_of(strew::try_permute(matrix, {0, half}, view)) ==
          "permute: axes[1] = 9223372036854775808 is outside [-2, 1] (the view has rank 2)");
    CHECK(slice_scatter({4, 4}, {1, 4}, {.start = 0, .stop = 1, .step = 1, .axes = half}) ==
          "slice_scatter: axes[0] = 9223372036854775808 is outside [-2, 1] (data has rank 2)");
  }
  SECTION("as an extent") {
    const std::size_t rows = 2;
    CHECK(view_message({rows - 6, 4}) == "tensor_view: extents [" + std::to_string(rows - 6) + ", 4]" + too_many);
    CHECK(message_of(strew::try_broadcast(matrix, {half, 3}, view)) ==
          "broadcast: extents[0] = 9223372036854775808, expected 2 or a view with extent 1 there");
    CHECK(message_of(strew::try_broadcast(data({1, 3}), {half, half}, view)) ==
          "broadcast: extents[1] = 9223372036854775807 or more, expected 3 or a view with extent 1 there");
    // A bool array of PTRDIFF_MAX would fit.
    bool element = false;
    tensor_view<bool> flags;
    CHECK(tensor_view<bool>::try_make(&element, most_elements, flags).ok());
    CHECK(message_of(tensor_view<bool>::try_make(&element, half, flags)) ==
          "tensor_view: extents [9223372036854775808]" + too_many);
    // A stride that no element takes may be anything.
    CHECK(tensor_view<bool>::try_make(&element, {1, 1}, {most, half}, flags).ok());
  }
  SECTION("as a coordinate") {
    CHECK(thrown_by([&] { static_cast<void>(matrix.at(1, half)); }) ==
          "tensor_view::at: coordinate [1, 9223372036854775808] has index 9223372036854775808 on axis 1, outside "
          "[0, 2]");
  }
}

TEST_CASE("a list prints its first value of 2^63 or more, and says what it knows of others", "[status]") {
  constify([](auto& expect) {
    constexpr std::uint64_t half = std::uint64_t{1} << 63;
    const auto prints = [](const index_list& list, std::string_view text) {
      const status error{errc::index_out_of_bounds, "", "", "{c}", {}, list};
      const status copy = error;
      return error_message{}.append(list).view() == text && error.message().view().substr(2) == text &&
             copy.message().view().substr(2) == text;
    };
    expect(prints({1, half + 7, int64_max}, "[1, 9223372036854775815, 9223372036854775807 or more]"));
    expect(prints({int64_max, half}, "[9223372036854775807, 9223372036854775808]"));
    expect(prints({int64_max, half - 1}, "[9223372036854775807, 9223372036854775807]"));
    expect(prints({half, half + 1}, "[9223372036854775808, 9223372036854775807 or more]"));
    expect(prints(std::array<std::uint64_t, 2>{2, half}, "[2, 9223372036854775808]"));
    expect(prints(half, "[9223372036854775808]"));
    index_list list{half, 4};
    expect(list[0] == int64_max && list == index_list{int64_max, 4});
    list[0] = 3;
    expect(prints(list, "[3, 4]"));
    list = index_list{int64_max};
    expect(prints(list, "[9223372036854775807]"));
    const index_list given{half, 1};
    const index_list copy = given;  // as fast as without such a value
    expect(prints(copy, "[9223372036854775807 or more, 1]"));
    list = given;
    expect(prints(list, "[9223372036854775807 or more, 1]"));
  });
}

TEST_CASE("messages about the output", "[status]") {
  const auto in_bounds = indices({2});
  indices_memory.fill(0);
  const tensor_view<float> repeated{data_memory.data(), {3}, {0}};
  CHECK(message_of(strew::try_scatter_update(updates({3}), in_bounds, updates({2}), 0, repeated)) ==
        "scatter_update: output holds some element twice (a stride of 0, or axes that overlap)");
  CHECK(message_of(strew::try_scatter_update(updates({3}), in_bounds, updates({2}), 0, data({4}))) ==
        "scatter_update: output has extent 4 on axis 0, expected 3 as data has");
  CHECK(message_of(strew::try_scatter_update(updates({3}), in_bounds, updates({2}), 0, data({3, 1}))) ==
        "scatter_update: output has rank 2, expected 1 as data has");
  const tensor_view<float> shifted{data_memory.data() + 1, {3}};
  CHECK(message_of(strew::try_scatter_update(data({3}), in_bounds, updates({2}), 0, shifted)) ==
        "scatter_update: output shares memory with data without being the very same view");
  CHECK(message_of(strew::try_scatter_update(updates({3}), in_bounds, data({2}), 0, data({3}))) ==
        "scatter_update: output shares memory with updates");
  const tensor_view<std::int64_t> integers{indices_memory.data(), {3}};
  CHECK(message_of(strew::try_scatter_update(integers, in_bounds, indices({2}), 0)) ==
        "scatter_update: output shares memory with indices");
}

TEST_CASE("the longest messages fit, and longer ones are cut", "[status]") {
  index_list extremes;
  for (int k = 0; k < strew::max_rank; ++k) extremes.push_back(int64_min);

  SECTION("extents that span too much") {
    index_list huge;
    for (int k = 0; k < strew::max_rank; ++k) huge.push_back(int64_max);
    const std::string message = view_message(huge);
    CHECK_THAT(message, Catch::Matchers::EndsWith("9223372036854775807]" + too_many));
  }
  SECTION("every field at its longest, under the longest names of the library") {
    const status error{errc::index_out_of_bounds,
                       "updates_extents(scatter_elements_update)",
                       "indices_extents",
                       "{c} = {0} is outside [{1}, {2}] (axis {3} has extent {4}) as {o} has",
                       {int64_min, int64_min, int64_min, int64_min, int64_min},
                       extremes,
                       "the slice of data"};
    CHECK_THAT(message_of(error),
               Catch::Matchers::EndsWith("has extent -9223372036854775808) as the slice of data has"));
    CHECK(error.message().view().size() < error_message::capacity);
  }
  SECTION("a text beyond the capacity") {
    struct {
      error_message text;
      std::uint64_t after = 0xA5A5A5A5A5A5A5A5;
    } guarded;
    for (int k = 0; k < 100; ++k) guarded.text.append(extremes).append("and more").append('.').append(int64_min);
    CHECK(guarded.text.view().size() == error_message::capacity);
    CHECK(guarded.text.c_str()[error_message::capacity] == '\0');
    CHECK(guarded.after == 0xA5A5A5A5A5A5A5A5);
  }
}

TEST_CASE("a message is made of numbers, letters and lists", "[status]") {
  constify([](auto& expect) {
    expect(error_message{}.append(int64_min).view() == "-9223372036854775808");
    expect(error_message{}.append(int64_max).view() == "9223372036854775807");
    expect(error_message{}.append(std::numeric_limits<std::uint64_t>::max()).view() == "18446744073709551615");
    expect(error_message{}.append(std::int64_t{0}).append(' ').append(std::int64_t{-10}).view() == "0 -10");
    expect(error_message{}.append(index_list{}).view() == "[]");
    expect(error_message{}.append(index_list{-1}).append("").append(index_list{2, 3}).view() == "[-1][2, 3]");
    const error_message text = error_message{}.append("text");
    expect(std::string_view(text) == "text" && std::string_view(text.c_str()) == "text");
  });
}

TEST_CASE("a scatter_error is an invalid argument with a code", "[status]") {
  STATIC_REQUIRE(std::is_base_of_v<std::invalid_argument, scatter_error>);
  try {
    strew::slice_scatter(data({4}), updates({2}), {.start = 0, .stop = 1, .step = 1});
    FAIL("nothing was thrown");
  } catch (const std::invalid_argument& error) {
    CHECK(std::string(error.what()) ==
          "slice_scatter: updates has extent 2 on axis 0, expected 1 as the slice of data has");
    const auto* const scatter = dynamic_cast<const scatter_error*>(&error);
    REQUIRE(scatter != nullptr);
    CHECK(scatter->code() == errc::extent_mismatch);
    CHECK(scatter->status().code() == errc::extent_mismatch);
    CHECK(message_of(scatter->status()) == error.what());
    const scatter_error copy = *scatter;
    CHECK(std::string(copy.what()) == error.what());
    CHECK(copy.code() == errc::extent_mismatch);
  }
}

TEST_CASE("a status never throws", "[status]") {
  STATIC_REQUIRE(std::is_nothrow_default_constructible_v<status>);
  STATIC_REQUIRE(std::is_nothrow_copy_constructible_v<status>);
  STATIC_REQUIRE(std::is_nothrow_copy_assignable_v<status>);
  STATIC_REQUIRE(std::is_trivially_destructible_v<status>);
  STATIC_REQUIRE(std::is_nothrow_constructible_v<status, errc, const char*, const char*, const char*>);
  STATIC_REQUIRE(noexcept(std::declval<const status&>().message()));
  STATIC_REQUIRE(noexcept(std::declval<const status&>().ok()));
  STATIC_REQUIRE(std::is_nothrow_copy_constructible_v<error_message>);
  STATIC_REQUIRE(noexcept(std::declval<error_message&>().append(index_list{})));
  STATIC_REQUIRE_FALSE(std::is_convertible_v<status, bool>);
}
