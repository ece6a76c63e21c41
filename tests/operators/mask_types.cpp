// SPDX-License-Identifier: Apache-2.0
// The element types of masks: bool, char, signed char, unsigned char and std::byte, and at run time booleans and
// integers of one byte. Whatever the type, an element selects if its byte is not 0.
#include "support/backwards.hpp"
#include "support/catch.hpp"

#include <strew/bound.hpp>
#include <strew/dynamic.hpp>
#include <strew/strew.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <type_traits>
#include <vector>

namespace strew::test {
namespace {

using dynamic::element_kind;

// 0, and bytes whose lowest, highest or every bit is set.
constexpr unsigned char bytes_of_masks[] = {0, 1, 2, 0x80, 0xff, 0, 0, 4, 0x40, 0, 1, 0};

std::vector<unsigned char> draw_bytes(std::size_t count) {
  std::vector<unsigned char> bytes(count);
  for (std::size_t i = 0; i < count; ++i) bytes[i] = bytes_of_masks[(i * 7 + i / 12) % 12];
  return bytes;
}
// Bytes as the elements of a mask. As bools those but 0 and 1 may be read as bytes only.
template <class M>
tensor_view<const M> view_as(const std::vector<unsigned char>& bytes, const index_list& extents,
                             const index_list& strides) {
  return {reinterpret_cast<const M*>(bytes.data()), extents, strides};
}

// What the documents say, element by element.
template <class T>
std::vector<T> scattered(std::vector<T> data, const std::vector<unsigned char>& mask, std::size_t step,
                         const std::vector<T>& source) {
  std::size_t next = 0;
  for (std::size_t i = 0; i < data.size(); ++i) {
    if (mask[i * step] != 0) data[i] = source[next++];
  }
  return data;
}
template <class T>
std::vector<T> filled(std::vector<T> data, const std::vector<unsigned char>& mask, std::size_t step, const T& value) {
  for (std::size_t i = 0; i < data.size(); ++i) {
    if (mask[i * step] != 0) data[i] = value;
  }
  return data;
}

template <class T>
T number(std::size_t i) {
  if constexpr (std::is_same_v<T, std::string>) {
    return std::to_string(i);
  } else {
    return static_cast<T>(i);
  }
}

template <class T, class M>
void check_all_forms(std::size_t count, std::size_t step) {
  const auto size = static_cast<std::int64_t>(count);
  const auto stride = static_cast<std::int64_t>(step);
  const std::vector<unsigned char> bytes = draw_bytes(count * step);
  const tensor_view<const M> mask = view_as<M>(bytes, {size}, {stride});
  std::vector<T> data, source;
  for (std::size_t i = 0; i < count; ++i) data.push_back(number<T>(i)), source.push_back(number<T>(1000 + i));
  const T value = number<T>(77);
  const std::vector<T> by_source = scattered(data, bytes, step, source);
  const std::vector<T> by_value = filled(data, bytes, step, value);
  const tensor_view<T> writable{data.data(), {size}};
  INFO("sizeof(T) " << sizeof(T) << ", " << count << " elements, step " << step);

  std::vector<T> output(count);
  masked_scatter(data, mask, source, output);
  CHECK(output == by_source);
  REQUIRE(try_masked_scatter(backwards{}, data, mask, source, output).ok());
  CHECK(output == by_source);
  masked_fill(backwards{}, data, mask, value, output);
  CHECK(output == by_value);
  REQUIRE(try_masked_fill(data, mask, value, output).ok());
  CHECK(output == by_value);
  output = data;
  masked_scatter(output, mask, source);
  CHECK(output == by_source);
  output = data;
  masked_fill(output, mask, tensor_view<const T>{&value, {}});
  CHECK(output == by_value);

  // Prepared, and bound.
  std::vector<std::byte> memory;
  const strided_layout layout = writable.layout();
  const auto scatters = prepare<T, M>(strew::masked_scatter, {layout, mask.layout(), layout, layout});
  output.assign(count, T());
  scatters.run(data.data(), mask.data(), source.data(), output.data());
  CHECK(output == by_source);
  memory.resize(scatters.bound_bytes());
  const auto bound = scatters.bind(mask.data(), memory);
  output.assign(count, T());
  bound.run(backwards{}, data.data(), source.data(), output.data());
  CHECK(output == by_source);
  const auto fills = prepare<T, M>(strew::masked_fill, {layout, mask.layout(), layout}, value);
  output.assign(count, T());
  fills.run(data.data(), mask.data(), output.data());
  CHECK(output == by_value);
  memory.resize(fills.bound_bytes());
  output.assign(count, T());
  fills.bind(mask.data(), memory).run(data.data(), output.data());
  CHECK(output == by_value);

  // Too few elements are counted by bytes, too.
  std::size_t selected = 0;
  for (std::size_t i = 0; i < count; ++i) selected += bytes[i * step] != 0 ? 1U : 0U;
  const tensor_view<const T> too_few{source.data(), {static_cast<std::int64_t>(selected) - 1}};
  const std::vector<T> before = output;
  const std::string text = "masked_scatter: source has " + std::to_string(selected - 1) + " elements, mask selects " +
                           std::to_string(selected);
  CHECK(std::string(try_masked_scatter(data, mask, too_few, output).message().view()) == text);
  prepared<T, M, strew::masked_scatter> tight;
  REQUIRE(try_prepare(strew::masked_scatter, {layout, mask.layout(), too_few.layout(), layout}, tight).ok());
  strew::bound<T, M, strew::masked_scatter> made;
  memory.resize(tight.bound_bytes());
  CHECK(std::string(tight.try_bind(mask.data(), memory, made).message().view()) == text);
  CHECK(std::string(tight.try_run(data.data(), mask.data(), source.data(), output.data()).message().view()) == text);
  CHECK(output == before);
}

TEMPLATE_TEST_CASE("every element type of masks in every form", "", bool, char, signed char, unsigned char, std::byte) {
  for (const std::size_t step : {1U, 3U}) {
    check_all_forms<float, TestType>(step == 1 ? 12 : 4099, step);
    check_all_forms<std::string, TestType>(37, step);
#if STREW_TEST_AT_LENGTH
    check_all_forms<std::uint8_t, TestType>(131, step);
    check_all_forms<double, TestType>(4099, step);
#endif
  }
}

TEMPLATE_TEST_CASE("containers are masks", "", char, signed char, unsigned char, std::byte) {
  std::vector<TestType> mask;
  for (const unsigned char byte : bytes_of_masks) mask.push_back(static_cast<TestType>(byte));
  const std::vector<unsigned char> bytes(std::begin(bytes_of_masks), std::end(bytes_of_masks));
  std::vector<int> data(12);
  masked_fill(data, mask, 5);
  CHECK(data == filled(std::vector<int>(12), bytes, 1, 5));
  const std::vector<int> source{1, 2, 3, 4, 5, 6, 7, 8};
  masked_scatter(data, mask, source);
  CHECK(data == scattered(std::vector<int>(12), bytes, 1, source));
  std::array<TestType, 4> four{mask[0], mask[1], mask[2], mask[3]};
  std::array<int, 4> few{};
  masked_fill(few, four, 9);
  CHECK(few == std::array{0, 9, 9, 9});
}

TEST_CASE("the mask of a bool, of a byte of it, of axes and of no elements") {
  const std::int8_t negative[] = {-1, 0, -128, 0, 0, 1};
  const tensor_view<const std::int8_t> mask{negative, {2, 3}};
  std::vector<short> data{1, 2, 3, 4, 5, 6};
  const tensor_view<short> matrix{data.data(), {2, 3}};
  masked_fill(transpose(matrix), transpose(mask), 9);
  CHECK(data == std::vector<short>{9, 2, 9, 4, 5, 9});
  masked_fill(tensor_view<short>{}, tensor_view<const char>{}, 1);
  const char yes = '0';
  short one = 1;
  masked_fill(tensor_view<short>{&one, {}}, tensor_view<const char>{&yes, {}}, 7);
  CHECK(one == 7);
  CHECK(std::string(try_masked_fill(matrix, tensor_view<const char>{"abcdef", {6}}, 1).message().view()) ==
        "masked_fill: mask has rank 1, expected 2 as data has");
  // A mask that is a part of the output.
  std::array<unsigned char, 4> bytes{0, 2, 0x80, 0};
  CHECK(try_masked_fill(bytes, bytes, 1).code() == errc::overlap);
}

// Constant evaluation has no bytes of an object to read, but values.
template <class M>
constexpr bool is_right_in_constant_evaluation() {
  const std::array<M, 6> mask{M{0}, M{1}, static_cast<M>(2), static_cast<M>(0x80), M{0}, static_cast<M>(0xff)};
  std::array<int, 6> output{};
  const std::array<int, 6> data{1, 2, 3, 4, 5, 6};
  const std::array<int, 4> source{10, 20, 30, 40};
  masked_scatter(data, mask, source, output);
  bool right = output == std::array{1, 10, 20, 30, 5, 40};
  masked_fill(output, mask, -1);
  right = right && output == std::array{1, -1, -1, -1, 5, -1};
  const strided_layout layout = as_view(data).layout();
  const auto call = prepare<int, M>(strew::masked_fill, {layout, layout}, 8);
  call.run(output.data(), mask.data());
  return right && output == std::array{1, 8, 8, 8, 5, 8};
}
static_assert(is_right_in_constant_evaluation<bool>());
static_assert(is_right_in_constant_evaluation<char>());
static_assert(is_right_in_constant_evaluation<signed char>());
static_assert(is_right_in_constant_evaluation<unsigned char>());
static_assert(is_right_in_constant_evaluation<std::byte>());

// ---- Types at run time

template <class M>
void check_typed_masks_of_dynamic_data() {
  const std::vector<unsigned char> bytes(std::begin(bytes_of_masks), std::end(bytes_of_masks));
  std::vector<float> data(12, 1.0F);
  const float value = 4;
  const dynamic::tensor view(tensor_view<float>{data.data(), {12}});
  const tensor_view<const M> mask = view_as<M>(bytes, {12}, {1});
  masked_fill(view, mask, dynamic::const_tensor(tensor_view<const float>{&value, {}}));
  CHECK(data == filled(std::vector<float>(12, 1.0F), bytes, 1, value));
  masked_fill(view, mask, 3);
  CHECK(data == filled(std::vector<float>(12, 1.0F), bytes, 1, 3.0F));
}
TEMPLATE_TEST_CASE("typed masks of data whose type is known at run time", "", bool, char, signed char, unsigned char,
                   std::byte) {
  check_typed_masks_of_dynamic_data<TestType>();
}

TEST_CASE("masks whose type is known at run time") {
  const std::vector<unsigned char> bytes(std::begin(bytes_of_masks), std::end(bytes_of_masks));
  const std::vector<float> source{10, 20, 30, 40, 50, 60, 70, 80};
  const dynamic::const_tensor from(tensor_view<const float>{source.data(), {8}});
  const std::vector<float> before(12, 1.0F);
  std::vector<float> data = before;
  const dynamic::tensor view(tensor_view<float>{data.data(), {12}});
  for (const element_kind kind :
       {element_kind::boolean, element_kind::signed_integer, element_kind::unsigned_integer, element_kind::opaque}) {
    const dynamic::const_tensor mask(bytes.data(), {kind, 1}, {12});
    data = before;
    masked_scatter(view, mask, from);
    CHECK(data == scattered(before, bytes, 1, source));
    data = before;
    REQUIRE(try_masked_fill(backwards{}, view, mask, 7).ok());
    CHECK(data == filled(before, bytes, 1, 7.0F));
    std::vector<float> output(12);
    std::vector<unsigned char> copy = bytes;
    masked_scatter(view, dynamic::tensor(copy.data(), {kind, 1}, {12}), from,
                   dynamic::tensor(tensor_view<float>{output.data(), {12}}));
    CHECK(output == scattered(data, bytes, 1, source));
  }
  data = before;
  const auto message = [&](dynamic::element_type type) {
    return std::string(try_masked_fill(view, dynamic::const_tensor(source.data(), type, {4}), 7).message().view());
  };
  const std::string wrong = "masked_fill: mask has elements that are no booleans and no integers of one byte";
  CHECK(message({element_kind::signed_integer, 2}) == wrong);
  CHECK(message({element_kind::unsigned_integer, 8}) == wrong);
  CHECK(message({element_kind::boolean, 2}) == wrong);
  CHECK(message({element_kind::opaque, 4}) == wrong);
  CHECK(message({element_kind::floating_point, 4}) == wrong);
  CHECK(message({element_kind::floating_point, 1}) == wrong);
  CHECK(try_masked_scatter(view, dynamic::const_tensor(source.data(), {element_kind::complex, 8}, {12}), from).code() ==
        errc::type_mismatch);
  CHECK(message({element_kind::boolean, 1}) == "masked_fill: mask has extent 4 on axis 0, expected 12 as data has");
  CHECK(data == before);
}

}  // namespace
}  // namespace strew::test
