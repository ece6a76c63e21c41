// SPDX-License-Identifier: Apache-2.0
// Inputs that broke other implementations of these operators, and inputs made to break this one.
#include "support/catch.hpp"
#include "support/operator_calls.hpp"
#include "support/sparse_memory.hpp"

#include <strew/strew.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace strew::test {
namespace {

constexpr std::int64_t int32_max = std::numeric_limits<std::int32_t>::max();

// One index on an axis of `extent` elements: it names this element, or it is refused.
template <class Operator, class I>
void require_element(std::int64_t extent, I index, std::optional<std::int64_t> element) {
  const auto operands = make_counting_operands<int, I>({extent}, {1}, {index}, {1});
  if (element) {
    std::vector<int> expected = operands.data.values();
    expected[static_cast<std::size_t>(*element)] = 100;
    require_result<Operator>(operands, 0, expected);
  } else {
    const std::string low = std::to_string(Operator::negatives_allowed ? -extent : 0);
    require_refused<Operator>(operands, 0, errc::index_out_of_bounds,
                              std::string(Operator::name) + ": indices[0] = " + std::to_string(index) +
                                  " is outside [" + low + ", " + std::to_string(extent - 1) + "] (axis 0 has extent " +
                                  std::to_string(extent) + ")");
  }
}

// The element that a negative index names, where the operator takes one.
template <class Operator>
std::optional<std::int64_t> from_the_end(std::int64_t element) {
  if (Operator::negatives_allowed) return element;
  return std::nullopt;
}

TEMPLATE_LIST_TEST_CASE("index -s is the first element or an error", "", indexed_operators) {
  require_element<TestType>(5, -5, from_the_end<TestType>(0));
  require_element<TestType>(100, static_cast<signed char>(-100), from_the_end<TestType>(0));
  require_element<TestType>(128, std::numeric_limits<signed char>::min(), from_the_end<TestType>(0));
}

TEMPLATE_LIST_TEST_CASE("index -s-1 is an error", "", indexed_operators) {
  require_element<TestType>(5, -6, std::nullopt);
  require_element<TestType>(127, std::numeric_limits<signed char>::min(), std::nullopt);
}

TEMPLATE_LIST_TEST_CASE("index s is an error, s-1 the last element", "", indexed_operators) {
  require_element<TestType>(5, 4, 4);
  require_element<TestType>(5, 5, std::nullopt);
  require_element<TestType>(127, std::numeric_limits<signed char>::max(), std::nullopt);
  require_element<TestType>(128, std::numeric_limits<signed char>::max(), 127);
  require_element<TestType>(256, std::numeric_limits<unsigned char>::max(), 255);
  require_element<TestType>(255, std::numeric_limits<unsigned char>::max(), std::nullopt);
}

// On axes longer than the type reaches, every value of it is legal (or every one that is not negative).
TEMPLATE_LIST_TEST_CASE("an axis longer than the index type reaches takes all its values", "", indexed_operators) {
  require_element<TestType>(300, std::numeric_limits<unsigned char>::max(), 255);
  require_element<TestType>(300, std::numeric_limits<signed char>::max(), 127);
  require_element<TestType>(300, std::numeric_limits<signed char>::min(), from_the_end<TestType>(172));
  require_element<TestType>(300, static_cast<signed char>(-1), from_the_end<TestType>(299));
}

TEMPLATE_LIST_TEST_CASE("index INT64_MIN is an error", "", indexed_operators) {
  require_element<TestType>(5, std::numeric_limits<std::int64_t>::min(), std::nullopt);
}

TEMPLATE_LIST_TEST_CASE("index INT64_MAX is an error", "", indexed_operators) {
  require_element<TestType>(5, std::numeric_limits<std::int64_t>::max(), std::nullopt);
}

TEMPLATE_LIST_TEST_CASE("index INT32_MAX and INT32_MIN are errors", "", indexed_operators) {
  require_element<TestType>(5, std::numeric_limits<std::int32_t>::max(), std::nullopt);
  require_element<TestType>(5, std::numeric_limits<std::int32_t>::min(), std::nullopt);
  require_element<TestType>(5, std::numeric_limits<std::uint32_t>::max(), std::nullopt);
}

TEMPLATE_LIST_TEST_CASE("a uint8 index of 200 on an extent of 100 is an error, on 201 element 200", "",
                        indexed_operators) {
  require_element<TestType>(100, std::uint8_t{200}, std::nullopt);
  require_element<TestType>(201, std::uint8_t{200}, 200);
}

TEMPLATE_LIST_TEST_CASE("a uint64 index of 2^63 or more is an error, never a negative one", "", indexed_operators) {
  require_element<TestType>(5, std::uint64_t{1} << 63, std::nullopt);
  require_element<TestType>(5, std::numeric_limits<std::uint64_t>::max(), std::nullopt);
  require_element<TestType>(5, std::numeric_limits<std::uint64_t>::max() - 4, std::nullopt);
}

TEMPLATE_LIST_TEST_CASE("an int64 index of 2^32 is an error, never element 0", "", indexed_operators) {
  require_element<TestType>(5, std::int64_t{1} << 32, std::nullopt);
  require_element<TestType>(5, (std::int64_t{1} << 32) + 3, std::nullopt);
  require_element<TestType>(5, -(std::int64_t{1} << 32), std::nullopt);
  require_element<TestType>(5, std::uint64_t{1} << 32, std::nullopt);
  require_element<TestType>(5, std::int64_t{1} << 16, std::nullopt);
}

TEMPLATE_LIST_TEST_CASE("an index whose offset wraps to 0 is an error: 2^62 rows of 4 elements", "",
                        indexed_operators) {
  for (const std::int64_t index : {std::int64_t{1} << 62, -(std::int64_t{1} << 62)}) {
    const bool rows = TestType::takes_rows;
    const shape indices = rows ? shape{1} : shape{1, 1};
    const auto operands =
        make_counting_operands<int, std::int64_t>({4, 4}, indices, {index}, rows ? shape{1, 4} : indices);
    require_refused<TestType>(operands, 0, errc::index_out_of_bounds,
                              std::string(TestType::name) + ": indices" + (rows ? "[0]" : "[0, 0]") + " = " +
                                  std::to_string(index) + " is outside " +
                                  (TestType::negatives_allowed ? "[-4, 3]" : "[0, 3]") + " (axis 0 has extent 4)");
  }
}

TEMPLATE_LIST_TEST_CASE("a size-1 axis takes index 0, and -1 where negatives count from the end", "",
                        indexed_operators) {
  require_element<TestType>(1, 0, 0);
  require_element<TestType>(1, -1, from_the_end<TestType>(0));
  require_element<TestType>(1, 1, std::nullopt);
  require_element<TestType>(1, -2, std::nullopt);
}

TEST_CASE("an offset beyond INT32_MAX reaches the right element: data (1, 46342, 46341) of int8") {
  const std::int64_t rows = 46342;
  const std::int64_t columns = 46341;
  REQUIRE(rows * columns > int32_max);
  const sparse_memory memory(rows * columns);
  if (!memory.available()) {
    WARN(sparse_memory::reason());
    return;
  }
  const tensor_view<signed char> data{memory.data(), {1, rows, columns}};
  const std::int64_t last = rows * columns - 1;
  const signed char update = 42;
  const std::int64_t last_row = rows - 1;
  const std::int64_t last_column = columns - 1;

  SECTION("ScatterElementsUpdate") {
    const tensor_view<const signed char> updates{&update, {1, 1, 1}};
    scatter_elements_update(data, tensor_view<const std::int64_t>{&last_row, {1, 1, 1}}, updates, 1);
    CHECK(memory.data()[last_row * columns] == 42);
  }
  SECTION("ONNX Scatter, from the end") {
    const std::int32_t index = -1;
    const tensor_view<const signed char> updates{&update, {1, 1, 1}};
    onnx::scatter(slice(data, 2, last_column, columns), tensor_view<const std::int32_t>{&index, {1, 1, 1}}, updates, 1);
    CHECK(memory.data()[last] == 42);
  }
  SECTION("ScatterUpdate") {
    const auto updates = broadcast(tensor_view<const signed char>{&update, {1}}, {1, 1, columns});
    scatter_update(data, tensor_view<const std::int64_t>{&last_row, {1}}, updates, 1);
    CHECK(memory.data()[last] == 42);
    CHECK(memory.data()[last_row * columns] == 42);
    CHECK(memory.data()[last_row * columns - 1] == 0);
  }
  SECTION("ScatterUpdate by columns") {
    const auto updates = broadcast(tensor_view<const signed char>{&update, {1}}, {1, 1, 1});
    scatter_update(slice(data, 1, last_row, rows), tensor_view<const std::int64_t>{&last_column, {1}}, updates, 2);
    CHECK(memory.data()[last] == 42);
  }
  SECTION("SliceScatter") {
    const tensor_view<const signed char> updates{&update, {1, 1, 1}};
    slice_scatter(data, updates, {.start = {-1, -1}, .stop = {rows, columns}, .step = {1, 1}, .axes = {1, 2}});
    CHECK(memory.data()[last] == 42);
  }
  CHECK(memory.data()[0] == 0);
}

TEST_CASE("an axis beyond 2^31 is indexed in full") {
  const std::int64_t extent = int32_max + 12;
  const sparse_memory memory(extent);
  if (!memory.available()) {
    WARN(sparse_memory::reason());
    return;
  }
  const tensor_view<signed char> data{memory.data(), {extent}};
  const std::vector<signed char> values{1, 2};
  const tensor_view<const signed char> updates{values.data(), {2}};

  SECTION("with uint32 and int64 indices") {
    const std::vector<std::uint32_t> indices{0x80000001U, 0};
    scatter_update(data, tensor_view<const std::uint32_t>{indices.data(), {2}}, updates, 0);
    CHECK(memory.data()[0x80000001] == 1);
    CHECK(memory.data()[0] == 2);
    const std::vector<std::int64_t> from_the_end{-1, -extent};
    onnx::scatter(data, tensor_view<const std::int64_t>{from_the_end.data(), {2}}, updates);
    CHECK(memory.data()[extent - 1] == 1);
    CHECK(memory.data()[0] == 2);
  }
  SECTION("with int32 indices, all of which are legal") {
    const std::vector<std::int32_t> indices{std::numeric_limits<std::int32_t>::max(),
                                            std::numeric_limits<std::int32_t>::min()};
    onnx::scatter(data, tensor_view<const std::int32_t>{indices.data(), {2}}, updates);
    CHECK(memory.data()[int32_max] == 1);
    CHECK(memory.data()[extent - int32_max - 1] == 2);
  }
  SECTION("a stop of INT_MAX means its end") {
    const std::int64_t start = extent - 2;
    slice_scatter(data, updates, {.start = start, .stop = std::numeric_limits<std::int32_t>::max(), .step = 1});
    CHECK(memory.data()[extent - 2] == 1);
    CHECK(memory.data()[extent - 1] == 2);
  }
  SECTION("a stop of INT_MIN means its beginning") {
    const std::int64_t step = -(extent - 1);
    const std::vector<std::int32_t> stop{std::numeric_limits<std::int32_t>::min()};
    slice_scatter(data, updates, {.start = -1, .stop = stop, .step = step});
    CHECK(memory.data()[extent - 1] == 1);
    CHECK(memory.data()[0] == 2);
  }
}

// The pages of data that no update names are read-only, as those of a mapped file may be.
TEST_CASE("in place nothing but the updated elements is written") {
  constexpr std::int64_t half = 1 << 16;
  const sparse_memory memory(2 * half);
  REQUIRE(memory.available());
  REQUIRE(memory.forbid_writes(half));
  const tensor_view<signed char> data{memory.data(), {2, half}};
  const std::vector<signed char> ones(half, 1);
  const tensor_view<const signed char> updates{ones.data(), {1, half}};
  const int last_row = 1;

  SECTION("SliceScatter") {
    slice_scatter(data, updates, {.start = 1, .stop = 2, .step = 1});
  }
  SECTION("ScatterUpdate") {
    scatter_update(data, tensor_view<const int>{&last_row, {1}}, updates, 0);
  }
  SECTION("ScatterElementsUpdate") {
    const auto indices = broadcast(tensor_view<const int>{&last_row, {1, 1}}, {1, half});
    scatter_elements_update(data, indices, updates, 0);
  }
  SECTION("ONNX Scatter") {
    const auto indices = broadcast(tensor_view<const int>{&last_row, {1, 1}}, {1, half});
    onnx::scatter(data, indices, updates);
  }
  CHECK(std::memcmp(memory.data() + half, ones.data(), half) == 0);
}

// A length computed as ceil((stop - start) / step) in float gives 33554436.
TEST_CASE("the length of a slice of 33554435 elements is exact") {
  constexpr std::int64_t extent = 33554435;
  CHECK(updates_extents(slice_scatter, {extent}, {.start = 0, .stop = extent, .step = 1}) == index_list{extent});
  CHECK(updates_extents(slice_scatter, {extent}, {.start = -1, .stop = -extent - 1, .step = -1}) == index_list{extent});

  const std::unique_ptr<signed char[]> data(new signed char[extent]());
  const signed char one = 1;
  const tensor_view<const signed char> update{&one, {1}};
  slice_scatter(tensor_view<signed char>{data.get(), {extent}}, broadcast(update, {extent}),
                {.start = 0, .stop = extent, .step = 1});
  CHECK(std::memchr(data.get(), 0, extent) == nullptr);
}

// Without guards, so that the address sanitizer sees one element too many.
TEMPLATE_LIST_TEST_CASE("a last row may end exactly where the memory does; one row more is an error", "",
                        indexed_operators) {
  const bool rows = TestType::takes_rows;
  const shape indices_extents = rows ? shape{1} : shape{1, 3};
  operands<int> on{guarded_buffer<int>(place_contiguous({4, 3}), 0),
                   guarded_buffer<int>(place_contiguous(indices_extents), 0),
                   guarded_buffer<int>(place_contiguous({1, 3}), 0), guarded_buffer<int>(place_contiguous({4, 3}), 0)};
  on.data.fill(std::vector<int>(12, 0));
  on.updates.fill({1, 2, 3});
  on.indices.fill(std::vector<int>(3, 3));
  require_result<TestType>(on, 0, std::vector<int>{0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3});
  on.indices.fill(std::vector<int>(3, 4));
  const std::string coordinate = rows ? "[0]" : "[0, 0]";
  require_refused<TestType>(on, 0, errc::index_out_of_bounds,
                            std::string(TestType::name) + ": indices" + coordinate + " = 4 is outside " +
                                (TestType::negatives_allowed ? "[-4, 3]" : "[0, 3]") + " (axis 0 has extent 4)");
}

TEMPLATE_LIST_TEST_CASE("data (2,3,4), indices (1,3,1), axis 0 touches column 0 alone", "", elements_operators) {
  const auto operands = make_counting_operands<int>({2, 3, 4}, {1, 3, 1}, {1, 0, 1}, {1, 3, 1});
  std::vector<int> expected = operands.data.values();
  expected[12] = 100;
  expected[4] = 101;
  expected[20] = 102;
  require_result<TestType>(operands, 0, expected);
}

TEST_CASE("data (1,2), indices (1,4), axis 1: fine for ONNX, an error for ScatterElementsUpdate-3") {
  const auto operands = make_counting_operands<int>({1, 2}, {1, 4}, {0, 1, 0, 1}, {1, 4});
  require_result<onnx_scatter_operator>(operands, 1, std::vector<int>{102, 103});
  require_refused<scatter_elements_update_operator>(
      operands, 1, errc::extent_mismatch,
      "scatter_elements_update: indices has extent 4 on axis 1, expected at most 2 as data has");
}

TEMPLATE_LIST_TEST_CASE("indices longer than data off the axis are an error", "", elements_operators) {
  require_refused<TestType>(
      make_counting_operands<int>({2, 2}, {2, 3}, {0, 0, 0, 0, 0, 0}, {2, 3}), 0, errc::extent_mismatch,
      std::string(TestType::name) + ": indices has extent 3 on axis 1, expected at most 2 as data has");
}

TEMPLATE_LIST_TEST_CASE("updates (1,2) with indices (1,3) are an error", "", elements_operators) {
  require_refused<TestType>(
      make_counting_operands<int>({3, 3}, {1, 3}, {0, 1, 2}, {1, 2}), 0, errc::extent_mismatch,
      std::string(TestType::name) + ": updates has extent 2 on axis 1, expected 3 as indices has");
}

TEMPLATE_LIST_TEST_CASE("indices of another rank than data are an error", "", elements_operators) {
  require_refused<TestType>(make_counting_operands<int>({3, 3}, {3}, {0, 1, 2}, {3}), 0, errc::rank_mismatch,
                            std::string(TestType::name) + ": indices has rank 1, expected 2 as data has");
}

TEMPLATE_LIST_TEST_CASE("data (1), indices (1) and five updates are an error", "", indexed_operators) {
  const bool rows = TestType::takes_rows;
  require_refused<TestType>(make_counting_operands<int>({1}, {1}, {0}, {5}), 0, errc::extent_mismatch,
                            std::string(TestType::name) +
                                ": updates has extent 5 on axis 0, expected 1 as indices has" +
                                (rows ? " on axis 0" : ""));
}

TEMPLATE_LIST_TEST_CASE("empty indices leave a copy of data", "", indexed_operators) {
  require_result<TestType>(make_counting_operands<int>({3}, {0}, {}, {0}), 0, std::vector<int>{0, 1, 2});
}

TEST_CASE("data (2,0,4) with empty indices stays empty") {
  const auto elements = make_counting_operands<int>({2, 0, 4}, {2, 0, 4}, {}, {2, 0, 4});
  const auto rows = make_counting_operands<int>({2, 0, 4}, {0}, {}, {2, 0, 4});
  for (const int axis : {1, -2}) {
    require_result<scatter_elements_update_operator>(elements, axis, std::vector<int>{});
    require_result<onnx_scatter_operator>(elements, axis, std::vector<int>{});
    require_result<scatter_update_operator>(rows, axis, std::vector<int>{});
  }
  require_result<slice_scatter_operator>(rows, slice_spec{.start = 0, .stop = 9, .step = 1}, std::vector<int>{});
}

TEST_CASE("an index into an axis of extent 0 is an error: data (1,0,2)") {
  require_refused<onnx_scatter_operator>(make_counting_operands<int>({1, 0, 2}, {1, 1, 2}, {0, 0}, {1, 1, 2}), 1,
                                         errc::index_out_of_bounds,
                                         "onnx::scatter: indices[0, 0, 0] = 0 names no element (axis 1 has extent 0)");
  require_refused<scatter_update_operator>(make_counting_operands<int>({1, 0, 2}, {1}, {0}, {1, 1, 2}), 1,
                                           errc::index_out_of_bounds,
                                           "scatter_update: indices[0] = 0 names no element (axis 1 has extent 0)");
  require_refused<scatter_elements_update_operator>(
      make_counting_operands<int>({1, 0, 2}, {1, 1, 2}, {0, 0}, {1, 1, 2}), 1, errc::extent_mismatch,
      "scatter_elements_update: indices has extent 1 on axis 1, expected at most 0 as data has");
}

TEMPLATE_LIST_TEST_CASE("data (0,3) with indices (0,3) stays empty", "", elements_operators) {
  require_result<TestType>(make_counting_operands<int>({0, 3}, {0, 3}, {}, {0, 3}), 0, std::vector<int>{});
}

TEMPLATE_LIST_TEST_CASE("views without memory are fine where there are no elements", "", indexed_operators) {
  const tensor_view<int> nothing{static_cast<int*>(nullptr), {0}};
  CHECK(TestType::attempt(nothing, nothing, nothing, 0, nothing).ok());
  CHECK(TestType::attempt(nothing, nothing, nothing, 0).ok());
  CHECK(try_slice_scatter(nothing, nothing, {.start = 0, .stop = 5, .step = -1}, nothing).ok());
}

TEMPLATE_LIST_TEST_CASE("when the last of many indices is bad, nothing has been written", "", indexed_operators) {
  std::vector<int> indices(1000, 1);
  indices.back() = 4096;
  const std::string low = TestType::negatives_allowed ? "-4096" : "0";
  require_refused<TestType>(
      make_counting_operands<int>({4096}, {1000}, indices, {1000}), 0, errc::index_out_of_bounds,
      std::string(TestType::name) + ": indices[999] = 4096 is outside [" + low + ", 4095] (axis 0 has extent 4096)");
}

// Whatever a vectorised check does with the rest of a run, each place in it is looked at.
TEMPLATE_LIST_TEST_CASE("a bad index is found at every place of a run of any length", "", indexed_operators) {
  for (std::size_t length = 1; length <= 70; ++length) {
    auto on = make_counting_operands<int, short>({70}, {static_cast<std::int64_t>(length)},
                                                 std::vector<short>(length, 69), {static_cast<std::int64_t>(length)});
    REQUIRE(run<TestType>(form::attempted, on, 0).ok());
    for (std::size_t bad = 0; bad < length; ++bad) {
      on.indices.view()(bad) = 70;
      const status outcome = run<TestType>(form::attempted_in_place, on, 0);
      REQUIRE(outcome.code() == errc::index_out_of_bounds);
      REQUIRE(outcome.coordinate() == index_list{bad});
      on.indices.view()(bad) = 0;
    }
  }
}

TEMPLATE_LIST_TEST_CASE("of many equal indices the last one wins", "", indexed_operators) {
  std::vector<int> indices(1000);
  for (std::size_t k = 0; k < indices.size(); ++k) indices[k] = static_cast<int>(k % 3);
  const auto operands = make_counting_operands<int>({1000}, {1000}, indices, {1000});
  std::vector<int> expected = operands.data.values();
  expected[0] = 1099;
  expected[1] = 1097;
  expected[2] = 1098;
  require_result<TestType>(operands, 0, expected);
}

TEMPLATE_LIST_TEST_CASE("of equal indices the last wins where indices and updates run backwards in memory", "",
                        indexed_operators) {
  std::vector<int> data{0, 1, 2, 3};
  std::vector<int> indices{2, 0, 2};
  std::vector<int> updates{10, 20, 30};
  const auto backwards = [](std::vector<int>& of) {
    return reverse(tensor_view<int>{of.data(), {static_cast<std::int64_t>(of.size())}}, 0);
  };
  const tensor_view<int> out{data.data(), {4}};
  REQUIRE(TestType::attempt(out, backwards(indices), backwards(updates), 0).ok());
  CHECK(data == std::vector<int>{20, 1, 10, 3});
  REQUIRE(TestType::attempt(backwards(data), backwards(indices), backwards(updates), 0).ok());
  CHECK(data == std::vector<int>{20, 10, 10, 20});
}

TEMPLATE_LIST_TEST_CASE("of long strings at equal indices the last one stays", "", indexed_operators) {
  const auto operands = make_counting_operands<std::string>({2}, {2}, {1, 1}, {2});
  require_result<TestType>(operands, 0,
                           std::vector<std::string>{nth_value<std::string>(0), nth_value<std::string>(101)});
}

// The sNaN of 64 and 32 bits: an instruction of the arithmetic unit would quiet it.
template <class Float, class Bits>
void require_bits_kept(Bits signalling_nan) {
  const auto bits_of = [](const Float& value) {
    Bits bits;
    std::memcpy(&bits, &value, sizeof(Float));
    return bits;
  };
  const Bits minus_zero = static_cast<Bits>(Bits{1} << (8 * sizeof(Bits) - 1));
  const auto nan = static_cast<Bits>(signalling_nan + 1);
  // By way of memory, as 32-bit x86 returns floats from functions in registers that quiet them too.
  const auto fill = [](guarded_buffer<Float>& buffer, const std::vector<Bits>& bits) {
    for (std::size_t i = 0; i < bits.size(); ++i) {
      std::memcpy(&buffer.view()(static_cast<std::int64_t>(i)), &bits[i], sizeof(Float));
    }
  };
  guarded_buffer<Float> data(shape{3});
  guarded_buffer<Float> updates(shape{2});
  fill(data, {signalling_nan, minus_zero, 0});
  fill(updates, {nan, minus_zero});
  guarded_buffer<int> indices({2}, {2, 1});
  const auto check = [&](guarded_buffer<Float>& output, Bits second, Bits third) {
    CHECK(bits_of(output.view()(0)) == signalling_nan);
    CHECK(bits_of(output.view()(1)) == second);
    CHECK(bits_of(output.view()(2)) == third);
  };
  guarded_buffer<Float> output(shape{3});
  // From elements side by side, and from elements two apart.
  for (const index_list& strides : {index_list{1}, index_list{-1}}) {
    const tensor_view<Float> from{&updates.view()(strides[0] == 1 ? 0 : 1), {2}, strides};
    const Bits first_update = strides[0] == 1 ? nan : minus_zero;
    const Bits second_update = strides[0] == 1 ? minus_zero : nan;
    scatter_update(data.view(), indices.view(), from, 0, output.view());
    check(output, second_update, first_update);
    scatter_elements_update(data.view(), indices.view(), from, 0, output.view());
    check(output, second_update, first_update);
    onnx::scatter(data.view(), indices.view(), from, 0, output.view());
    check(output, second_update, first_update);
    slice_scatter(data.view(), from, {.start = 1, .stop = 3, .step = 1}, output.view());
    check(output, first_update, second_update);
  }
}

TEST_CASE("a signalling NaN's payload and -0.0 keep their bits") {
  require_bits_kept<double>(std::uint64_t{0x7FF0000000000123});
  require_bits_kept<float>(std::uint32_t{0x7F800123});
#if STREW_HAS_FLOAT16
  require_bits_kept<_Float16>(std::uint16_t{0x7C12});
#endif
}

// Updates and indices of these values in memory of every kind give what their contiguous copies give.
TEMPLATE_LIST_TEST_CASE("transposed, reversed and stride-0 inputs act as their contiguous copies", "",
                        elements_operators) {
  std::vector<int> data(6);
  std::vector<int> index_memory{0, 1, 1, 0, 1, 0};
  std::vector<int> update_memory{1, 2, 3, 4, 5, 6};
  std::vector<int> out_memory(6);
  const tensor_view<int> in = broadcast(tensor_view<int>{data.data(), {1}}, {2, 3});
  const tensor_view<int> out{out_memory.data(), {2, 3}};

  SECTION("transposed") {
    const auto indices = transpose(tensor_view<int>{index_memory.data(), {3, 2}});   // {0, 1, 1}, {1, 0, 0}
    const auto updates = transpose(tensor_view<int>{update_memory.data(), {3, 2}});  // {1, 3, 5}, {2, 4, 6}
    REQUIRE(TestType::attempt(in, indices, updates, 0, out).ok());
    CHECK(out_memory == std::vector<int>{1, 4, 6, 2, 3, 5});
  }
  SECTION("reversed") {
    const auto indices = reverse(tensor_view<int>{index_memory.data(), {2, 3}}, 1);   // {1, 1, 0}, {0, 1, 0}
    const auto updates = reverse(tensor_view<int>{update_memory.data(), {2, 3}}, 0);  // {4, 5, 6}, {1, 2, 3}
    REQUIRE(TestType::attempt(in, indices, updates, 0, out).ok());
    CHECK(out_memory == std::vector<int>{1, 0, 3, 4, 2, 0});
  }
  SECTION("stride 0") {
    const auto indices = broadcast(tensor_view<int>{index_memory.data(), {2, 1}}, {2, 3});  // {0, 0, 0}, {1, 1, 1}
    const auto updates = broadcast(tensor_view<int>{update_memory.data(), {3}}, {2, 3});    // {1, 2, 3}, {1, 2, 3}
    REQUIRE(TestType::attempt(in, indices, updates, 0, out).ok());
    CHECK(out_memory == std::vector<int>{1, 2, 3, 1, 2, 3});
  }
  SECTION("an output that is transposed and reversed") {
    const tensor_view<int> indices{index_memory.data(), {2, 3}};  // {0, 1, 1}, {0, 1, 0}
    const tensor_view<int> updates{update_memory.data(), {2, 3}};
    const auto odd_out = reverse(transpose(tensor_view<int>{out_memory.data(), {3, 2}}), 0);
    REQUIRE(TestType::attempt(in, indices, updates, 0, odd_out).ok());
    CHECK(out_memory == std::vector<int>{0, 4, 5, 0, 3, 6});
  }
}

TEST_CASE("rank 7: data (2,1,2,2,3,2,2), indices (2,1,2,3,2,2,2), axis 3") {
  const shape data{2, 1, 2, 2, 3, 2, 2};
  const shape indices{2, 1, 2, 3, 2, 2, 2};
  std::vector<int> values;
  for (int k = 0; k < 96; ++k) values.push_back(k * 5 % 4 - 2);
  const auto operands = make_counting_operands<int>(data, indices, values, indices);
  std::vector<int> expected = operands.data.values();
  int update = 100;
  for (std::size_t k = 0; k < values.size(); ++k) {
    const std::size_t g = k % 2;
    const std::size_t f = k / 2 % 2;
    const std::size_t e = k / 4 % 2;
    const std::size_t c = k / 24 % 2;
    const std::size_t a = k / 48;
    const auto d = static_cast<std::size_t>((values[k] + 2) % 2);
    expected[a * 48 + c * 24 + d * 12 + e * 4 + f * 2 + g] = update++;
  }
  require_result<onnx_scatter_operator>(operands, 3, expected);
  require_result<onnx_scatter_operator>(operands, -4, expected);
}

TEST_CASE("the slice 9:0:-3 of ten elements is 9, 6, 3") {
  require_result<slice_scatter_operator>(make_counting_operands<int>({10}, {0}, {}, {3}),
                                         slice_spec{.start = 9, .stop = 0, .step = -3},
                                         std::vector<int>{0, 1, 2, 102, 4, 5, 101, 7, 8, 100});
}

TEST_CASE("a slice with step -1 of an axis of extent 0 is empty") {
  const auto operands = make_counting_operands<int>({2, 0}, {0}, {}, {2, 0});
  for (const int start : {-1, 0, 5}) {
    require_result<slice_scatter_operator>(operands, slice_spec{.start = start, .stop = -9, .step = -1, .axes = 1},
                                           std::vector<int>{});
  }
}

TEST_CASE("step 0 is an error") {
  require_refused<slice_scatter_operator>(make_counting_operands<int>({3}, {0}, {}, {3}),
                                          slice_spec{.start = 0, .stop = 3, .step = 0}, errc::zero_step,
                                          "slice_scatter: step[0] = 0 selects nothing, expected any other value");
}

TEST_CASE("duplicate axes are an error") {
  require_refused<slice_scatter_operator>(make_counting_operands<int>({3, 3}, {0}, {}, {3, 3}),
                                          slice_spec{.start = {0, 0}, .stop = {3, 3}, .step = {1, 1}, .axes = {-2, 0}},
                                          errc::repeated_axis, "slice_scatter: axes[1] = 0 names axis 0 a second time");
}

TEST_CASE("axis r and axis -r-1 are errors") {
  const auto operands = make_counting_operands<int>({3, 3}, {1, 1}, {0}, {1, 1});
  for (const int axis : {2, -3}) {
    const std::string range = " = " + std::to_string(axis) + " is outside [-2, 1] (data has rank 2)";
    require_refused<slice_scatter_operator>(operands, slice_spec{.start = 0, .stop = 3, .step = 1, .axes = axis},
                                            errc::axis_out_of_range, "slice_scatter: axes[0]" + range);
    require_refused<scatter_update_operator>(operands, axis, errc::axis_out_of_range, "scatter_update: axis" + range);
    require_refused<scatter_elements_update_operator>(operands, axis, errc::axis_out_of_range,
                                                      "scatter_elements_update: axis" + range);
    require_refused<onnx_scatter_operator>(operands, axis, errc::axis_out_of_range, "onnx::scatter: axis" + range);
  }
}

// Every operator at the largest rank, no two neighbouring axes of the output being one, against the oracle.
TEST_CASE("all operators work at the largest rank") {
  shape extents(max_rank, 1);
  for (std::size_t k = 0; k < extents.size(); k += 2) extents[k] = 2;
  const std::size_t last = extents.size() - 1;
  random_source random(16);
  const auto buffer = [&](const shape& of, bool may_repeat_elements) {
    return guarded_buffer<int>(place(may_repeat_elements ? arrangement::broadcast : arrangement::mixed, of, random));
  };
  const auto check = [&](auto operation, const shape& indices, const shape& updates, const auto& where, int highest,
                         const auto& expected) {
    operands<int> on{buffer(extents, false), buffer(indices, true), buffer(updates, true), buffer(extents, false)};
    on.data.fill_from(0);
    on.updates.fill_from(100000);
    on.indices.for_each_element([&](int& index) { index = static_cast<int>(random.between(0, highest)); });
    for (const form how : all_forms) {
      operands<int> after = on;
      REQUIRE(run<decltype(operation)>(how, after, where).ok());
      REQUIRE(deviation(how, on, after, expected(on.indices.values())) == "");
    }
  };
  const int axis = 2;
  check(scatter_elements_update_operator{}, extents, extents, axis, 1,
        [&](const std::vector<int>& indices) { return oracle::scatter_elements(extents, extents, indices, axis); });
  shape longer = extents;
  longer[axis] = 3;
  check(onnx_scatter_operator{}, longer, longer, axis, 1,
        [&](const std::vector<int>& indices) { return oracle::scatter_elements(extents, longer, indices, axis); });
  const shape two{2};
  check(scatter_update_operator{}, two, oracle::scatter_update_updates(extents, two, axis), axis, 1,
        [&](const std::vector<int>& indices) { return oracle::scatter_update(extents, two, indices, axis); });
  std::vector<int> start(extents.size(), 0);
  start[last] = -1;
  start[0] = 1;
  std::vector<oracle::slice> slices;
  for (std::size_t k = 0; k < extents.size(); ++k) slices.push_back({start[k], 2, 1, static_cast<std::int64_t>(k)});
  const slice_spec spec{
      .start = start, .stop = std::vector<int>(extents.size(), 2), .step = std::vector<int>(extents.size(), 1)};
  check(slice_scatter_operator{}, {0}, oracle::slice_scatter_updates(extents, slices), spec, 0,
        [&](const std::vector<int>&) { return oracle::slice_scatter(extents, slices); });
}

// data of rank 1 and indices of the largest rank: updates have that rank too.
TEST_CASE("scatter_update takes indices of the largest rank") {
  shape indices(max_rank, 1);
  indices[3] = 2;
  indices[9] = 3;
  const std::vector<int> values{0, 3, 1, 3, 0, 2};
  require_result<scatter_update_operator>(make_counting_operands<int>({4}, indices, values, indices), 0,
                                          std::vector<int>{104, 102, 105, 103});
}

TEST_CASE("strides that no element takes are ignored, however odd") {
  std::vector<int> memory{0, 1, 2, 3, 4, 5};
  constexpr std::int64_t wide = std::int64_t{1} << 60;
  const tensor_view<int> data{memory.data(), {1, 2, 3}, {wide, 3, 1}};
  const tensor_view<int> same_elements{memory.data(), {1, 2, 3}, {-wide, 3, 1}};
  std::vector<int> indices{0, 2};
  std::vector<int> updates{10, 20};
  const tensor_view<int> at{indices.data(), {1, 2, 1}, {wide, 1, -wide}};
  const tensor_view<int> from{updates.data(), {1, 2, 1}, {0, 1, wide}};
  REQUIRE(try_scatter_elements_update(data, at, from, 2, same_elements).ok());
  CHECK(memory == std::vector<int>{10, 1, 2, 3, 4, 20});
  REQUIRE(try_slice_scatter(data, from, {.start = {0, 1}, .stop = {9, 2}, .step = {int64_max, 1}, .axes = {0, 2}},
                            same_elements)
              .ok());
  CHECK(memory == std::vector<int>{10, 10, 2, 3, 20, 20});
}

// The sum of the strides of both axes, which a diagonal of no element does not use, is no 64-bit integer.
constexpr bool diagonal_of_no_element() {
  int memory[1] = {7};
  const tensor_view<int> data{memory, {1, 1}, {int64_max, int64_max}};
  const tensor_view<const int> source{memory, {0}};
  return try_diagonal_scatter(data, source, 1, 0, 1).ok() && memory[0] == 7;
}
static_assert(diagonal_of_no_element());

// Loops step once beyond their last element, also along an axis with one coordinate, whose stride may be any number.
template <class Ex>
constexpr bool scatters_by_unused_strides(const Ex& ex, std::int64_t huge) {
  using indices_view = tensor_view<const std::int64_t>;
  const std::int64_t zeros[4] = {};
  const int updates[4] = {5, 6, 7, 8};
  const std::int64_t rank_2[] = {0, 0, 0};
  bool is_right = true;
  const auto expect = [&](const status& outcome, const int(&memory)[4], int first, int second, int last) {
    is_right = is_right && outcome.ok() && memory[0] == first && memory[1] == second && memory[3] == last;
  };
  // [1, 4] and [4, 1], with updates of three elements along either axis.
  for (const bool is_transposed : {false, true}) {
    const auto view = [&]<class T>(T* elements, std::int64_t count) {
      return is_transposed ? tensor_view<T>{elements, {count, 1}, {1, huge}}
                           : tensor_view<T>{elements, {1, count}, {huge, 1}};
    };
    for (const int axis : {0, 1}) {
      // Along the axis with one coordinate each lane has its index 0, along the other all three select element 0.
      const bool are_lanes = (axis == 0) != is_transposed;
      int first[4] = {1, 2, 3, 4};
      expect(try_scatter_elements_update(ex, view(first, 4), view(zeros, 3), view(updates, 3), axis), first,
             are_lanes ? 5 : 7, are_lanes ? 6 : 2, 4);
      int second[4] = {1, 2, 3, 4};
      int output[4] = {};
      expect(try_scatter_add(ex, view(second, 4), axis, view(zeros, 3), view(updates, 3), view(output, 4)), output,
             are_lanes ? 6 : 19, are_lanes ? 8 : 2, 4);
      int third[4] = {1, 2, 3, 4};
      expect(try_scatter_reduce(ex, view(third, 4), axis, view(zeros, 3), view(updates, 3), reduction::max), third,
             are_lanes ? 5 : 7, are_lanes ? 6 : 2, 4);
      // One row, or one element, by one index.
      const std::int64_t count = are_lanes ? 4 : 1;
      const tensor_view<const int> rows = are_lanes ? view(updates, 4) : view(updates, 1);
      const indices_view one{zeros, {1}, {huge}};
      int fourth[4] = {1, 2, 3, 4};
      expect(try_scatter_update(ex, view(fourth, 4), one, rows, axis), fourth, 5, count == 4 ? 6 : 2,
             count == 4 ? 8 : 4);
      int fifth[4] = {1, 2, 3, 4};
      expect(try_index_add(ex, view(fifth, 4), axis, one, rows, view(fifth, 4)), fifth, 6, count == 4 ? 8 : 2,
             count == 4 ? 12 : 4);
    }
    const indices_view tuple{rank_2, {1, 2}, {huge, 1}};
    const tensor_view<const int> element{updates, {1}, {huge}};
    int sixth[4] = {1, 2, 3, 4};
    expect(v3::try_scatter_nd_update(ex, view(sixth, 4), tuple, element), sixth, 5, 2, 4);
    int seventh[4] = {1, 2, 3, 4};
    expect(v15::try_scatter_nd_update(ex, view(seventh, 4), tuple, element, reduction::sum), seventh, 6, 2, 4);
  }
  return is_right;
}
static_assert(scatters_by_unused_strides(serial, int64_max));
static_assert(scatters_by_unused_strides(serial, std::numeric_limits<std::int64_t>::min()));
static_assert(scatters_by_unused_strides(serial, int64_max / 4 - 1));
TEST_CASE("the stride of an axis with one coordinate may be any number") {
  for (const std::int64_t stride : {int64_max, std::numeric_limits<std::int64_t>::min(), int64_max / 4 - 1,
                                    -int64_max / 8, int64_max / 2, std::int64_t{0}}) {
    CHECK(scatters_by_unused_strides(serial, stride));
    CHECK(scatters_by_unused_strides(backwards{}, stride));
  }
}

// Indices broadcast with stride 0 in all directions are checked, and the check names the first place of the value.
TEMPLATE_LIST_TEST_CASE("one bad index seen everywhere is named at the first place", "", elements_operators) {
  std::vector<int> data(6);
  const int bad = 9;
  const int update = 1;
  const tensor_view<int> out{data.data(), {2, 3}};
  const auto indices = broadcast(tensor_view<const int>{&bad, {}}, {2, 3});
  const auto updates = broadcast(tensor_view<const int>{&update, {}}, {2, 3});
  const status outcome = TestType::attempt(out, indices, updates, 1);
  CHECK(outcome.code() == errc::index_out_of_bounds);
  CHECK(outcome.coordinate() == index_list{0, 0});
  CHECK(data == std::vector<int>(6));
}

// Each component is a progression, whose offsets in the output have no place in 64 bits.
TEST_CASE("pairs of huge indices that rise evenly are errors") {
  constexpr std::int64_t huge = std::numeric_limits<std::int64_t>::max() / 4;
  for (const std::int64_t first : {huge - 1, -huge}) {
    const std::vector<std::int64_t> tuples{first, first, first + 1, first + 1};
    const std::vector<std::int64_t> indices{first, first + 1};
    std::vector<int> data(2 * 4, 3);
    const std::vector<int> updates{1, 2};
    const tensor_view<int> out{data.data(), {2, 4}};
    const tensor_view<const std::int64_t> each{indices.data(), {2}};
    const tensor_view<const int> with{updates.data(), {2}};
    status outcome = onnx::try_scatter_nd(out, tensor_view<const std::int64_t>{tuples.data(), {2, 2}}, with);
    CHECK(outcome.code() == errc::index_out_of_bounds);
    CHECK(outcome.coordinate() == index_list{0, 0});
    outcome = try_index_put(out, std::tuple{each, each}, with);
    CHECK(outcome.code() == errc::index_out_of_bounds);
    CHECK(outcome.coordinate() == index_list{0});
    CHECK(data == std::vector<int>(2 * 4, 3));
  }
}

// Without elements the extents may multiply to more than any integer; nothing is cut, and nothing overflows.
TEST_CASE("empty tensors of huge extents on an executor") {
  double element = 1;
  const long index = 0;
  const index_list extents{0, (std::numeric_limits<std::ptrdiff_t>::max() >> 1) + 1};
  const tensor_view<double> empty{&element, extents, {1, 0}};
  const tensor_view<const long> no_indices{&index, {0}};
  const tensor_view<const long> indices{&index, extents, {1, 0}};
  CHECK(try_slice_scatter(backwards{}, empty, empty, {}).ok());
  CHECK(try_scatter_update(backwards{}, empty, no_indices, empty, 0).ok());
  CHECK(try_scatter_elements_update(backwards{}, empty, indices, empty, 0).ok());
  CHECK(element == 1);
}

}  // namespace
}  // namespace strew::test
