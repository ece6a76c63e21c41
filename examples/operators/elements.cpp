// SPDX-License-Identifier: Apache-2.0
// Elements along an axis: each update has its own index.
#include "expect.hpp"

#include <strew/operators/onnx_scatter.hpp>
#include <strew/operators/put_along_axis.hpp>
#include <strew/operators/scatter.hpp>
#include <strew/operators/scatter_add.hpp>
#include <strew/operators/scatter_elements.hpp>
#include <strew/operators/scatter_elements_update.hpp>
#include <strew/operators/scatter_reduce.hpp>
#include <strew/operators/with_positions.hpp>

#include <array>
#include <limits>

namespace {

void version_3() {
  std::array<int, 12> memory{};
  const std::array columns{1, 2, 0, 3};
  const std::array numbers{11, 12, 13, 14};
  const strew::tensor_view data{memory.data(), {3, 4}};
  const strew::tensor_view indices{columns.data(), {2, 2}};
  const strew::tensor_view updates{numbers.data(), {2, 2}};

  strew::scatter_elements_update(data, indices, updates, 1);

  expect(data, {0, 11, 12, 0,  //
                13, 0, 0, 14,  //
                0, 0, 0, 0});
}

void version_12() {
  const std::array numbers{100, 200, 300, 400, 500, 600};
  const std::array columns{0, -1, 0, 1, 1, -2};
  const std::array terms{1, 2, 3, 4, 5, 6};
  std::array<int, 6> memory{};
  const strew::tensor_view data{numbers.data(), {2, 3}};
  const strew::tensor_view indices{columns.data(), {2, 3}};
  const strew::tensor_view updates{terms.data(), {2, 3}};
  const strew::tensor_view output{memory.data(), {2, 3}};

  strew::v12::scatter_elements_update(data, indices, updates, 1, strew::reduction::sum, output);

  expect(output, {104, 200, 302, 400, 515, 600});
}

void onnx() {
  std::array<float, 9> memory{};
  const std::array rows{1, 0, 2, 0, 2, 1};
  const std::array numbers{1.0F, 1.1F, 1.2F, 2.0F, 2.1F, 2.2F};
  const strew::tensor_view data{memory.data(), {3, 3}};
  const strew::tensor_view indices{rows.data(), {2, 3}};
  const strew::tensor_view updates{numbers.data(), {2, 3}};

  strew::onnx::scatter_elements(data, indices, updates);  // on axis 0

  expect(data, {2.0F, 1.1F, 0.0F,  //
                1.0F, 0.0F, 2.2F,  //
                0.0F, 2.1F, 1.2F});
}

void onnx_longer() {
  std::array<int, 2> memory{};
  const std::array columns{0, 1, -1, 0};
  const std::array numbers{1, 2, 3, 4};
  const strew::tensor_view data{memory.data(), {1, 2}};

  // On the axis the indices may be longer than data.
  strew::onnx::scatter(data, strew::tensor_view{columns.data(), {1, 4}}, strew::tensor_view{numbers.data(), {1, 4}}, 1);

  expect(data, {4, 3});
}

void along_axis() {
  std::array<int, 9> memory{10, 30, 20, 60, 40, 50, 90, 80, 70};
  const std::array columns{2, -1, 0};
  const std::array numbers{1, 2, 3};
  const strew::tensor_view data{memory.data(), {3, 3}};

  // In NumPy: np.put_along_axis(data, indices, values, axis=1)
  strew::put_along_axis(data, strew::tensor_view{columns.data(), {3, 1}}, strew::tensor_view{numbers.data(), {3, 1}},
                        1);

  expect(data, {10, 30, 1, 60, 40, 2, 3, 80, 70});
}

void add() {
  std::array<int, 4> memory{1, 2, 3, 4};
  const std::array index{0, 1, 0, 1, 2, 1};
  const std::array source{1, 2, 3, 4, 5, 6};
  const strew::tensor_view data{memory.data(), {4}};

  strew::scatter_add(data, 0, index, source);

  expect(data, {5, 14, 8, 4});
}

void reduce() {
  const std::array<double, 4> data{1, 2, 3, 4};
  const std::array index{0, 1, 0, 1, 2, 1};
  const std::array<double, 6> source{1, 2, 3, 4, 5, 6};
  std::array<double, 4> memory{};
  const strew::tensor_view output{memory.data(), {4}};

  strew::scatter_reduce(data, 0, index, source, strew::reduction::max, output);
  expect(output, {3, 6, 5, 4});

  strew::scatter_reduce(data, 0, index, source, strew::reduction::mean, output);
  expect(output, {5.0 / 3, 3.5, 4, 4});

  strew::scatter_reduce(data, 0, index, source, strew::reduction::without_init(strew::reduction::mean), output);
  expect(output, {2, 4, 5, 4});
}

void reduce_without_nan() {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  const std::array<double, 4> data{1, 2, 3, 4};
  const std::array index{0, 0, 1, 1, 2, 0};
  const std::array<double, 6> source{nan, 2, 3, nan, nan, 5};
  std::array<double, 4> memory{};
  const strew::tensor_view output{memory.data(), {4}};

  strew::scatter_reduce(data, 0, index, source, strew::reduction::without_nan(strew::reduction::sum), output);
  expect(output, {8, 5, 3, 4});

  // As numpy.nanmean of each group; a group without numbers keeps its element.
  const auto mean = strew::reduction::without_nan(strew::reduction::mean);
  strew::scatter_reduce(data, 0, index, source, strew::reduction::without_init(mean), output);
  expect(output, {3.5, 3, 3, 4});
}

void which_won() {
  const std::array<float, 4> data{1, 2, 3, 4};
  const std::array index{0, 1, 2, 2, 0};
  const std::array<float, 5> source{5, 1, 7, 7, 2};
  std::array<float, 4> memory{};
  std::array<int, 4> won{};
  const strew::tensor_view output{memory.data(), {4}};
  const strew::tensor_view numbers{won.data(), {4}};

  // The number of the update that each element holds: -1 where it is data's.
  strew::scatter_reduce(data, 0, index, source, strew::reduction::with_positions(strew::reduction::max, numbers),
                        output);

  expect(output, {5, 2, 7, 4});
  expect(numbers, {0, -1, 2, -1});
}

void histogram() {
  const std::array<unsigned char, 8> values{3, 1, 3, 0, 3, 1, 2, 3};
  const int one = 1;
  std::array<int, 4> memory{};
  const strew::tensor_view bins{memory.data(), {4}};

  // The count of each value is a sum of ones: one element, seen eight times.
  strew::scatter_add(bins, 0, values, strew::tensor_view{&one, {8}, {0}});

  expect(bins, {1, 2, 1, 4});
}

}  // namespace

void elements() {
  version_3();
  version_12();
  onnx();
  onnx_longer();
  along_axis();
  add();
  reduce();
  reduce_without_nan();
  which_won();
  histogram();
}
