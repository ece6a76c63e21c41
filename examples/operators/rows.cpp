// SPDX-License-Identifier: Apache-2.0
// scatter_update, index_copy, index_add, index_reduce, index_fill: whole rows of one axis.
#include "expect.hpp"

#include <strew/operators/converted.hpp>
#include <strew/operators/index_add.hpp>
#include <strew/operators/index_copy.hpp>
#include <strew/operators/index_fill.hpp>
#include <strew/operators/index_policy.hpp>
#include <strew/operators/index_reduce.hpp>
#include <strew/operators/scatter_update.hpp>
#include <strew/operators/segments.hpp>

#include <array>

namespace {

void last_wins() {
  std::array memory{0, 0, 0, 10, 10, 10, 20, 20, 20, 30, 30, 30, 40, 40, 40};
  const std::array indices{3, 1, 3};
  const std::array numbers{1, 2, 3, 4, 5, 6, 7, 8, 9};
  const strew::tensor_view data{memory.data(), {5, 3}};
  const strew::tensor_view updates{numbers.data(), {3, 3}};

  strew::scatter_update(data, indices, updates, 0);

  expect(data, {0, 0, 0, 4, 5, 6, 20, 20, 20, 7, 8, 9, 40, 40, 40});
}

void columns() {
  const std::array numbers{0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
  const std::array<unsigned char, 2> which{4, 0};
  const std::array news{11, 12, 13, 14};
  std::array<int, 10> memory{};
  const strew::tensor_view output{memory.data(), {2, 5}};

  strew::scatter_update(strew::tensor_view{numbers.data(), {2, 5}}, which, strew::tensor_view{news.data(), {2, 2}}, 1,
                        output);

  expect(output, {12, 1, 2, 3, 11, 14, 6, 7, 8, 13});
}

void add() {
  std::array memory{0, 0, 0, 10, 10, 10, 20, 20, 20, 30, 30, 30, 40, 40, 40};
  const std::array index{3, 1, 3};
  const std::array numbers{1, 2, 3, 4, 5, 6, 7, 8, 9};
  const strew::tensor_view data{memory.data(), {5, 3}};
  const strew::tensor_view source{numbers.data(), {3, 3}};

  strew::index_add(data, 0, index, source);

  expect(data, {0, 0, 0, 14, 15, 16, 20, 20, 20, 38, 40, 42, 40, 40, 40});

  strew::index_add(data, 0, index, source, strew::scaled_by{-1});  // and back again
  expect(data, {0, 0, 0, 10, 10, 10, 20, 20, 20, 30, 30, 30, 40, 40, 40});
}

void copy_and_reduce() {
  const std::array numbers{0, 0, 1, 1, 2, 2};
  const std::array index{0, 0};
  const std::array news{1, 2, 3, 4};
  std::array<int, 6> memory{};
  const strew::tensor_view data{numbers.data(), {3, 2}};
  const strew::tensor_view source{news.data(), {2, 2}};
  const strew::tensor_view output{memory.data(), {3, 2}};

  strew::index_copy(data, 0, index, source, output);
  expect(output, {3, 4, 1, 1, 2, 2});

  strew::index_reduce(data, 0, index, source, strew::reduction::without_init(strew::reduction::min), output);
  expect(output, {1, 2, 1, 1, 2, 2});
}

void fill() {
  std::array memory{0, 0, 0, 10, 10, 10, 20, 20, 20, 30, 30, 30, 40, 40, 40};
  const std::array rows{1, -1};
  const strew::tensor_view data{memory.data(), {5, 3}};

  strew::index_fill(data, 0, rows, 7);

  expect(data, {0, 0, 0, 7, 7, 7, 20, 20, 20, 30, 30, 30, 7, 7, 7});
}

void segment_sum() {
  std::array<double, 3> memory{};
  const std::array segments{0, 2, -1, 2, 0};  // -1: no segment
  const std::array<double, 5> numbers{1, 2, 4, 8, 16};
  const strew::tensor_view sums{memory.data(), {3}};

  strew::index_add(sums, 0, strew::drop(segments), numbers);

  expect(sums, {17, 0, 10});
}

void convert() {
  std::array<double, 3> memory{1, 1, 1};
  const std::array index{2, 0, 2};
  const std::array<float, 3> source{0.5F, 3, 4};  // of another type than data
  const strew::tensor_view data{memory.data(), {3}};

  strew::index_add(data, 0, index, strew::converted(source));

  expect(data, {4, 1, 5.5});
}

void consecutive_segments() {
  std::array<double, 3> memory{};
  const std::array offsets{0, 3, 3, 4};  // segment 1 is empty
  const std::array<double, 4> numbers{1, 2, 4, 8};
  const strew::tensor_view sums{memory.data(), {3}};

  strew::index_add(sums, 0, strew::segments(offsets), numbers);

  expect(sums, {7, 0, 8});

  strew::index_reduce(sums, 0, strew::segments(offsets), numbers,
                      strew::reduction::without_init(strew::reduction::max));
  expect(sums, {4, 0, 8});
}

}  // namespace

void rows() {
  last_wins();
  columns();
  add();
  copy_and_reduce();
  fill();
  segment_sum();
  convert();
  consecutive_segments();
}
