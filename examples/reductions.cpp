// SPDX-License-Identifier: Apache-2.0
// Updates with the same target: rows are added in the order of the updates, with the same bits at any number of
// threads; each row keeps its largest score; updates of rows that do not exist are dropped.
#include "help.hpp"

#include <strew/strew.hpp>
#include <strew/threads.hpp>

#include <cstdint>
#include <cstdio>

int main(int argc, char** argv) {
  constexpr example_help help{"Updates with one target: sums, the largest, and rows that are left out."};
  if (const auto status = answer_arguments(argc, argv, help)) return *status;
  float memory[8] = {0, 0, 1, 1, 2, 2, 3, 3}, gradient[6] = {1, 2, 10, 20, 100, 200}, score[4] = {5, 1, 7, 4};
  const std::int64_t used[3] = {1, 3, 1}, columns[4] = {0, 0, 1, 1}, some[3] = {0, 9, 2};
  const strew::tensor_view table{memory, {4, 2}}, gradients{gradient, {3, 2}}, scores{score, {4, 1}};
  const strew::tensor_view rows{used, {3}}, best{columns, {4, 1}}, given{some, {3}};
  strew::thread_pool pool;

  strew::index_add(pool, table, 0, rows, gradients);  // table[rows] += gradients
  strew::v12::scatter_elements_update(table, best, scores, 1, strew::reduction::max);
  strew::scatter_update(table, strew::drop(given), gradients, 0);  // there is no row 9: it is left out

  const float expected[8] = {1, 2, 102, 203, 100, 200, 13, 23};
  bool is_right = true;
  for (int i = 0; i < 8; ++i) {
    is_right = is_right && memory[i] == expected[i];
    std::printf("%5g%s", static_cast<double>(memory[i]), i % 2 == 1 ? "\n" : "");
  }
  return is_right ? 0 : 1;
}
