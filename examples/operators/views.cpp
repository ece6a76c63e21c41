// SPDX-License-Identifier: Apache-2.0
// Views: any strides, and views of views.
#include "expect.hpp"

#include <strew/operators/scatter_elements_update.hpp>
#include <strew/operators/scatter_update.hpp>
#include <strew/view/tensor_view.hpp>
#include <strew/view/view_transform.hpp>

#include <array>

namespace {

void strides() {
  std::array<int, 12> memory{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};

  const strew::tensor_view table{memory.data(), {3, 4}};                 // row-major: strides 4, 1
  const strew::tensor_view transposed{memory.data(), {4, 3}, {1, 4}};    // columns first
  const strew::tensor_view every_other{memory.data(), {3, 2}, {4, 2}};   // columns 0 and 2
  const strew::tensor_view backwards{memory.data() + 11, {12}, {-1}};    // from the end
  const strew::tensor_view repeated{memory.data() + 4, {5, 4}, {0, 1}};  // row 1, five times

  // One element, five ways.
  expect(table(1, 2) == 6 && transposed(2, 1) == 6 && every_other(1, 1) == 6, "an element of a table");
  expect(backwards(5) == 6 && repeated(4, 2) == 6, "an element of a line and of a repeated row");
}

void transforms() {
  std::array<int, 12> memory{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
  const strew::tensor_view table{memory.data(), {3, 4}};

  const auto turned = strew::transpose(table);                 // [4, 3]
  const auto odd = strew::slice(table, 1, 1, 4, 2);            // axis 1, 1:4:2
  const auto mirrored = strew::reverse(table, 0);              // the last row first
  const auto stacked = strew::broadcast(table, {2, 3, 4});     // twice the same table
  const auto axes_moved = strew::permute(stacked, {1, 2, 0});  // [3, 4, 2]

  // One element, five ways.
  expect(turned(3, 0) == 3 && odd(0, 1) == 3 && mirrored(2, 3) == 3, "an element of a table");
  expect(stacked(1, 0, 3) == 3 && axes_moved(0, 3, 1) == 3, "an element of two tables");
}

void write_through() {
  std::array<int, 12> memory{};
  const std::array columns{3, 1};
  const std::array numbers{1, 2, 3, 4, 5, 6};
  const strew::tensor_view table{memory.data(), {3, 4}};

  // Columns of the table are rows of its transpose; no element is copied for that.
  strew::scatter_update(strew::transpose(table), columns, strew::tensor_view{numbers.data(), {2, 3}}, 0);

  expect(table, {0, 4, 0, 1,  //
                 0, 5, 0, 2,  //
                 0, 6, 0, 3});
}

void one_index_a_row() {
  std::array<int, 16> memory{};
  const std::array numbers{1, 2, 3, 4};
  const std::array positions{3, 1};
  const strew::tensor_view cache{memory.data(), {2, 4, 2}};  // batch, positions, depth
  const strew::tensor_view token{numbers.data(), {2, 1, 2}};

  const strew::tensor_view one_per_row{positions.data(), {2, 1, 1}};
  const auto indices = strew::broadcast(one_per_row, token.extents());
  strew::scatter_elements_update(cache, indices, token, 1);

  expect(cache, {0, 0, 0, 0, 0, 0, 1, 2,  //
                 0, 0, 3, 4, 0, 0, 0, 0});
}

}  // namespace

void views() {
  strides();
  transforms();
  write_through();
  one_index_a_row();
}
