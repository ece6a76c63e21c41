// SPDX-License-Identifier: Apache-2.0
// Five slow calls, each before and after it is mended, with the line that strew::explain returns.
#include "help.hpp"

#include <strew/heap_workspace.hpp>
#include <strew/strew.hpp>
#include <strew/threads.hpp>
#include <strew/trace.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace {

constexpr std::int64_t count = 1 << 20;

// The indices 0, .., targets - 1 in an order that looks random, several times if there are more indices.
std::vector<std::int64_t> scattered(std::int64_t indices, std::int64_t targets) {
  std::vector<std::int64_t> all(static_cast<std::size_t>(indices));
  for (std::int64_t i = 0; i < indices; ++i) all[static_cast<std::size_t>(i)] = i * 48271 % targets;
  return all;
}

// Prints a line, broken where its parts end.
void print(const char* what, std::string line) {
  for (std::size_t at = 0; (at = line.find(" | ", at)) != std::string::npos; at += 7) line.replace(at, 3, "\n    | ");
  std::printf("%s\n  %s\n", what, line.c_str());
}

void mean_of_many() {
  std::vector<float> means(count);
  const std::vector<float> values(count, 1.0F);
  const std::vector<std::int64_t> targets = scattered(count, count);

  print("mean", strew::explain(strew::index_reduce, means, 0, targets, values, strew::reduction::mean));
  strew::index_reduce(means, 0, targets, values, strew::reduction::mean);

  strew::heap_workspace memory;  // allocates what a call would use, and keeps it
  print("mean, with a workspace",
        strew::explain(strew::index_reduce, memory, means, 0, targets, values, strew::reduction::mean));
  strew::index_reduce(memory, means, 0, targets, values, strew::reduction::mean);
}

void callable() {
  std::vector<float> best(count);
  const std::vector<float> scores(count, 1.0F);
  const std::vector<std::int64_t> targets = scattered(count, count);

  const auto larger = [](float a, float b) { return a > b ? a : b; };
  print("callable", strew::explain(strew::index_reduce, best, 0, targets, scores, larger));
  strew::index_reduce(best, 0, targets, scores, larger);

  const auto larger_noexcept = [](float a, float b) noexcept { return a > b ? a : b; };
  print("callable, noexcept", strew::explain(strew::index_reduce, best, 0, targets, scores, larger_noexcept));
  strew::index_reduce(best, 0, targets, scores, larger_noexcept);
}

void transposed_updates() {
  std::vector<float> memory(4096 * 1024);
  const std::vector<float> numbers(1024 * 1024, 1.0F);
  const std::vector<std::int64_t> rows = scattered(1024, 1024);
  const strew::tensor_view table(memory.data(), {4096, 1024});

  const strew::tensor_view column_major(numbers.data(), {1024, 1024}, {1, 1024});
  print("rows, updates column-major", strew::explain(strew::index_add, table, 0, rows, column_major));
  strew::index_add(table, 0, rows, column_major);

  const strew::tensor_view row_major(numbers.data(), {1024, 1024});
  print("rows, updates as the table", strew::explain(strew::index_add, table, 0, rows, row_major));
  strew::index_add(table, 0, rows, row_major);
}

void new_output() {
  std::vector<float> memory(32768 * 64);
  std::vector<float> result(32768 * 64);
  const std::vector<float> numbers(16 * 64, 1.0F);
  const std::vector<std::int64_t> rows = scattered(16, 16);
  const strew::tensor_view table(memory.data(), {32768, 64});
  const strew::tensor_view updates(numbers.data(), {16, 64});

  const strew::tensor_view output(result.data(), {32768, 64});
  print("a new table", strew::explain(strew::scatter_update, table, rows, updates, 0, output));
  strew::scatter_update(table, rows, updates, 0, output);

  print("in place", strew::explain(strew::scatter_update, table, rows, updates, 0));
  strew::scatter_update(table, rows, updates, 0);
}

void threads_for_short_rows() {
  std::vector<float> memory(4 * count);
  const std::vector<float> numbers(4 * count, 1.0F);
  const std::vector<std::int64_t> rows = scattered(count, count);
  const strew::tensor_view table(memory.data(), {count, 4});
  const strew::tensor_view updates(numbers.data(), {count, 4});
  strew::thread_pool pool{2};

  print("rows of 4, two threads", strew::explain(strew::index_add, pool, table, 0, rows, updates));
  strew::index_add(pool, table, 0, rows, updates);

  const strew::tensor_view<const std::int64_t> indices(rows.data(), {count});
  const auto prepared =
      strew::prepare<float, std::int64_t>(strew::index_add, {table.layout(), indices.layout(), updates.layout()}, 0);
  std::vector<std::byte> kept(prepared.bound_bytes());
  const auto bound = prepared.bind(indices.data(), kept);  // the indices are the same in every run
  bound.run(pool, table.data(), updates.data());
}

}  // namespace

int main(int argc, char** argv) {
  constexpr example_help help{
      "Five slow calls: which kernels would run them, and what makes them fast.\n"
      "Each call also prints its line, with its time, on standard error."};
  if (const auto status = answer_arguments(argc, argv, help)) return *status;
  mean_of_many();
  callable();
  transposed_updates();
  new_output();
  threads_for_short_rows();
}
