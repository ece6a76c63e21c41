// SPDX-License-Identifier: Apache-2.0
// Tensors of other libraries as operands of each operator, as they are.
#include "support/catch.hpp"

#include <strew/strew.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace {

using strew::tensor_view;
namespace red = strew::reduction;

// A matrix of one's own: its rows are padded.
template <class T>
struct grid {
  int rows;
  int columns;
  std::vector<T> memory;

  grid(int r, int c, const std::vector<T>& values)
      : rows{r}, columns{c}, memory(static_cast<std::size_t>(r * pitch())) {
    for (int i = 0; i < r * c; ++i) {
      memory[static_cast<std::size_t>(i / c * pitch() + i % c)] = values[static_cast<std::size_t>(i)];
    }
  }
  [[nodiscard]] int pitch() const { return columns + 3; }
  [[nodiscard]] std::vector<T> values() const {
    std::vector<T> result;
    for (int i = 0; i < rows; ++i) {
      for (int j = 0; j < columns; ++j) result.push_back(memory[static_cast<std::size_t>(i * pitch() + j)]);
    }
    return result;
  }
};

// As a library that has a thread pool would call it; not callable where it is const.
struct counting_executor {
  int calls = 0;
  void operator()(std::size_t n, const strew::task& body) {
    ++calls;
    for (std::size_t i = n; i-- > 0;) body(i);
  }
};

using ints = std::vector<int>;

}  // namespace

template <class T>
struct strew::tensor_access<grid<T>> {
  static T* data(grid<T>& g) { return g.memory.data(); }
  static const T* data(const grid<T>& g) { return g.memory.data(); }
  static index_list extents(const grid<T>& g) { return {g.rows, g.columns}; }
  static index_list strides(const grid<T>& g) { return {g.pitch(), 1}; }
};

TEST_CASE("tensors go into the operators of slices, rows and elements") {
  const grid<int> data(2, 3, {1, 2, 3, 4, 5, 6});
  grid<int> output(2, 3, ints(6));
  const grid<int> column(2, 1, {7, 8});
  strew::slice_scatter(data, column, {.start = -1, .stop = 3, .step = 1, .axes = 1}, output);
  CHECK(output.values() == ints{1, 2, 7, 4, 5, 8});

  const std::array<std::int16_t, 1> last{1};
  const grid<int> row(1, 3, {9, 10, 11});
  strew::scatter_update(data, last, row, 0, output);
  CHECK(output.values() == ints{1, 2, 3, 9, 10, 11});

  const grid<std::int64_t> where(1, 3, {1, 0, 1});
  strew::scatter_elements_update(data, where, row, {0}, output);
  CHECK(output.values() == ints{1, 10, 3, 9, 5, 11});
  strew::onnx::scatter(data, where, row, output);
  CHECK(output.values() == ints{1, 10, 3, 9, 5, 11});

  grid<int> place(2, 3, {1, 2, 3, 4, 5, 6});
  strew::slice_scatter(place, column, {.start = 0, .stop = 1, .step = 1, .axes = 1});
  strew::scatter_elements_update(place, where, row, 0);
  strew::onnx::scatter(place, where, row);
  CHECK(place.values() == ints{7, 10, 3, 9, 5, 11});
  strew::scatter_update(place, last, row, 0);
  CHECK(place.values() == ints{7, 10, 3, 9, 10, 11});
}

TEST_CASE("tensors go into each operator of the family") {
  const std::vector<float> data{1, 2, 3, 4};
  const std::array<int, 2> at{3, 1};
  const float updates[] = {10, 20};
  const std::vector<float> replaced{1, 20, 3, 10};
  const std::vector<float> added{1, 22, 3, 14};
  std::vector<float> output(4);
  const auto is = [&](const std::vector<float>& expected) {
    const bool same = output == expected;
    output.assign(4, 0);
    return same;
  };

  strew::v12::scatter_elements_update(data, at, updates, 0, red::sum, output);
  CHECK(is(added));
  strew::v12::scatter_elements_update(data, at, updates, 0, output);
  CHECK(is(replaced));
  strew::onnx::scatter_elements(data, at, updates, 0, red::sum, output);
  CHECK(is(added));
  strew::onnx::scatter_elements(data, at, updates, output);
  CHECK(is(replaced));
  strew::scatter_add(data, 0, at, updates, output);
  CHECK(is(added));
  strew::scatter_reduce(data, 0, at, updates, red::max, output);
  CHECK(is(replaced));
  strew::put_along_axis(data, at, updates, 0, output);
  CHECK(is(replaced));
  strew::index_copy(data, 0, at, updates, output);
  CHECK(is(replaced));
  strew::index_add(data, 0, at, updates, output);
  CHECK(is(added));
  strew::index_add(data, 0, at, updates, strew::scaled_by{2.0F}, output);
  CHECK(is({1, 42, 3, 24}));
  strew::index_reduce(
      data, 0, at, updates, [](float old, float now) { return old - now; }, output);
  CHECK(is({1, -18, 3, -6}));
  strew::index_fill(data, 0, at, 5, output);
  CHECK(is({1, 5, 3, 5}));
  strew::put(data, at, updates, red::sum, output);
  CHECK(is(added));
  strew::index_put(data, std::tuple{at}, updates, output);
  CHECK(is(replaced));
  strew::index_put(data, std::tie(at), updates, red::sum, output);
  CHECK(is(added));
  const bool mask[] = {false, true, false, true};
  strew::masked_scatter(data, mask, updates, output);
  CHECK(is({1, 10, 3, 20}));
  strew::masked_fill(data, mask, 0.5, output);
  CHECK(is({1, 0.5F, 3, 0.5F}));

  const grid<int> tuples(2, 1, {3, 1});
  strew::v3::scatter_nd_update(data, tuples, updates, output);
  CHECK(is(replaced));
  strew::v14::scatter_nd_update(data, tuples, updates, output);
  CHECK(is(replaced));
  strew::v15::scatter_nd_update(data, tuples, updates, red::sum, output);
  CHECK(is(added));
  strew::onnx::scatter_nd(data, tuples, updates, output);
  CHECK(is(replaced));

  const grid<int> square(2, 2, {1, 2, 3, 4});
  grid<int> result(2, 2, ints(4));
  strew::select_scatter(square, std::vector{5, 6}, 1, -1, result);
  CHECK(result.values() == ints{1, 5, 3, 6});
  strew::diagonal_scatter(square, std::vector{7, 8}, 0, 0, 1, result);
  CHECK(result.values() == ints{7, 2, 3, 8});
  const grid<int> token(2, 1, {9, 9});
  strew::onnx::tensor_scatter(square, token, std::array{1, 0}, {.axis = 1}, result);
  CHECK(result.values() == ints{1, 9, 9, 4});
  strew::onnx::tensor_scatter(result, token, {.axis = 1});
  CHECK(result.values() == ints{9, 9, 9, 4});
}

