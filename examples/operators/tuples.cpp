// SPDX-License-Identifier: Apache-2.0
// scatter_nd, index_put, put: slices and elements that multi-indices or row-major numbers address.
#include "expect.hpp"

#include <strew/openvino.hpp>
#include <strew/operators/index_put.hpp>
#include <strew/operators/put.hpp>
#include <strew/operators/scatter_nd.hpp>

#include <array>
#include <tuple>

namespace {

void single_elements() {
  std::array memory{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
  const std::array tuples{0, 1, 2, -1, 0, 1};
  const std::array numbers{21, 22, 23};
  const strew::tensor_view data{memory.data(), {3, 4}};
  const strew::tensor_view indices{tuples.data(), {3, 2}};  // three multi-indices of two components
  const strew::tensor_view updates{numbers.data(), {3}};

  strew::onnx::scatter_nd(data, indices, updates);

  expect(data, {0, 23, 2, 3, 4, 5, 6, 7, 8, 9, 10, 22});
}

void slices_of_rows() {
  std::array memory{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
  const std::array rows{2, 0};
  const std::array numbers{21, 22, 23, 24, 31, 32, 33, 34};
  const strew::tensor_view data{memory.data(), {3, 4}};
  const strew::tensor_view indices{rows.data(), {2, 1}};  // two multi-indices of one component

  strew::onnx::scatter_nd(data, indices, strew::tensor_view{numbers.data(), {2, 4}});

  expect(data, {31, 32, 33, 34, 4, 5, 6, 7, 21, 22, 23, 24});
}

void sums() {
  std::array<int, 4> memory{1, 2, 3, 4};
  const std::array places{0, 2, -3, -3, 0};
  const std::array updates{10, 20, 30, 40, 50};
  const strew::tensor_view data{memory.data(), {4}};
  const strew::tensor_view indices{places.data(), {5, 1}};

  strew::v15::scatter_nd_update(data, indices, updates, strew::reduction::sum);

  expect(data, {61, 72, 23, 4});
}

void tensors() {
  std::array memory{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
  const std::array rows{0, 2, 0};
  const std::array<signed char, 3> columns{3, -1, 3};
  const std::array values{21, 22, 23};
  const strew::tensor_view data{memory.data(), {3, 4}};
  const strew::tensor_view i0{rows.data(), {3}};
  const strew::tensor_view i1{columns.data(), {3}};

  // In NumPy: data[i0, i1] = values
  strew::index_put(data, std::tuple{i0, i1}, values);
  expect(data, {0, 1, 2, 23, 4, 5, 6, 7, 8, 9, 10, 22});

  strew::index_put(data, std::tuple{i0, i1}, values, strew::reduction::sum);
  expect(data, {0, 1, 2, 67, 4, 5, 6, 7, 8, 9, 10, 44});
}

void row_major_numbers() {
  std::array memory{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
  const std::array places{1, 6, -1};
  const std::array numbers{21, 22, 23};
  const strew::tensor_view data{memory.data(), {3, 4}};

  // In NumPy: np.put(data, index, source)
  strew::put(data, places, numbers);

  expect(data, {0, 21, 2, 3, 4, 5, 22, 7, 8, 9, 10, 23});
}

}  // namespace

void tuples() {
  single_elements();
  slices_of_rows();
  sums();
  tensors();
  row_major_numbers();
}
