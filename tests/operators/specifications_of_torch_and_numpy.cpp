// SPDX-License-Identifier: Apache-2.0
// Every worked example and formula of the docstrings of PyTorch's and NumPy's operators.
#include "support/catch.hpp"
#include "support/dense_tensor.hpp"

#include <strew/strew.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <tuple>
#include <vector>

namespace strew::test {
namespace {

namespace red = strew::reduction;

using floats = dense_tensor<float>;
using ints = dense_tensor<std::int64_t>;

// Elements that count from a first one.
floats counting(const coordinate& extents, float first) {
  floats result(extents, 0);
  for (float& value : result.values) value = first++;
  return result;
}

// data 3x4x5 and an index of shape 2x3x4 into its axis `dim`, with elements that several updates have for a target.
struct of_3_axes {
  ints data{{3, 4, 5}, 0};
  ints index{{2, 3, 4}, 0};
  ints src{{2, 3, 4}, 0};

  explicit of_3_axes(std::int64_t dim) {
    for (std::size_t i = 0; i < data.values.size(); ++i) data.values[i] = static_cast<std::int64_t>(i % 7) + 1;
    for (std::size_t i = 0; i < index.values.size(); ++i) {
      index.values[i] = static_cast<std::int64_t>(i * i + i / 5) % data.extents[static_cast<std::size_t>(dim)];
      src.values[i] = static_cast<std::int64_t>(i) % 5 + 2;
    }
  }
  // Calls combine(element of self, element of src) in the order of the loops over i, j and k.
  template <class Combine>
  std::vector<std::int64_t> expected(std::int64_t dim, const Combine& combine) const {
    ints self = data;
    for_each_coordinate(index.extents, [&](const coordinate& at) {
      coordinate target = at;
      target[static_cast<std::size_t>(dim)] = index[at];
      combine(self[target], src[at]);
    });
    return self.values;
  }
};

TEST_CASE("torch.scatter_: the formulas for a 3-D tensor") {
  for (const std::int64_t dim : {0, 1, 2}) {
    const of_3_axes on(dim);
    ints self = on.data;
    scatter(on.data.view(), dim, on.index.view(), on.src.view(), self.view());
    CHECK(self.values == on.expected(dim, [](std::int64_t& element, std::int64_t src) { element = src; }));
    scatter_reduce(on.data.view(), dim, on.index.view(), on.src.view(), red::prod, self.view());
    CHECK(self.values == on.expected(dim, [](std::int64_t& element, std::int64_t src) { element *= src; }));
  }
}

TEST_CASE("torch.scatter_: the examples") {
  const ints src({2, 5}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10});
  SECTION("an index that is smaller than src takes a part of it") {
    const ints index({1, 4}, {0, 1, 2, 0});
    ints self({3, 5}, 0);
    const auto part = slice(slice(src.view(), 0, 0, 1), 1, 0, 4);
    scatter(self.view(), 0, index.view(), part);
    CHECK(self.values == std::vector<std::int64_t>{1, 0, 0, 4, 0, 0, 2, 0, 0, 0, 0, 0, 3, 0, 0});
  }
  SECTION("along axis 1") {
    const ints index({2, 3}, {0, 1, 2, 0, 1, 4});
    ints self({3, 5}, 0);
    scatter(self.view(), 1, index.view(), slice(src.view(), 1, 0, 3));
    CHECK(self.values == std::vector<std::int64_t>{1, 2, 3, 0, 0, 6, 7, 0, 0, 8, 0, 0, 0, 0, 0});
  }
  SECTION("a value that is multiplied or added") {
    const ints index({2, 1}, {2, 3});
    floats self({2, 4}, 2.0F);
    floats output = self;
    scatter_reduce(self.view(), 1, index.view(), 1.23F, red::prod, output.view());
    CHECK(output.values == std::vector<float>{2, 2, 2 * 1.23F, 2, 2, 2, 2, 2 * 1.23F});
    scatter_reduce(self.view(), 1, index.view(), 1.23F, red::sum, output.view());
    CHECK(output.values == std::vector<float>{2, 2, 2 + 1.23F, 2, 2, 2, 2, 2 + 1.23F});
  }
  SECTION("a value") {
    const ints index({1, 2}, {0, 1});
    floats self({3, 5}, 0);
    scatter(self.view(), 0, index.view(), 2);
    CHECK(self.values == std::vector<float>{2, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0});
  }
}

TEST_CASE("torch.scatter_: a value is what a src filled with it is") {
  for (const std::int64_t dim : {0, 1, 2}) {
    of_3_axes on(dim);
    on.src.values.assign(on.src.values.size(), 9);
    ints filled = on.data;
    ints by_value = on.data;
    scatter(filled.view(), dim, on.index.view(), on.src.view());
    scatter(by_value.view(), dim, on.index.view(), 9);
    CHECK(filled.values == on.expected(dim, [](std::int64_t& element, std::int64_t src) { element = src; }));
    CHECK(by_value.values == filled.values);
  }
}

TEST_CASE("torch: with an empty index self is unchanged") {
  const floats data = counting({3, 5}, 1);
  const ints index({0, 5}, std::vector<std::int64_t>{});
  const floats src({0, 5}, std::vector<float>{});
  floats self = data;
  scatter(self.view(), 0, index.view(), src.view());
  CHECK(self.values == data.values);
  scatter(self.view(), 0, index.view(), 7);
  CHECK(self.values == data.values);
  scatter_add(self.view(), 0, index.view(), src.view());
  CHECK(self.values == data.values);
  scatter_reduce(self.view(), 0, index.view(), src.view(), red::mean);
  CHECK(self.values == data.values);
  // PyTorch checks no shapes then; here they are checked.
  const ints flat({0}, std::vector<std::int64_t>{});
  CHECK(try_scatter(self.view(), 0, flat.view(), src.view()).code() == errc::rank_mismatch);
  CHECK(try_scatter_add(self.view(), 0, flat.view(), src.view()).code() == errc::rank_mismatch);
}

TEST_CASE("torch.scatter_add_: the formulas for a 3-D tensor, and scatter_reduce_ with sum") {
  for (const std::int64_t dim : {0, 1, 2}) {
    const of_3_axes on(dim);
    const auto expected = on.expected(dim, [](std::int64_t& element, std::int64_t src) { element += src; });
    ints self = on.data;
    scatter_add(on.data.view(), dim, on.index.view(), on.src.view(), self.view());
    CHECK(self.values == expected);
    self = on.data;
    scatter_reduce(self.view(), dim, on.index.view(), on.src.view(), red::sum);
    CHECK(self.values == expected);
  }
}

TEST_CASE("torch.scatter_add_: the examples") {
  const floats src({2, 5}, 1);
  const ints one_row({1, 5}, {0, 1, 2, 0, 0});
  floats self({3, 5}, 0);
  scatter_add(self.view(), 0, one_row.view(), slice(src.view(), 0, 0, 1));
  CHECK(self.values == std::vector<float>{1, 0, 0, 1, 1, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0});
  const ints two_rows({2, 5}, {0, 1, 2, 0, 0, 0, 1, 2, 2, 2});
  self.values.assign(15, 0);
  scatter_add(self.view(), 0, two_rows.view(), src.view());
  CHECK(self.values == std::vector<float>{2, 0, 0, 1, 1, 0, 2, 0, 0, 0, 0, 0, 2, 1, 1});
}

TEST_CASE("torch.scatter_reduce_: the examples") {
  const floats src = counting({6}, 1);
  const ints index({6}, {0, 1, 0, 1, 2, 1});
  const floats input = counting({4}, 1);
  floats output = input;
  scatter_reduce(input.view(), 0, index.view(), src.view(), red::sum, output.view());
  CHECK(output.values == std::vector<float>{5, 14, 8, 4});
  scatter_reduce(input.view(), 0, index.view(), src.view(), red::without_init(red::sum), output.view());
  CHECK(output.values == std::vector<float>{4, 12, 5, 4});
  const floats input2({4}, {5, 4, 3, 2});
  scatter_reduce(input2.view(), 0, index.view(), src.view(), red::max, output.view());
  CHECK(output.values == std::vector<float>{5, 6, 5, 2});
  scatter_reduce(input2.view(), 0, index.view(), src.view(), red::without_init(red::max), output.view());
  CHECK(output.values == std::vector<float>{3, 6, 5, 2});
  // By hand, since the docstring has examples of sum and amax alone.
  scatter_reduce(input.view(), 0, index.view(), src.view(), red::prod, output.view());
  CHECK(output.values == std::vector<float>{3, 96, 15, 4});
  scatter_reduce(input2.view(), 0, index.view(), src.view(), red::min, output.view());
  CHECK(output.values == std::vector<float>{1, 2, 3, 2});
  scatter_reduce(input2.view(), 0, index.view(), src.view(), red::mean, output.view());
  CHECK(output.values == std::vector<float>{3, 4, 4, 2});
}

// The rows of a tensor along each of three axes, and what combine(element of self, element of src) makes of them.
template <class Combine>
std::vector<std::int64_t> expected_rows(ints self, std::int64_t dim, const ints& index, const ints& src,
                                        const Combine& combine) {
  for_each_coordinate(src.extents, [&](const coordinate& at) {
    coordinate target = at;
    target[static_cast<std::size_t>(dim)] = index[{at[static_cast<std::size_t>(dim)]}];
    combine(self[target], src[at]);
  });
  return self.values;
}

TEST_CASE("torch.index_add_, index_copy_, index_reduce_, index_fill_: the formulas for a 3-D tensor") {
  ints data({3, 4, 5}, 0);
  for (std::size_t i = 0; i < data.values.size(); ++i) data.values[i] = static_cast<std::int64_t>(i % 7) + 1;
  const ints index({4}, {1, 0, 2, 1});
  for (const std::int64_t dim : {0, 1, 2}) {
    coordinate extents = data.extents;
    extents[static_cast<std::size_t>(dim)] = 4;
    ints src(extents, 0);
    for (std::size_t i = 0; i < src.values.size(); ++i) src.values[i] = static_cast<std::int64_t>(i % 5) + 2;
    const auto expected = [&](const auto& combine) { return expected_rows(data, dim, index, src, combine); };
    ints self = data;
    index_add(data.view(), dim, index.view(), src.view(), scaled_by{std::int64_t{3}}, self.view());
    CHECK(self.values == expected([](std::int64_t& element, std::int64_t value) { element += 3 * value; }));
    index_add(data.view(), dim, index.view(), src.view(), self.view());
    CHECK(self.values == expected([](std::int64_t& element, std::int64_t value) { element += value; }));
    index_copy(data.view(), dim, index.view(), src.view(), self.view());
    CHECK(self.values == expected([](std::int64_t& element, std::int64_t value) { element = value; }));
    index_reduce(data.view(), dim, index.view(), src.view(), red::prod, self.view());
    CHECK(self.values == expected([](std::int64_t& element, std::int64_t value) { element *= value; }));
    index_reduce(data.view(), dim, index.view(), src.view(), red::max, self.view());
    CHECK(self.values == expected([](std::int64_t& e, std::int64_t value) { e = std::max(e, value); }));
    index_reduce(data.view(), dim, index.view(), src.view(), red::min, self.view());
    CHECK(self.values == expected([](std::int64_t& e, std::int64_t value) { e = std::min(e, value); }));
    index_fill(data.view(), dim, index.view(), -1, self.view());
    CHECK(self.values == expected([](std::int64_t& element, std::int64_t) { element = -1; }));
  }
}

TEST_CASE("torch.index_add_, index_copy_, index_reduce_, index_fill_: the examples") {
  const floats t = counting({3, 3}, 1);
  const ints index({3}, {0, 4, 2});
  SECTION("index_add_, and back with alpha = -1") {
    floats x({5, 3}, 1);
    index_add(x.view(), 0, index.view(), t.view());
    CHECK(x.values == std::vector<float>{2, 3, 4, 1, 1, 1, 8, 9, 10, 1, 1, 1, 5, 6, 7});
    index_add(x.view(), 0, index.view(), t.view(), scaled_by{-1});
    CHECK(x.values == std::vector<float>(15, 1));
  }
  SECTION("index_copy_") {
    floats x({5, 3}, 0);
    index_copy(x.view(), 0, index.view(), t.view());
    CHECK(x.values == std::vector<float>{1, 2, 3, 0, 0, 0, 7, 8, 9, 0, 0, 0, 4, 5, 6});
  }
  SECTION("index_reduce_ with prod, with self and without") {
    const floats four_rows = counting({4, 3}, 1);
    const ints rows({4}, {0, 4, 2, 0});
    floats x({5, 3}, 2);
    index_reduce(x.view(), 0, rows.view(), four_rows.view(), red::prod);
    CHECK(x.values == std::vector<float>{20, 44, 72, 2, 2, 2, 14, 16, 18, 2, 2, 2, 8, 10, 12});
    x.values.assign(15, 2);
    index_reduce(x.view(), 0, rows.view(), four_rows.view(), red::without_init(red::prod));
    CHECK(x.values == std::vector<float>{10, 22, 36, 2, 2, 2, 7, 8, 9, 2, 2, 2, 4, 5, 6});
  }
  SECTION("index_fill_") {
    floats x = t;
    const ints columns({2}, {0, 2});
    index_fill(x.view(), 1, columns.view(), -1);
    CHECK(x.values == std::vector<float>{-1, 2, -1, -1, 5, -1, -1, 8, -1});
  }
}

// What is not associative shows the order: of 1e20, 1 and -1e20 only this one has the sum 1 at the end.
TEST_CASE("torch.index_add_: the indices are taken in their order") {
  floats self({1}, 0);
  const ints index({4}, {0, 0, 0, 0});
  const floats source({4}, {1e20F, 1, -1e20F, 1});
  index_add(self.view(), 0, index.view(), source.view());
  CHECK(self.values == std::vector<float>{1});
  index_reduce(self.view(), 0, index.view(), source.view(), red::without_init(red::sum));
  CHECK(self.values == std::vector<float>{1});
}

TEST_CASE("torch.index_put_: tensor[indices] = values, or += values") {
  ints data({3, 4, 2}, 0);
  for (std::size_t i = 0; i < data.values.size(); ++i) data.values[i] = static_cast<std::int64_t>(i);
  const ints first({2, 3}, {0, 2, -1, 1, 2, 0});
  const ints second({2, 3}, {3, -2, 2, 0, 2, 3});
  const ints of_two({2, 3, 2}, {10, 20, 30, 40, 50, 60, 70, 80, 90, 11, 21, 31});
  const ints of_one({2, 3, 4, 2}, 5);
  ints replaced = data;
  ints added = data;
  for_each_coordinate(of_two.extents, [&](const coordinate& at) {
    const std::int64_t i = first[{at[0], at[1]}];
    const std::int64_t j = second[{at[0], at[1]}];
    const coordinate target{i < 0 ? i + 3 : i, j < 0 ? j + 4 : j, at[2]};
    replaced[target] = of_two[at];
    added[target] += of_two[at];
  });
  ints self = data;
  index_put(data.view(), std::tuple{first.view(), second.view()}, of_two.view(), self.view());
  CHECK(self.values == replaced.values);
  index_put(data.view(), std::tuple{first.view(), second.view()}, of_two.view(), red::sum, self.view());
  CHECK(self.values == added.values);
  // One tensor of indices: each value is a slice of the two axes that are left. Index 0 is there twice, 1 once, 2 three
  // times.
  index_put(data.view(), std::tuple{first.view()}, of_one.view(), red::sum, self.view());
  for (std::size_t i = 0; i < data.values.size(); ++i) {
    const int times = i / 8 == 0 ? 2 : i / 8 == 1 ? 1 : 3;
    CHECK(self.values[i] == data.values[i] + 5 * times);
  }
}

TEST_CASE("torch.masked_scatter_: the example") {
  ints self({2, 5}, 0);
  const bool mask[] = {false, false, false, true, true, true, true, false, true, true};
  const ints source({2, 5}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
  masked_scatter(self.view(), tensor_view<const bool>(mask, {2, 5}), source.view());
  CHECK(self.values == std::vector<std::int64_t>{0, 0, 0, 0, 1, 2, 3, 0, 4, 5});
}

TEST_CASE("torch.masked_fill_: elements where the mask is true") {
  ints self({2, 2}, {1, 2, 3, 4});
  const bool row[] = {true, false};
  const tensor_view<const bool> mask(row, {2});
  masked_fill(self.view(), broadcast(mask, {2, 2}), 9);  // as PyTorch broadcasts it
  CHECK(self.values == std::vector<std::int64_t>{9, 2, 9, 4});
  CHECK(try_masked_fill(self.view(), mask, 9).code() == errc::rank_mismatch);
  const tensor_view<const bool> longer(row, {2, 2, 1}, {0, 1, 0});
  CHECK(try_masked_scatter(self.view(), longer, self.view()).code() == errc::rank_mismatch);
  CHECK(self.values == std::vector<std::int64_t>{9, 2, 9, 4});
}

TEST_CASE("torch.put_: the example, and index and source of another shape") {
  const ints data({2, 3}, {4, 3, 5, 6, 7, 8});
  const ints index({2}, {1, 3});
  const ints source({2}, {9, 10});
  ints src = data;
  put(src.view(), index.view(), source.view());
  CHECK(src.values == std::vector<std::int64_t>{4, 9, 5, 10, 7, 8});
  put(data.view(), index.view(), source.view(), red::sum, src.view());
  CHECK(src.values == std::vector<std::int64_t>{4, 12, 5, 16, 7, 8});
  // Of as many elements in another shape PyTorch takes them; here a view gives them that shape.
  const ints column({2, 1}, {9, 10});
  CHECK(try_put(src.view(), index.view(), column.view()).code() == errc::rank_mismatch);
  const ints three({3}, {9, 10, 11});
  CHECK(try_put(src.view(), index.view(), three.view()).code() == errc::extent_mismatch);
}

TEST_CASE("torch.select_scatter, slice_scatter, diagonal_scatter: the examples") {
  SECTION("select_scatter") {
    const floats a({2, 2}, 0);
    const floats b({2}, 1);
    floats output({2, 2}, 7);
    select_scatter(a.view(), b.view(), 0, 0, output.view());
    CHECK(output.values == std::vector<float>{1, 1, 0, 0});
    CHECK(a.values == std::vector<float>(4, 0));
  }
  SECTION("slice_scatter") {
    const floats a({8, 8}, 0);
    const floats rows({2, 8}, 1);
    floats output({8, 8}, 7);
    slice_scatter(a.view(), rows.view(), {.start = 6}, output.view());
    for (std::size_t i = 0; i < 64; ++i) CHECK(output.values[i] == (i < 48 ? 0 : 1));
    const floats columns({8, 2}, 1);
    slice_scatter(a.view(), columns.view(), {.start = 2, .stop = 6, .step = 2, .axes = 1}, output.view());
    for (std::size_t i = 0; i < 64; ++i) CHECK(output.values[i] == (i % 8 == 2 || i % 8 == 4 ? 1 : 0));
    CHECK(a.values == std::vector<float>(64, 0));
  }
  SECTION("diagonal_scatter") {
    const floats a({3, 3}, 0);
    const floats ones({3}, 1);
    const floats two({2}, 1);
    floats output({3, 3}, 7);
    diagonal_scatter(a.view(), ones.view(), 0, 0, 1, output.view());
    CHECK(output.values == std::vector<float>{1, 0, 0, 0, 1, 0, 0, 0, 1});
    diagonal_scatter(a.view(), two.view(), 1, 0, 1, output.view());
    CHECK(output.values == std::vector<float>{0, 1, 0, 0, 0, 1, 0, 0, 0});
    CHECK(a.values == std::vector<float>(9, 0));
  }
}

TEST_CASE("numpy.ufunc.at: the examples") {
  SECTION("items 0 and 1 are negated") {
    ints a({4}, {1, 2, 3, 4});
    const ints at({2}, {0, 1});
    // A function of one operand, so what stands for updates is not looked at.
    onnx::scatter_elements(a.view(), at.view(), 0, 0, [](std::int64_t element, std::int64_t) { return -element; });
    CHECK(a.values == std::vector<std::int64_t>{-1, -2, 3, 4});
  }
  SECTION("items 0 and 1 are incremented, and item 2 twice") {
    const ints at({4}, {0, 1, 2, 2});
    const ints data({4}, {1, 2, 3, 4});
    ints a = data;
    index_put(a.view(), std::tuple{at.view()}, 1, red::sum);
    CHECK(a.values == std::vector<std::int64_t>{2, 3, 5, 4});
    a = data;
    put(a.view(), at.view(), 1, red::sum);
    CHECK(a.values == std::vector<std::int64_t>{2, 3, 5, 4});
    const ints twice({2}, {0, 0});
    index_put(a.view(), std::tuple{twice.view()}, 1, red::sum);
    CHECK(a.values == std::vector<std::int64_t>{4, 3, 5, 4});
  }
  SECTION("a second array is added to items 0 and 1") {
    ints a({4}, {1, 2, 3, 4});
    const ints b({2}, {1, 2});
    const ints at({2}, {0, 1});
    index_put(a.view(), std::tuple{at.view()}, b.view(), red::sum);
    CHECK(a.values == std::vector<std::int64_t>{2, 4, 3, 4});
  }
}

TEST_CASE("numpy.put: the examples") {
  const ints data({5}, {0, 1, 2, 3, 4});
  ints a = data;
  put(a.view(), ints({2}, {0, 2}).view(), ints({2}, {-44, -55}).view());
  CHECK(a.values == std::vector<std::int64_t>{-44, 1, -55, 3, 4});
  a = data;
  put(a.view(), clip(ints({1}, {22}).view()), -5);
  CHECK(a.values == std::vector<std::int64_t>{0, 1, 2, 3, -5});
}

TEST_CASE("numpy.put: the modes, on a flattened array") {
  const ints data({2, 3}, {0, 1, 2, 3, 4, 5});
  ints a = data;
  const ints far({4}, {6, -7, 4, 20});
  CHECK(try_put(a.view(), far.view(), 9).code() == errc::index_out_of_bounds);
  CHECK(a.values == data.values);  // NumPy may have written by then
  put(data.view(), wrap(far.view()), ints({4}, {10, 20, 30, 40}).view(), a.view());
  CHECK(a.values == std::vector<std::int64_t>{10, 1, 40, 3, 30, 20});  // 6 -> 0, -7 -> 5, 4, 20 -> 2
  put(data.view(), clip(far.view()), ints({4}, {10, 20, 30, 40}).view(), a.view());
  CHECK(a.values == std::vector<std::int64_t>{20, 1, 2, 3, 30, 40});  // 6 -> 5, -7 -> 0, 4, 20 -> 5
  // NumPy's clip takes -1 for element 0, here it counts from the end first; as unsigned integers there are none.
  put(data.view(), clip(ints({1}, {-1}).view()), 9, a.view());
  CHECK(a.values == std::vector<std::int64_t>{0, 1, 2, 3, 4, 9});
  CHECK(try_put(a.view(), far.view(), ints({2}, {1, 2}).view()).code() == errc::extent_mismatch);
}

TEST_CASE("numpy.put_along_axis: the example") {
  ints a({2, 3}, {10, 30, 20, 60, 40, 50});
  const ints ai({2, 1}, {1, 0});
  put_along_axis(a.view(), ai.view(), 99, 1);
  CHECK(a.values == std::vector<std::int64_t>{10, 99, 20, 99, 40, 50});
}

TEST_CASE("numpy.put_along_axis: the loops over 1-D slices") {
  ints a({3, 4, 2}, 0);
  for (std::size_t i = 0; i < a.values.size(); ++i) a.values[i] = static_cast<std::int64_t>(i);
  for (const std::size_t axis : {std::size_t{0}, std::size_t{1}, std::size_t{2}}) {
    for (const std::int64_t length : {1, 2, 5}) {  // J need not equal M
      coordinate extents = a.extents;
      extents[axis] = length;
      ints indices(extents, 0);
      ints values(extents, 0);
      for (std::size_t i = 0; i < indices.values.size(); ++i) {
        const std::int64_t extent = a.extents[axis];
        indices.values[i] = static_cast<std::int64_t>(3 * i + i / 4) % (2 * extent) - extent;
        values.values[i] = 100 + static_cast<std::int64_t>(i);
      }
      ints expected = a;
      for_each_coordinate(extents, [&](const coordinate& at) {
        coordinate target = at;
        target[axis] = indices[at] < 0 ? indices[at] + a.extents[axis] : indices[at];
        expected[target] = values[at];
      });
      ints output = a;
      put_along_axis(a.view(), indices.view(), values.view(), axis, output.view());
      CHECK(output.values == expected.values);
    }
  }
}

TEST_CASE("numpy.put_along_axis: what NumPy broadcasts is a view of stride 0") {
  ints a({2, 3}, 0);
  const ints indices({1, 2}, {0, 2});
  const ints value({1, 1}, {7});
  put_along_axis(a.view(), broadcast(indices.view(), {2, 2}), broadcast(value.view(), {2, 2}), 1);
  CHECK(a.values == std::vector<std::int64_t>{7, 0, 7, 7, 0, 7});
  CHECK(try_put_along_axis(a.view(), indices.view(), value.view(), 1).code() == errc::extent_mismatch);
}

}  // namespace
}  // namespace strew::test
