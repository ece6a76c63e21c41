// SPDX-License-Identifier: Apache-2.0
// Which update won: every sentence of its section in docs/extensions.md, which each section quotes.
#include "support/catch.hpp"

#include <strew/dynamic.hpp>
#include <strew/dynamic_schedule.hpp>
#include <strew/strew.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace strew::test {
namespace {

namespace red = strew::reduction;
using numbers64 = std::vector<std::int64_t>;

constexpr float nan = std::numeric_limits<float>::quiet_NaN();

// scatter_reduce along the only axis, in float, of max or min: the result and the numbers.
template <class R>
std::pair<std::vector<float>, numbers64> reduce(std::vector<float> data, const numbers64& indices,
                                                const std::vector<float>& updates, R reduction) {
  std::vector<float> out(data.size());
  numbers64 numbers(data.size(), 77);
  scatter_reduce(data, 0, indices, updates, red::with_positions(reduction, numbers), out);
  return {out, numbers};
}

TEST_CASE("each element of numbers is the number of the update that the output holds, or -1") {
  const std::vector<float> data{1, 2, 3, 4};
  const std::vector<float> updates{5, 1, 7, 7, 2};
  const numbers64 indices{0, 1, 2, 2, 0};
  std::vector<float> out(4);
  numbers64 numbers(4, 77);

  SECTION("the call computes what it computes with `reduction`") {
    scatter_reduce(data, 0, indices, updates, red::with_positions(red::max, numbers), out);
    CHECK(out == std::vector<float>{5, 2, 7, 4});
    CHECK(numbers == numbers64{0, -1, 2, -1});
    scatter_reduce(data, 0, indices, updates, red::with_positions(red::min, numbers), out);
    CHECK(out == std::vector<float>{1, 1, 3, 4});
    CHECK(numbers == numbers64{-1, 1, -1, -1});
  }
  SECTION("`none` is taken by every operator named here") {
    scatter_reduce(data, 0, indices, updates, red::with_positions(red::none, numbers), out);
    CHECK(out == std::vector<float>{2, 1, 7, 4});
    CHECK(numbers == numbers64{4, 1, 3, -1});
    const numbers64 expected = numbers;
    const std::vector<float> result = out;
    const auto check = [&](auto call) {
      out.assign(4, 0);
      numbers.assign(4, 77);
      call(red::with_positions(red::none, numbers));
      CHECK(out == result);
      CHECK(numbers == expected);
    };
    check([&](auto won) { index_reduce(data, 0, indices, updates, won, out); });
    check([&](auto won) { put(data, indices, updates, won, out); });
    check([&](auto won) { index_put(data, std::tuple(indices), updates, won, out); });
    const tensor_view tuples(indices.data(), {5, 1});
    check([&](auto won) { v3::scatter_nd_update(data, tuples, updates, won, out); });
    check([&](auto won) { v14::scatter_nd_update(data, tuples, updates, won, out); });
    check([&](auto won) { v15::scatter_nd_update(data, tuples, updates, won, out); });
    check([&](auto won) { onnx::scatter_nd(data, tuples, updates, won, out); });
    check([&](auto won) { v12::scatter_elements_update(data, indices, updates, 0, won, out); });
    check([&](auto won) { onnx::scatter_elements(data, indices, updates, won, out); });
    check([&](auto won) { onnx::scatter_elements(data, indices, updates, 0, won, out); });
    // "It stands before the output, after all other arguments, and is of `none`."
    check([&](auto won) { scatter_update(data, indices, updates, 0, won, out); });
    check([&](auto won) { scatter_update(data, indices, updates, {0}, won, out); });
    check([&](auto won) { index_copy(data, 0, indices, updates, won, out); });
    check([&](auto won) { scatter(data, 0, indices, updates, won, out); });
    check([&](auto won) { put_along_axis(data, indices, updates, 0, won, out); });
    check([&](auto won) { onnx::scatter(data, indices, updates, 0, won, out); });
    check([&](auto won) { onnx::scatter(data, indices, updates, won, out); });
    // "An executor may come first."
    check([&](auto won) { scatter_update(serial, data, indices, updates, 0, won, out); });
    check([&](auto won) { onnx::scatter(serial, data, indices, updates, 0, won, out); });
    check([&](auto won) { onnx::scatter(serial, data, indices, updates, won, out); });
    check([&](auto won) { index_copy(serial, data, 0, indices, updates, won, out); });
    check([&](auto won) { put_along_axis(serial, data, indices, updates, 0, won, out); });
    check([&](auto won) { put(serial, data, indices, updates, won, out); });
    // "Without `output` the call is in place."
    check([&](auto won) { out = data, scatter_update(out, indices, updates, 0, won); });
    check([&](auto won) { out = data, scatter_update(serial, out, indices, updates, {0}, won); });
    check([&](auto won) { out = data, onnx::scatter(out, indices, updates, won); });
    check([&](auto won) { out = data, onnx::scatter(serial, out, indices, updates, won); });
    check([&](auto won) { out = data, index_copy(out, 0, indices, updates, won); });
    check([&](auto won) { out = data, scatter(serial, out, 0, indices, updates, won); });
    check([&](auto won) { out = data, put(out, indices, updates, won); });
    check([&](auto won) { out = data, scatter_reduce(out, 0, indices, updates, won); });
    // Without exceptions.
    check([&](auto won) { CHECK(try_scatter_update(data, indices, updates, 0, won, out).ok()); });
    check([&](auto won) { CHECK(try_scatter_reduce(serial, data, 0, indices, updates, won, out).ok()); });
  }
  SECTION("scatter_elements_update") {
    const numbers64 few{0, 2, 2};
    scatter_elements_update(data, few, std::vector<float>{8, 9, 6}, 0, red::with_positions(red::none, numbers), out);
    CHECK(out == std::vector<float>{8, 2, 6, 4});
    CHECK(numbers == numbers64{0, -1, 2, -1});
  }
}

TEST_CASE("the number of an update") {
  SECTION("on elements: its coordinate in `updates` on the axis") {
    const std::vector<int> data(6, 0);
    const std::vector<int> indices{0, 1, 0, 0, 1, 1};
    const std::vector<int> updates{1, 2, 3, 4, 5, 6};
    std::vector<int> out(6);
    std::vector<short> numbers(6, 7);
    const index_list rows{3, 2};
    scatter_reduce(tensor_view(data.data(), rows), 0, tensor_view(indices.data(), rows),
                   tensor_view(updates.data(), rows), red::with_positions(red::max, tensor_view(numbers.data(), rows)),
                   tensor_view(out.data(), rows));
    CHECK(out == std::vector<int>{3, 4, 5, 6, 0, 0});
    CHECK(numbers == std::vector<short>{1, 1, 2, 2, -1, -1});
    const std::vector<int> along{2, 0, 1, 1, 0, 0};
    const index_list lines{2, 3};
    scatter(tensor_view(data.data(), lines), 1, tensor_view(along.data(), lines), tensor_view(updates.data(), lines),
            red::with_positions(red::none, tensor_view(numbers.data(), lines)), tensor_view(out.data(), lines));
    CHECK(out == std::vector<int>{2, 3, 1, 6, 4, 0});
    CHECK(numbers == std::vector<short>{1, 2, 0, 2, 0, -1});
  }
  SECTION("on rows: the row-major number of its index; all elements of a row have numbers of their own") {
    const std::vector<int> data(6, 0);
    const std::vector<int> indices{1, 1, 0, 1};
    const std::vector<int> updates{1, 9, 5, 5, -1, 3, 2, 9};
    std::vector<int> out(6);
    std::vector<unsigned char> numbers(6, 7);
    index_reduce(tensor_view(data.data(), {3, 2}), 0, indices, tensor_view(updates.data(), {4, 2}),
                 red::with_positions(red::max, tensor_view(numbers.data(), {3, 2})), tensor_view(out.data(), {3, 2}));
    CHECK(out == std::vector<int>{0, 3, 5, 9, 0, 0});
    // "Unsigned types: -1 is their largest value."
    CHECK(numbers == std::vector<unsigned char>{255, 2, 1, 0, 255, 255});
    scatter_update(
        tensor_view(data.data(), {3, 2}), tensor_view(indices.data(), {2, 2}), tensor_view(updates.data(), {2, 2, 2}),
        0, red::with_positions(red::none, tensor_view(numbers.data(), {3, 2})), tensor_view(out.data(), {3, 2}));
    CHECK(numbers == std::vector<unsigned char>{2, 2, 3, 3, 255, 255});
  }
  SECTION("by multi-indices: the row-major number of the multi-index") {
    const std::vector<int> data(4, 0);
    const std::vector<int> tuples{1, 1, 0, 0, 1, 1, 1, 0};
    const std::vector<int> updates{5, 6, 7, 8};
    std::vector<int> out(4);
    numbers64 numbers(4);
    const tensor_view to(numbers.data(), {2, 2});
    v14::scatter_nd_update(tensor_view(data.data(), {2, 2}), tensor_view(tuples.data(), {2, 2, 2}),
                           tensor_view(updates.data(), {2, 2}), red::with_positions(red::max, to),
                           tensor_view(out.data(), {2, 2}));
    CHECK(out == std::vector<int>{6, 0, 8, 7});
    CHECK(numbers == numbers64{1, -1, 3, 2});
    const std::vector<int> first{1, 0, 1, 1};
    const std::vector<std::int64_t> second{1, 0, 1, 0};
    index_put(tensor_view(data.data(), {2, 2}), std::tuple(first, second), updates, red::with_positions(red::none, to),
              tensor_view(out.data(), {2, 2}));
    CHECK(numbers == numbers64{1, -1, 3, 2});
  }
  SECTION("put: the row-major number of its index") {
    std::vector<int> data(4, 0);
    const std::vector<int> indices{3, 0, -1, 0};
    const std::vector<int> updates{5, 6, 7, 8};
    numbers64 numbers(4);
    put(tensor_view(data.data(), {2, 2}, {1, 2}), tensor_view(indices.data(), {2, 2}),
        tensor_view(updates.data(), {2, 2}), red::with_positions(red::none, tensor_view(numbers.data(), {2, 2})));
    CHECK(data == std::vector<int>{8, 0, 0, 7});
    CHECK(numbers == numbers64{3, -1, -1, 2});
  }
  SECTION("one value in the place of `updates` stands for all of them, with the same numbers") {
    const std::vector<int> data{0, 1, 2};
    std::vector<int> out(3);
    numbers64 numbers(3);
    scatter_update(data, std::array{2, 0, 2}, 1, 0, red::with_positions(red::none, numbers), out);
    CHECK(out == std::vector<int>{1, 1, 1});
    CHECK(numbers == numbers64{1, -1, 2});
    scatter_reduce(data, 0, std::array{2, 0, 0, 1}, 1, red::with_positions(red::max, numbers), out);
    CHECK(out == std::vector<int>{1, 1, 2});
    CHECK(numbers == numbers64{1, -1, -1});
  }
}

TEST_CASE("duplicates of numbered updates") {
  SECTION("with `none` the last update of an element wins") {
    CHECK(reduce({0, 0}, {1, 1, 1}, {3, 1, 2}, red::none) == std::pair(std::vector<float>{0, 2}, numbers64{-1, 2}));
  }
  SECTION("of equal values the first one stays, which may be that of data") {
    CHECK(reduce({0, 3}, {1, 0, 0, 1}, {3, 1, 1, 3}, red::max).second == numbers64{1, -1});
    CHECK(reduce({5, 3}, {1, 0, 0, 1}, {3, 1, 1, 3}, red::min).second == numbers64{1, -1});
  }
  SECTION("also of -0.0 and 0.0") {
    CHECK(reduce({-0.0F, 0.0F}, {0, 1}, {0.0F, -0.0F}, red::max).second == numbers64{-1, -1});
    CHECK(reduce({-0.0F, 0.0F}, {0, 1}, {0.0F, -0.0F}, red::min).second == numbers64{-1, -1});
  }
  SECTION("so does the first NaN, and a NaN wins against every number") {
    const float inf = std::numeric_limits<float>::infinity();
    CHECK(reduce({0, nan, 0}, {0, 0, 0, 1, 1, 2}, {inf, nan, nan, nan, inf, -inf}, red::max).second ==
          numbers64{1, -1, -1});
    CHECK(reduce({0, nan, 0}, {0, 0, 0, 1, 1, 2}, {-inf, nan, nan, nan, -inf, inf}, red::min).second ==
          numbers64{1, -1, -1});
  }
  SECTION("of bool, `min` and `max` compare false with true") {
    const std::array<bool, 3> data{false, true, false};
    const std::array<bool, 4> updates{true, true, false, false};
    std::array<bool, 3> out{};
    numbers64 numbers(3);
    scatter_reduce(data, 0, std::array{0, 0, 1, 2}, updates, red::with_positions(red::max, numbers), out);
    CHECK(out == std::array{true, true, false});
    CHECK(numbers == numbers64{0, -1, -1});
    scatter_reduce(data, 0, std::array{0, 0, 1, 2}, updates, red::with_positions(red::min, numbers), out);
    CHECK(out == std::array{false, false, false});
    CHECK(numbers == numbers64{-1, 2, -1});
  }
  SECTION("an update that a policy drops wins nothing, and has its number all the same") {
    const std::vector<int> data{0, 0, 0};
    const std::vector<int> indices{5, 1, -9, 2, 1};
    std::vector<int> out(3);
    numbers64 numbers(3);
    index_reduce(data, 0, drop(indices), std::vector<int>{9, 1, 8, 7, 6}, red::with_positions(red::max, numbers), out);
    CHECK(out == std::vector<int>{0, 6, 7});
    CHECK(numbers == numbers64{-1, 4, 3});
    scatter_update(data, clip(indices), std::vector<int>{9, 1, 8, 7, 6}, 0, red::with_positions(red::none, numbers),
                   out);
    CHECK(numbers == numbers64{2, 4, 3});
    scatter_update(data, wrap(indices), std::vector<int>{9, 1, 8, 7, 6}, 0, red::with_positions(red::none, numbers),
                   out);
    CHECK(numbers == numbers64{2, 4, 3});
  }
}

// The error of a call that must leave output and numbers as they were.
template <class Integer, class T>
std::string error_of(std::vector<Integer>& numbers, std::vector<T>& out, const status& error) {
  for (const auto& each : numbers) CHECK(each == 77);
  for (const auto& each : out) CHECK(each == T(33));
  CHECK(!error.ok());
  return std::string(error.message().c_str());
}

TEST_CASE("numbers, and the errors that leave `numbers` and the output as they were") {
  const std::vector<int> data{0, 1, 2};
  std::vector<int> out(3, 33);
  const auto run = [&](auto& numbers, const auto& view, std::int64_t count) {
    const std::vector<int> indices(static_cast<std::size_t>(count), 1);
    const std::vector<int> updates(static_cast<std::size_t>(count), 5);
    return error_of(numbers, out,
                    try_scatter_update(data, indices, updates, 0, red::with_positions(red::none, view), out));
  };
  SECTION("it has the extents of the output") {
    numbers64 numbers(4, 77);
    CHECK(run(numbers, tensor_view(numbers.data(), {4}), 2) ==
          "scatter_update: numbers has extent 4 on axis 0, expected 3 as output has");
    CHECK(run(numbers, tensor_view(numbers.data(), {3, 1}), 2) ==
          "scatter_update: numbers has rank 2, expected 1 as output has");
  }
  SECTION("it must hold every number") {
    std::vector<signed char> small(3, 77);
    CHECK(run(small, tensor_view(small.data(), {3}), 129) ==
          "scatter_update: numbers is of a type that holds 128 numbers beside -1, but updates have 129");
    scatter_update(data, std::vector<int>(128, 2), 4, 0, red::with_positions(red::none, small), out);
    CHECK(small == std::vector<signed char>{-1, -1, 127});
    std::vector<std::uint8_t> bytes(3, 77);
    out.assign(3, 33);
    CHECK(run(bytes, tensor_view(bytes.data(), {3}), 256) ==
          "scatter_update: numbers is of a type that holds 255 numbers beside -1, but updates have 256");
    scatter_update(data, std::vector<int>(255, 2), 4, 0, red::with_positions(red::none, bytes), out);
    CHECK(bytes == std::vector<std::uint8_t>{255, 255, 254});
  }
  SECTION("its elements must be distinct") {
    numbers64 numbers(3, 77);
    CHECK(run(numbers, tensor_view(numbers.data(), {3}, {0}), 2) ==
          "scatter_update: numbers holds some element twice (a stride of 0, or axes that overlap)");
  }
  SECTION("and share no memory with output, data, indices or updates") {
    std::vector<int> all(3, 1);
    std::vector<int> other(3, 2);
    const std::vector<int> before = all;
    const auto message = [&](const status& error) {
      CHECK(all == before);
      CHECK(error.code() == errc::overlap);
      return std::string(error.message().c_str());
    };
    const auto won = red::with_positions(red::max, all);
    CHECK(message(try_index_reduce(data, 0, other, data, won, all)) ==
          "index_reduce: numbers shares memory with output");
    CHECK(message(try_index_reduce(all, 0, other, data, won)) == "index_reduce: numbers shares memory with output");
    CHECK(message(try_index_reduce(all, 0, other, data, won, out)) == "index_reduce: numbers shares memory with data");
    CHECK(message(try_index_reduce(data, 0, all, data, won, out)) ==
          "index_reduce: numbers shares memory with indices");
    CHECK(message(try_index_reduce(data, 0, other, all, won, out)) ==
          "index_reduce: numbers shares memory with updates");
    CHECK(out == std::vector<int>(3, 33));
  }
  SECTION("which may be beside them in one array") {
    std::vector<int> both{7, 77, 7, 77, 7, 77};
    const tensor_view output(both.data(), {3}, {2});
    const tensor_view beside(both.data() + 1, {3}, {2});
    index_reduce(data, 0, std::array{1, 1}, std::array{5, 9}, red::with_positions(red::max, beside), output);
    CHECK(both == std::vector<int>{0, -1, 9, 1, 2, -1});
  }
  SECTION("found before illegal indices") {
    numbers64 numbers(4, 77);
    CHECK(error_of(numbers, out,
                   try_scatter_update(data, std::array{9}, std::array{5}, 0, red::with_positions(red::none, numbers),
                                      out)) ==
          "scatter_update: numbers has extent 4 on axis 0, expected 3 as output has");
    numbers.resize(3);
    CHECK(error_of(numbers, out,
                   try_scatter_update(data, std::array{9}, std::array{5}, 0, red::with_positions(red::none, numbers),
                                      out)) ==
          "scatter_update: indices[0] = 9 is outside [0, 2] (axis 0 has extent 3)");
  }
  SECTION("found after the errors of other operands") {
    numbers64 numbers(4, 77);
    CHECK(error_of(numbers, out,
                   try_scatter_update(data, std::array{1}, std::array{5, 6}, 0, red::with_positions(red::none, numbers),
                                      out)) ==
          "scatter_update: updates has extent 2 on axis 0, expected 1 as indices has on axis 0");
  }
  SECTION("all of it is written, also where there is no update; elements beside it are not") {
    numbers64 numbers(6, 77);
    scatter_update(data, std::vector<int>{}, std::vector<int>{}, 0,
                   red::with_positions(red::none, tensor_view(numbers.data() + 4, {3}, {-2})), out);
    CHECK(numbers == numbers64{-1, 77, -1, 77, -1, 77});
    CHECK(out == data);
  }
}

constexpr auto compute_numbers() {
  const std::array<int, 4> data{1, 2, 3, 4};
  const std::array<int, 5> updates{5, 1, 7, 7, 2};
  const std::array<int, 5> indices{0, 1, 2, 2, 0};
  std::array<int, 4> output{};
  std::array<short, 4> numbers{};
  scatter_reduce(data, 0, indices, updates, red::with_positions(red::max, numbers), output);
  std::array<short, 4> last{};
  put(data, indices, updates, red::with_positions(red::none, last), output);
  return std::pair(numbers, last);
}

// "If an assignment throws, elements and numbers hold old values, data's and -1, or those of some updates."; elements
// that cannot be copied as bytes.
TEST_CASE("numbers of strings, and in constant evaluation") {
  const std::vector<std::string> data{"b", "a long string that is on the heap", "c"};
  const std::vector<std::string> updates{"x", "another string that is on the heap", "bb", "x"};
  std::vector<std::string> out(3);
  std::vector<std::uint16_t> numbers(3);
  scatter_reduce(data, 0, std::array{0, 1, 2, 0}, updates, red::with_positions(red::max, numbers), out);
  CHECK(out == std::vector<std::string>{"x", updates[1], "c"});
  CHECK(numbers == std::vector<std::uint16_t>{0, 1, 65535});
  constexpr auto computed = compute_numbers();
  static_assert(computed.first == std::array<short, 4>{0, -1, 2, -1});
  static_assert(computed.second == std::array<short, 4>{4, 1, 3, -1});
}

// "Prepared and bound calls keep the view of `numbers`, into which each run writes: prepare checks its extents and its
// type, and each run what it shares memory with."
TEST_CASE("prepared and bound calls with numbers") {
  const std::vector<int> data{0, 1, 2};
  const std::vector<int> indices{2, 0, 2};
  const std::vector<int> updates{5, 6, 4};
  std::vector<int> out(3);
  numbers64 numbers(3, 77);
  const strided_layout three = tensor_view(data.data(), {3}).layout();
  SECTION("scatter_update") {
    const auto call =
        prepare<int, int>(scatter_update, {three, three, three, three}, 0, red::with_positions(red::none, numbers));
    CHECK(numbers == numbers64(3, 77));
    call.run(data.data(), indices.data(), updates.data(), out.data());
    CHECK(out == std::vector<int>{6, 1, 4});
    CHECK(numbers == numbers64{1, -1, 2});
    numbers.assign(3, 77);
    std::vector<std::byte> memory(call.bound_bytes());
    const auto bound = call.bind(indices.data(), memory);
    CHECK(numbers == numbers64(3, 77));
    bound.run(data.data(), updates.data(), out.data());
    CHECK(numbers == numbers64{1, -1, 2});
  }
  SECTION("scatter_reduce") {
    const auto call =
        prepare<int, int>(scatter_reduce, {three, three, three, three}, 0, red::with_positions(red::max, numbers));
    call.run(data.data(), indices.data(), updates.data(), out.data());
    CHECK(out == std::vector<int>{6, 1, 5});
    CHECK(numbers == numbers64{1, -1, 0});
    std::vector<std::byte> memory(call.bound_bytes());
    numbers.assign(3, 77);
    call.bind(indices.data(), memory).run(data.data(), updates.data(), out.data());
    CHECK(numbers == numbers64{1, -1, 0});
  }
  SECTION("extents and types are checked by prepare, overlaps by each run") {
    prepared_scatter<int, int, decltype(index_reduce)::operator_type, std::int64_t,
                     decltype(red::with_positions(red::max, out))>
        call;
    std::vector<int> four(4);
    CHECK(try_prepare(index_reduce, {three, three, three, three}, 0,
                      red::with_positions(red::max, tensor_view(four.data(), {4})), call)
              .code() == errc::extent_mismatch);
    CHECK(try_prepare(index_reduce, {three, three, three, three}, 0,
                      red::with_positions(red::max, tensor_view(out.data(), {3})), call)
              .ok());
    CHECK(call.try_run(data.data(), indices.data(), updates.data(), out.data()).code() == errc::overlap);
  }
}

// The same of tensors whose types are known at run time only, whose bound calls are run by the indices that are passed.
TEST_CASE("bound calls with numbers on tensors whose types are known at run time only") {
  const std::vector<float> values{0, 9, 2};
  std::vector<std::int16_t> positions{2, 0, 2, 1};
  const std::vector<float> sources{5, 6, 4, 9};
  std::vector<float> out(3, -7);
  std::vector<std::uint8_t> numbers(3, 77);
  std::vector<std::byte> memory;
  dynamic::schedule bound;
  const auto call = [&](const auto& step, dynamic::reduction how, std::int64_t extent) {
    const dynamic::tensor stored(numbers.data(), dynamic::element_type_of<std::uint8_t>, {extent});
    return try_index_reduce(step, dynamic::const_tensor(tensor_view{values.data(), {3}}), 0,
                            dynamic::index_tensor(positions.data(), index_type::int16, {4}),
                            dynamic::const_tensor(tensor_view{sources.data(), {4}}), red::with_positions(how, stored),
                            dynamic::tensor(tensor_view{out.data(), {3}}));
  };
  for (const auto kind : {reduction_kind::max, reduction_kind::none}) {
    const dynamic::reduction how{kind, true};
    CHECK(call(bound.measure(), how, 2).code() == errc::extent_mismatch);
    REQUIRE(call(bound.measure(), how, 3).ok());
    REQUIRE(bound.bytes() == 0);
    positions[1] = 3;
    CHECK(call(bound.make(memory), how, 3).code() == errc::index_out_of_bounds);
    positions[1] = 0;
    REQUIRE(call(bound.make(memory), how, 3).ok());
    CHECK(numbers == std::vector<std::uint8_t>(3, 77));
    CHECK(out == std::vector<float>(3, -7));
    REQUIRE(call(bound.run(), how, 3).ok());
    const bool is_max = kind == reduction_kind::max;
    CHECK(out == (is_max ? std::vector<float>{6, 9, 5} : std::vector<float>{6, 9, 4}));
    CHECK(numbers == (is_max ? std::vector<std::uint8_t>{1, 255, 0} : std::vector<std::uint8_t>{1, 3, 2}));
    numbers.assign(3, 77);
    out.assign(3, -7);
  }
  CHECK(call(bound.measure(), {reduction_kind::sum, true}, 3).code() == errc::unsupported_reduction);
}

}  // namespace
}  // namespace strew::test
