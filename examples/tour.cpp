// SPDX-License-Identifier: Apache-2.0
// What the README shows, in the order of its sections: each function is one of them, and checks its result.
#include "help.hpp"

#include <strew/heap_workspace.hpp>
#include <strew/strew.hpp>
#include <strew/threads.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace {

bool views() {
  std::vector<int> memory(12);
  const std::vector<int> rows{2, 0}, numbers{1, 2, 3, 4, 5, 6, 7, 8};

  const strew::tensor_view table{memory.data(), {3, 4}};  // row-major
  const strew::tensor_view values{numbers.data(), {2, 4}};
  const strew::tensor_view column{memory.data() + 3, {3}, {4}};  // the last column, with a stride of 4 elements
  strew::scatter_update(table, rows, values, 0);                 // table[[2, 0]] = values
  strew::slice_scatter(column, -1, {.step = 2});                 // column[::2] = -1

  return memory == std::vector<int>{5, 6, 7, -1, 0, 0, 0, 0, 1, 2, 3, -1};
}

bool duplicates() {
  std::vector<float> table{1, 1, 1};
  const std::vector<int> rows{2, 0, 2}, far{0, 9};
  const std::vector<float> values{5, 7, 3}, two{4, 4};

  strew::scatter_update(table, rows, values, 0);                       // the last of equal indices wins
  strew::index_add(table, 0, rows, values);                            // every update is added
  strew::index_reduce(table, 0, rows, values, strew::reduction::max);  // or prod, min, mean, any callable
  strew::scatter_update(table, strew::drop(far), two, 0);              // indices out of bounds are dropped

  return table == std::vector<float>{4, 1, 11};
}

bool errors() {
  std::vector<float> table(4);
  const std::vector<int> rows{3, 4};
  const std::vector<float> values{5, 7};

  const strew::status outcome = strew::try_scatter_update(table, rows, values, 0);
  if (!outcome.ok()) std::printf("%s\n", outcome.message().c_str());

  return outcome.code() == strew::errc::index_out_of_bounds && table == std::vector<float>(4);
}

bool threads() {
  std::vector<float> table(4);
  const std::vector<int> rows{3, 0, 3};
  const std::vector<float> values{5, 7, 1};

  strew::thread_pool pool;  // in <strew/threads.hpp>
  strew::index_add(pool, table, 0, rows, values);

  strew::heap_workspace memory{pool};  // in <strew/heap_workspace.hpp>
  strew::index_add(memory, table, 0, rows, values);

  return table == std::vector<float>{14, 0, 0, 12};
}

bool prepared() {
  std::vector<float> table(4);
  const std::vector<std::int64_t> rows{3, 0, 3};
  std::vector<float> values{5, 7, 1};

  const auto four = strew::as_view(table).layout(), three = strew::as_view(rows).layout();
  const auto update = strew::prepare<float, std::int64_t>(strew::scatter_update, {four, three, three}, 0);
  update.run(table.data(), rows.data(), values.data());

  std::vector<std::byte> memory(update.bound_bytes());
  const auto bound = update.bind(rows.data(), memory);
  values = {6, 8, 2};
  bound.run(table.data(), values.data());

  return table == std::vector<float>{8, 0, 0, 2};
}

// Sums in a wider type than that of the updates: the table is of that type, and updates are converted block by block.
bool wider_sums() {
  const std::vector<float> samples{16'777'216, 1, 1, 1};  // in float 2^24 + 1 is 2^24
  const std::vector<int> bins{0, 0, 0, 1};

  std::array<double, 2> sums{};
  for (std::size_t begin = 0; begin < samples.size(); begin += 2) {
    const std::array<double, 2> block{samples[begin], samples[begin + 1]};
    strew::index_add(sums, 0, strew::tensor_view{bins.data() + begin, {2}}, block);
  }

  return sums == std::array<double, 2>{16'777'218, 1};
}

}  // namespace

int main(int argc, char** argv) {
  const example_help help{
      "The README's sections as code: views, duplicates, errors, threads, prepared calls, wider sums."};
  if (const auto status = answer_arguments(argc, argv, help)) return *status;
  const bool is_right = views() && duplicates() && errors() && threads() && prepared() && wider_sums();
  std::printf("%s\n", is_right ? "all as it should be" : "wrong");
  return is_right ? 0 : 1;
}
