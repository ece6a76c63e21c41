// SPDX-License-Identifier: Apache-2.0
// One coordinate, a diagonal, elements that a mask selects, positions of a cache.
#include "expect.hpp"

#include <strew/operators/diagonal_scatter.hpp>
#include <strew/operators/masked_fill.hpp>
#include <strew/operators/masked_scatter.hpp>
#include <strew/operators/select_scatter.hpp>
#include <strew/operators/tensor_scatter.hpp>

#include <array>

namespace {

void select() {
  std::array<int, 6> memory{0, 1, 2, 3, 4, 5};
  const std::array numbers{7, 8, 9};
  const strew::tensor_view data{memory.data(), {2, 3}};

  strew::select_scatter(data, numbers, 0, -1);

  expect(data, {0, 1, 2, 7, 8, 9});
}

void diagonal() {
  std::array<int, 12> memory{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
  const std::array numbers{21, 22, 23};
  const strew::tensor_view data{memory.data(), {3, 4}};

  constexpr int offset = 1;
  strew::diagonal_scatter(data, numbers, offset, 0, 1);

  expect(data, {0, 21, 2, 3,  //
                4, 5, 22, 7,  //
                8, 9, 10, 23});
}

void masked() {
  std::array<int, 8> memory{0, 1, 2, 3, 4, 5, 6, 7};
  const std::array chosen{false, true, false, true, true, false, false, true};
  const std::array numbers{21, 22, 23, 24, 25};  // one more than is needed: it is not read
  const strew::tensor_view data{memory.data(), {2, 4}};
  const strew::tensor_view mask{chosen.data(), {2, 4}};

  strew::masked_scatter(data, mask, numbers);
  expect(data, {0, 21, 2, 22, 23, 5, 6, 24});

  strew::masked_fill(data, mask, 9);
  expect(data, {0, 9, 2, 9, 9, 5, 6, 9});
}

void cache() {
  std::array<int, 8> memory{};
  const std::array numbers{1, 2, 3, 4};
  const std::array positions{1, 2};
  const strew::tensor_view past{memory.data(), {2, 4, 1}};  // batch, positions, depth
  const strew::tensor_view update{numbers.data(), {2, 2, 1}};

  strew::onnx::tensor_scatter(past, update, positions, {});

  expect(past, {0, 1, 2, 0, 0, 0, 3, 4});
}

void ring() {
  std::array<int, 8> memory{};
  const std::array numbers{1, 2, 3, 4};
  const std::array positions{3, 2};
  const strew::tensor_view past{memory.data(), {2, 4, 1}};
  const strew::tensor_view update{numbers.data(), {2, 2, 1}};

  strew::onnx::tensor_scatter(past, update, positions, {.mode = strew::onnx::cache_mode::circular});

  expect(past, {2, 0, 0, 1, 0, 0, 3, 4});
}

}  // namespace

void parts() {
  select();
  diagonal();
  masked();
  cache();
  ring();
}
