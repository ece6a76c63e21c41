// SPDX-License-Identifier: Apache-2.0
// Which outputs the operators accept: exactly the view data, or memory that no input shares, each element once.
#include "support/catch.hpp"
#include "support/operator_calls.hpp"
#include "support/random_source.hpp"

#include <strew/strew.hpp>

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace strew::test {
namespace {

// Arguments with which every operator accepts data, updates and output of extents (2, 3) and then replaces all of data
// by updates; the indices of the one that takes rows are of extent 2, all others of extents (2, 3).
template <class Operator>
auto whole_of_data() {
  if constexpr (std::is_same_v<Operator, slice_scatter_operator>) {
    return slice_spec{};
  } else {
    return 0;
  }
}

template <class Operator>
index_list indices_extents() {
  return Operator::takes_rows ? index_list{2} : index_list{2, 3};
}

// Row k of data for row k of updates.
template <class Operator>
std::vector<int> row_numbers() {
  return Operator::takes_rows ? std::vector<int>{0, 1} : std::vector<int>{0, 0, 0, 1, 1, 1};
}

// The call is refused and leaves `memory`, in which all its views lie, alone.
template <class Operator, class M, class D, class I, class U, class T>
void require_refused_on(std::vector<M>& memory, const tensor_view<D>& data, const tensor_view<I>& indices,
                        const tensor_view<U>& updates, const tensor_view<T>& output, errc code,
                        const std::string& message) {
  const std::vector<M> before = memory;
  const status outcome = Operator::attempt(data, indices, updates, whole_of_data<Operator>(), output);
  CHECK(outcome.code() == code);
  CHECK(std::string(outcome.message().view()) == Operator::name + std::string(": ") + message);
  CHECK_THROWS_AS(Operator::call(data, indices, updates, whole_of_data<Operator>(), output), scatter_error);
  CHECK(memory == before);
}

std::string shares_memory_with(const std::string& input) {
  return "output shares memory with " + input + (input == "data" ? " without being the very same view" : "");
}

const std::string repeats_elements = "output holds some element twice (a stride of 0, or axes that overlap)";

TEMPLATE_LIST_TEST_CASE("an output that overlaps data by all but one element is refused", "", all_operators) {
  std::vector<int> memory{0, 1, 2, 3, 4, 5, 6, 7};
  std::vector<int> indices = row_numbers<TestType>();
  std::vector<int> updates{10, 11, 12, 13, 14, 15};
  const tensor_view<int> data{memory.data() + 1, {2, 3}};
  const tensor_view<int> at{indices.data(), indices_extents<TestType>()};
  const tensor_view<int> from{updates.data(), {2, 3}};
  for (const std::ptrdiff_t shift : {-1, 1}) {
    require_refused_on<TestType>(memory, data, at, from, tensor_view<int>{data.data() + shift, {2, 3}}, errc::overlap,
                                 shares_memory_with("data"));
  }
}

TEMPLATE_LIST_TEST_CASE("an output that is data's elements in another order is refused", "", all_operators) {
  std::vector<int> memory{0, 1, 2, 3, 4, 5};
  std::vector<int> indices = row_numbers<TestType>();
  std::vector<int> updates{10, 11, 12, 13, 14, 15};
  const tensor_view<int> data{memory.data(), {2, 3}};
  const tensor_view<int> at{indices.data(), indices_extents<TestType>()};
  const tensor_view<int> from{updates.data(), {2, 3}};
  require_refused_on<TestType>(memory, data, at, from, reverse(data, 1), errc::overlap, shares_memory_with("data"));
  require_refused_on<TestType>(memory, data, at, from, tensor_view<int>{memory.data(), {2, 3}, {1, 2}}, errc::overlap,
                               shares_memory_with("data"));
}

TEMPLATE_LIST_TEST_CASE("an output that shares memory with updates is refused, in place too", "", all_operators) {
  std::vector<int> memory{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  std::vector<int> indices = row_numbers<TestType>();
  std::vector<int> elsewhere(6);
  const tensor_view<int> at{indices.data(), indices_extents<TestType>()};
  const tensor_view<int> from{memory.data(), {2, 3}};
  for (const std::ptrdiff_t shift : {0, 1, 5}) {
    const tensor_view<int> output{memory.data() + shift, {2, 3}};
    require_refused_on<TestType>(memory, tensor_view<int>{elsewhere.data(), {2, 3}}, at, from, output, errc::overlap,
                                 shares_memory_with("updates"));
    require_refused_on<TestType>(memory, output, at, from, output, errc::overlap, shares_memory_with("updates"));
  }
}

TEMPLATE_LIST_TEST_CASE("an output that shares memory with indices is refused, in place too", "", indexed_operators) {
  std::vector<int> memory(12, 0);
  std::vector<int> updates(6, 1);
  std::vector<int> elsewhere(6);
  const tensor_view<int> from{updates.data(), {2, 3}};
  const tensor_view<int> output{memory.data(), {2, 3}};
  for (const std::ptrdiff_t shift : {0, 1, 5}) {
    const tensor_view<int> at{memory.data() + shift, indices_extents<TestType>()};
    require_refused_on<TestType>(memory, tensor_view<int>{elsewhere.data(), {2, 3}}, at, from, output, errc::overlap,
                                 shares_memory_with("indices"));
    require_refused_on<TestType>(memory, output, at, from, output, errc::overlap, shares_memory_with("indices"));
  }
}

// The first tuple is the last one in memory, and the others lie between it and the output, or in it.
TEST_CASE("an output that shares memory with reversed tuples is refused, in place too") {
  const std::vector<std::int64_t> zeros(24, 0);
  const std::vector<std::int64_t> updates(3, 1);
  std::vector<std::int64_t> memory = zeros;
  const tensor_view<std::int64_t> output{memory.data(), {2, 3}};
  for (const bool in_place : {false, true}) {
    const tensor_view<const std::int64_t> data{in_place ? memory.data() : zeros.data(), {2, 3}};
    for (const std::ptrdiff_t first : {0, 4, 8, 9}) {
      CAPTURE(in_place, first);
      const std::int64_t* const at = memory.data() + first;
      const tensor_view<const std::int64_t> ascending{at, {3, 2}};
      const tensor_view<const std::int64_t> reversed{at, {3, 2}, {-2, 1}};
      const tensor_view<const std::int64_t> from{updates.data(), {3}};
      if (first >= 4) {
        CHECK(onnx::try_scatter_nd(data, reversed, from, output).code() == errc::overlap);
        CHECK(v15::try_scatter_nd_update(data, reversed, from, reduction::sum, output).code() == errc::overlap);
        const tensor_view<const std::int64_t> one{at, {3}, {-2}};
        const tensor_view<const std::int64_t> other{zeros.data() + first, {3}, {-2}};
        CHECK(try_index_put(data, std::tuple{one, other}, from, output).code() == errc::overlap);
        CHECK(try_index_put(data, std::tuple{other, one}, from, output).code() == errc::overlap);
      }
      if (first < 6) CHECK(onnx::try_scatter_nd(data, ascending, from, output).code() == errc::overlap);
      CHECK(memory == zeros);
    }
  }
  const tensor_view<const std::int64_t> apart{memory.data() + 10, {3, 2}, {-2, 1}};
  CHECK(onnx::try_scatter_nd(output, apart, tensor_view<const std::int64_t>{updates.data(), {3}}, output).ok());
  CHECK(memory[0] == 1);
}

// The indices are single bytes of the output's elements.
TEMPLATE_LIST_TEST_CASE("an output that shares memory with indices of another type is refused", "", indexed_operators) {
  std::vector<std::int32_t> memory(6, 0);
  std::vector<std::int32_t> updates(6, 1);
  std::vector<std::int32_t> elsewhere(6);
  auto* const bytes = reinterpret_cast<signed char*>(memory.data());
  const tensor_view<std::int32_t> from{updates.data(), {2, 3}};
  for (const std::ptrdiff_t shift : {0, 3, 18}) {
    require_refused_on<TestType>(memory, tensor_view<std::int32_t>{elsewhere.data(), {2, 3}},
                                 tensor_view<signed char>{bytes + shift, indices_extents<TestType>()}, from,
                                 tensor_view<std::int32_t>{memory.data(), {2, 3}}, errc::overlap,
                                 shares_memory_with("indices"));
  }
}

// The output is the lower halves of the indices, whose upper halves it does not touch.
TEMPLATE_LIST_TEST_CASE("an int32 output in the bytes of int64 indices is refused", "", indexed_operators) {
  std::vector<std::int64_t> memory(6, 0);
  std::vector<std::int32_t> updates(6, 1);
  std::vector<std::int32_t> elsewhere(6);
  auto* const halves = reinterpret_cast<std::int32_t*>(memory.data());  // refused before one of them is written
  require_refused_on<TestType>(memory, tensor_view<std::int32_t>{elsewhere.data(), {2, 3}},
                               tensor_view<std::int64_t>{memory.data(), indices_extents<TestType>()},
                               tensor_view<std::int32_t>{updates.data(), {2, 3}},
                               tensor_view<std::int32_t>{halves, {2, 3}, {6, 2}}, errc::overlap,
                               shares_memory_with("indices"));
}

TEMPLATE_LIST_TEST_CASE("int32 indices in the bytes of an int64 output are refused", "", indexed_operators) {
  std::vector<std::int64_t> memory(6, 0);
  std::vector<std::int64_t> updates(6, 1);
  std::vector<std::int64_t> elsewhere(6);
  auto* const halves = reinterpret_cast<std::int32_t*>(memory.data());  // refused before one of them is read
  require_refused_on<TestType>(
      memory, tensor_view<std::int64_t>{elsewhere.data(), {2, 3}},
      tensor_view<std::int32_t>{halves, indices_extents<TestType>()}, tensor_view<std::int64_t>{updates.data(), {2, 3}},
      tensor_view<std::int64_t>{memory.data(), {2, 3}}, errc::overlap, shares_memory_with("indices"));
}

TEMPLATE_LIST_TEST_CASE("an output whose elements are not distinct is refused, in place too", "", all_operators) {
  std::vector<int> memory(12, 0);
  std::vector<int> indices = row_numbers<TestType>();
  std::vector<int> updates{10, 11, 12, 13, 14, 15};
  std::vector<int> elsewhere(6);
  const tensor_view<int> at{indices.data(), indices_extents<TestType>()};
  const tensor_view<int> from{updates.data(), {2, 3}};
  for (const index_list& strides : {index_list{0, 1}, {3, 0}, {0, 0}, {2, 1}, {1, 1}, {-2, 2}, {-2, 1}}) {
    const tensor_view<int> output{memory.data() + 4, {2, 3}, strides};
    require_refused_on<TestType>(memory, tensor_view<int>{elsewhere.data(), {2, 3}}, at, from, output,
                                 errc::repeated_element, repeats_elements);
    require_refused_on<TestType>(memory, output, at, from, output, errc::repeated_element, repeats_elements);
  }
}

TEMPLATE_LIST_TEST_CASE("axes of the output may interlock as long as its elements are distinct", "", all_operators) {
  std::vector<int> indices = row_numbers<TestType>();
  std::vector<int> updates{10, 11, 12, 13, 14, 15};
  std::vector<int> elsewhere(6);
  std::vector<int> memory(9, 0);
  const tensor_view<int> output{memory.data(), {2, 3}, {3, 2}};  // elements 0, 2, 4 and 3, 5, 7
  REQUIRE(TestType::attempt(tensor_view<int>{elsewhere.data(), {2, 3}},
                            tensor_view<int>{indices.data(), indices_extents<TestType>()},
                            tensor_view<int>{updates.data(), {2, 3}}, whole_of_data<TestType>(), output)
              .ok());
  CHECK(memory == std::vector<int>{10, 0, 11, 13, 12, 14, 0, 15, 0});
}

TEMPLATE_LIST_TEST_CASE("exactly the view data is accepted as the output, unit axes aside", "", all_operators) {
  std::vector<int> memory{0, 1, 2, 3, 4, 5};
  std::vector<int> indices = row_numbers<TestType>();
  std::vector<int> updates{10, 11, 12, 13, 14, 15};
  const tensor_view<const int> data{memory.data(), {2, 3, 1, 1}, {3, 1, 99, 0}};
  const tensor_view<int> output{memory.data(), {2, 3, 1, 1}, {3, 1, -1, 1}};
  index_list at = indices_extents<TestType>();
  if (!TestType::takes_rows) {
    at.push_back(1);
    at.push_back(1);
  }
  REQUIRE(TestType::attempt(data, tensor_view<int>{indices.data(), at}, tensor_view<int>{updates.data(), {2, 3, 1, 1}},
                            whole_of_data<TestType>(), output)
              .ok());
  CHECK(memory == updates);
}

TEMPLATE_LIST_TEST_CASE("data, indices, updates and output may be columns of one matrix", "", all_operators) {
  // Six rows of data, index, update, output and one column that belongs to nobody.
  std::vector<int> memory;
  for (int row = 0; row < 6; ++row) {
    const int index = TestType::takes_rows ? row : row / 3;
    memory.insert(memory.end(), {row, index, 10 + row, -1, -2});
  }
  const auto column = [&](std::ptrdiff_t k) { return tensor_view<int>{memory.data() + k, {2, 3}, {15, 5}}; };
  const tensor_view<int> indices = TestType::takes_rows ? tensor_view<int>{memory.data() + 1, {2}, {5}} : column(1);
  std::vector<int> expected = memory;
  for (std::size_t row = 0; row < 6; ++row) expected[row * 5 + 3] = static_cast<int>(10 + row);
  REQUIRE(TestType::attempt(column(0), indices, column(2), whole_of_data<TestType>(), column(3)).ok());
  CHECK(memory == expected);
  for (std::size_t row = 0; row < 6; ++row) expected[row * 5] = static_cast<int>(10 + row);
  TestType::call(column(0), indices, column(2), whole_of_data<TestType>());
  CHECK(memory == expected);
}

TEMPLATE_LIST_TEST_CASE("an output that begins where an input ends is accepted", "", all_operators) {
  std::vector<int> memory{20, 21, 22, 23, 24, 25, 0, 0, 0, 0, 0, 0, 10, 11, 12, 13, 14, 15};
  std::vector<int> indices = row_numbers<TestType>();
  const auto part = [&](std::ptrdiff_t first) { return tensor_view<int>{memory.data() + first, {2, 3}}; };
  REQUIRE(TestType::attempt(part(0), tensor_view<int>{indices.data(), indices_extents<TestType>()}, part(12),
                            whole_of_data<TestType>(), part(6))
              .ok());
  CHECK(memory == std::vector<int>{20, 21, 22, 23, 24, 25, 10, 11, 12, 13, 14, 15, 10, 11, 12, 13, 14, 15});
}

TEMPLATE_LIST_TEST_CASE("inputs may share memory with each other", "", indexed_operators) {
  std::vector<int> memory{0, 0, 0, 1, 1, 1};
  std::vector<int> rows{0, 1};
  std::vector<int> output(6, 9);
  const tensor_view<int> everything{memory.data(), {2, 3}};
  const tensor_view<int> indices = TestType::takes_rows ? tensor_view<int>{rows.data(), {2}} : everything;
  REQUIRE(TestType::attempt(everything, indices, everything, 0, tensor_view<int>{output.data(), {2, 3}}).ok());
  CHECK(output == memory);
}

TEST_CASE("an empty operand shares memory with nothing") {
  std::vector<int> memory{0, 1, 2};
  const tensor_view<int> data{memory.data(), {3}};
  const tensor_view<int> nothing{memory.data() + 1, {0}};
  CHECK(try_slice_scatter(data, nothing, {.start = 0, .stop = 0, .step = 1}).ok());
  CHECK(try_scatter_update(data, nothing, nothing, 0).ok());
  CHECK(try_scatter_elements_update(data, nothing, nothing, 0).ok());
  CHECK(onnx::try_scatter(data, nothing, nothing).ok());
  CHECK(memory == std::vector<int>{0, 1, 2});
}

// Which elements of the memory a small random view names, one by one.
struct random_view {
  tensor_view<int> view;
  std::vector<std::ptrdiff_t> offsets;

  random_view(random_source& random, std::vector<int>& memory, const shape& extents) {
    shape strides;
    for (std::size_t k = 0; k < extents.size(); ++k) strides.push_back(random.between(-7, 7));
    const std::int64_t first = random.between(60, 100);
    for_each_coordinate(extents, [&](const shape& at) {
      offsets.push_back(static_cast<std::ptrdiff_t>(first + offset_of(at, strides)));
    });
    view = tensor_view<int>{memory.data() + first, extents, strides};
  }
  [[nodiscard]] bool repeats_an_element() const {
    return std::set<std::ptrdiff_t>(offsets.begin(), offsets.end()).size() < offsets.size();
  }
  [[nodiscard]] bool shares_an_element_with(const random_view& other) const {
    const std::set<std::ptrdiff_t> mine(offsets.begin(), offsets.end());
    for (const std::ptrdiff_t offset : other.offsets) {
      if (mine.count(offset) != 0) return true;
    }
    return false;
  }
};

TEST_CASE("an output is refused when, and only when, its elements say so one by one") {
  std::vector<int> memory(160);
  std::size_t accepted = 0;
  for (std::uint64_t seed = 0; seed < 10000; ++seed) {
    INFO("seed " << seed);
    random_source random(seed);
    shape extents;
    for (std::int64_t k = random.between(1, 3); k > 0; --k) extents.push_back(random.between(1, 4));
    const random_view data(random, memory, extents);
    const random_view updates(random, memory, extents);
    const random_view output(random, memory, extents);
    const errc expected = output.repeats_an_element()           ? errc::repeated_element
                          : output.offsets == data.offsets      ? errc::ok
                          : output.shares_an_element_with(data) ? errc::overlap
                                                                : errc::ok;
    const bool apart_from_updates = !output.shares_an_element_with(updates);
    const status outcome = try_slice_scatter(data.view, updates.view, {}, output.view);
    REQUIRE(outcome.code() == (expected == errc::ok && !apart_from_updates ? errc::overlap : expected));
    accepted += outcome.ok() ? 1U : 0U;
  }
  CHECK(accepted > 500);
}

}  // namespace
}  // namespace strew::test