TEST_CASE("in place, with views among them, with policies, and on executors") {
  std::vector<float> data{1, 2, 3, 4};
  const std::array<int, 3> at{3, 9, 1};
  const float updates[] = {10, 15, 20};
  const tensor_view<const float> view{updates, {3}};
  strew::scatter_update(data, strew::drop(at), view, 0);
  CHECK(data == std::vector<float>{1, 20, 3, 10});
  strew::index_add(data, 0, strew::clip(at), view);
  CHECK(data == std::vector<float>{1, 40, 3, 35});
  strew::index_put(data, strew::drop(std::tuple{at}), std::span(updates));
  CHECK(data == std::vector<float>{1, 20, 3, 10});

  counting_executor executor;
  std::vector<int> long_data(100000);
  std::vector<int> indices(100000);
  for (std::size_t i = 0; i < indices.size(); ++i) indices[i] = static_cast<int>(i);
  strew::scatter_update(executor, long_data, indices, indices, 0);
  CHECK(long_data == indices);
  strew::index_add(executor, long_data, 0, indices, indices);
  CHECK(long_data[777] == 1554);
  CHECK(executor.calls > 1);

  std::span<float> first = std::span(data).first(2);
  strew::index_fill(first, 0, std::array{0}, 7);
  strew::masked_fill(std::span(data).last(2), std::array{true, false}, 8);
  CHECK(data == std::vector<float>{7, 20, 8, 10});
}

TEST_CASE("errors are those of views, and nothing is written") {
  std::vector<float> data{1, 2, 3, 4};
  const std::array<int, 2> at{3, 4};
  const std::vector<float> updates{10, 20};
  CHECK(std::string(strew::try_scatter_update(data, at, updates, 0).message().c_str()) ==
        "scatter_update: indices[1] = 4 is outside [0, 3] (axis 0 has extent 4)");
  CHECK(strew::try_index_add(data, 0, at, updates).code() == strew::errc::index_out_of_bounds);
  CHECK(data == std::vector<float>{1, 2, 3, 4});

  grid<float> impossible(0, 0, {});
  grid<int> numbers(0, 0, {});
  impossible.rows = numbers.rows = -1;
  CHECK(strew::try_scatter_update(data, at, impossible, 0).code() == strew::errc::negative_extent);
  CHECK(strew::try_index_add(data, 0, at, impossible).code() == strew::errc::negative_extent);
  CHECK(strew::try_slice_scatter(impossible, updates, {}, data).code() == strew::errc::negative_extent);
  CHECK(strew::try_index_put(data, std::tie(numbers), updates).code() == strew::errc::negative_extent);
  CHECK(strew::onnx::try_tensor_scatter(data, impossible, {}).code() == strew::errc::negative_extent);
  CHECK(data == std::vector<float>{1, 2, 3, 4});
}

TEST_CASE("elements and values may be containers themselves") {
  std::vector<std::string> words{"a", "b", "c"};
  strew::index_fill(words, 0, std::array{0, 2}, std::string("x"));
  CHECK(words == std::vector<std::string>{"x", "b", "x"});
  strew::masked_fill(words, std::array{false, true, false}, "y");
  CHECK(words == std::vector<std::string>{"x", "y", "x"});
  std::vector<ints> lists{{1}, {2, 3}};
  strew::scatter_update(lists, std::array{1}, std::vector<ints>{{4, 5, 6}}, 0);
  CHECK(lists[1] == ints{4, 5, 6});
}

constexpr bool replaces_in_constant_evaluation() {
  std::array<int, 4> data{1, 2, 3, 4};
  strew::scatter_update(data, std::array{0, 2}, std::array{9, 8}, 0);
  strew::index_add(data, 0, std::array{0}, std::array{1});
  return data == std::array<int, 4>{10, 2, 8, 4};
}
static_assert(replaces_in_constant_evaluation());

static_assert(noexcept(strew::try_scatter_update(std::declval<std::vector<float>&>(), ints{}, std::vector<float>{},
                                                 0)));
