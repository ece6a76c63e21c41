// SPDX-License-Identifier: Apache-2.0
// slice_scatter.
#include "expect.hpp"

#include <strew/operators/slice_scatter.hpp>
#include <strew/view/view_transform.hpp>

#include <array>
#include <climits>
#include <vector>

namespace {

void steps() {
  std::array<int, 24> memory{};
  const std::array numbers{1, 2, 3, 4, 5, 6};
  const strew::tensor_view grid{memory.data(), {4, 6}};
  const strew::tensor_view updates{numbers.data(), {2, 3}};

  // In NumPy: grid[0:4:2, -1:0:-2] = updates
  strew::slice_scatter(grid, updates, {.start = {0, -1}, .stop = {4, 0}, .step = {2, -2}});

  expect(grid, {0, 3, 0, 2, 0, 1,  //
                0, 0, 0, 0, 0, 0,  //
                0, 6, 0, 5, 0, 4,  //
                0, 0, 0, 0, 0, 0});
}

void clamped() {
  const std::array numbers{0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
  const std::array news{10, 20, 30, 40, 50, 60};
  std::array<int, 10> memory{};
  const strew::tensor_view data{numbers.data(), {2, 5}};
  const strew::tensor_view updates{news.data(), {2, 3}};
  const strew::tensor_view output{memory.data(), {2, 5}};

  strew::slice_scatter(data, updates, {.start = -25, .stop = 25, .step = 2, .axes = 1}, output);

  expect(output, {10, 1, 20, 3, 30, 40, 6, 50, 8, 60});
}

void backwards() {
  std::vector<int> memory{0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
  const std::array numbers{90, 60, 30, 0};
  const strew::tensor_view line{memory.data(), {10}};

  // INT_MIN and INT_MAX as a stop mean to the beginning and to the end, of an axis of any size.
  strew::slice_scatter(line, numbers, {.start = 9, .stop = INT_MIN, .step = -3});

  expect(line, {0, 1, 2, 30, 4, 5, 60, 7, 8, 90});
}

void left_out() {
  std::vector<int> memory{0, 1, 2, 3, 4, 5};
  const strew::tensor_view line{memory.data(), {6}};

  strew::slice_scatter(line, 9, {.start = -2});  // line[-2:] = 9, one value for all targets
  expect(line, {0, 1, 2, 3, 9, 9});
  strew::slice_scatter(line, std::array{7, 8}, {.stop = 3, .step = -1});  // line[:3:-1]
  expect(line, {0, 1, 2, 3, 8, 7});
}

void one_row_many_times() {
  std::array<int, 12> memory{};
  const std::array numbers{7, 8, 9};
  const strew::tensor_view table{memory.data(), {4, 3}};

  // Updates are not broadcast: a view with a stride of 0 repeats the row.
  const auto repeated = strew::broadcast(strew::tensor_view{numbers.data(), {3}}, {2, 3});
  strew::slice_scatter(table, repeated, {.start = 0, .stop = 4, .step = 2, .axes = 0});

  expect(table, {7, 8, 9, 0, 0, 0, 7, 8, 9, 0, 0, 0});
}

}  // namespace

void slices() {
  steps();
  clamped();
  backwards();
  left_out();
  one_row_many_times();
}
