// SPDX-License-Identifier: Apache-2.0
// The README's program: three operators on one grid and an index out of bounds, with the result printed and checked.
#include <strew/strew.hpp>

#include <cstdio>
#include <cstring>

int main() {
  int memory[24] = {}, numbers[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, mark = -1;
  int which_rows[] = {3, 1}, which_columns[] = {0, 2, 4, 5};
  const strew::tensor_view grid{memory, {4, 6}}, lines{numbers, {2, 6}}, block{numbers, {2, 3}};
  const strew::tensor_view rows{which_rows, {2}}, columns{which_columns, {4, 1}};
  const strew::tensor_view marks{&mark, {4, 1}, {0, 0}};  // strides of 0: one element, seen four times

  // In NumPy: grid[[3, 1]] = lines, grid[0:4:2, -1:0:-2] = block, grid[range(4), columns] = -1
  strew::scatter_update(grid, rows, lines, 0);
  strew::slice_scatter(grid, block, {.start = {0, -1}, .stop = {4, 0}, .step = {2, -2}});
  strew::scatter_elements_update(grid, columns, marks, 1);

  which_rows[1] = 4;  // there is no row 4: the next call says so and writes nothing
  const strew::status refused = strew::try_scatter_update(grid, rows, lines, 0);

  const int expected[] = {-1, 3, 0, 2, 0, 1, 7, 8, -1, 10, 11, 12, 0, 6, 0, 5, -1, 4, 1, 2, 3, 4, 5, -1};
  const bool right = std::memcmp(memory, expected, sizeof memory) == 0;
  for (int i = 0; i < 24; ++i) std::printf("%3d%s", memory[i], i % 6 == 5 ? "\n" : "");
  std::printf("%s\nthe grid is %s\n", refused.message().c_str(), right ? "right" : "wrong");
  return right ? 0 : 1;
}
