// SPDX-License-Identifier: Apache-2.0
// Undoing a gather: lines are gathered in the order of their lengths, processed in batches that are padded to their own
// longest line, and scattered back by the same indices.
#include "../help.hpp"

#include <strew/operators/scatter_update.hpp>
#include <strew/view/tensor_view.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <numeric>
#include <string>
#include <string_view>

namespace {

constexpr std::size_t lines = 8;
constexpr std::size_t width = 34;
constexpr std::size_t batch = 2;

constexpr std::array<std::string_view, lines> text{"a gather took these lines away",
                                                   "and sorted them",
                                                   "by how long they are",
                                                   "so that a batch has little padding",
                                                   "the work",
                                                   "was done on every batch by itself",
                                                   "then one scatter",
                                                   "put each line where it came from"};

char upper(char letter) {
  return static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
}

}  // namespace

int main(int argc, char** argv) {
  constexpr example_help help{
      "Undoing a gather: lines are gathered in the order of their lengths, worked on, and scattered back by\n"
      "the same indices (scatter_update)."};
  if (const auto status = answer_arguments(argc, argv, help)) return *status;
  std::array<std::int64_t, lines> order{};
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [](std::int64_t a, std::int64_t b) {
    return text[static_cast<std::size_t>(a)].size() < text[static_cast<std::size_t>(b)].size();
  });

  std::array<char, lines * width> sorted{};
  std::size_t sorted_cells = 0;
  std::size_t unsorted_cells = 0;
  for (std::size_t i = 0; i < lines; ++i) {
    const std::string_view line = text[static_cast<std::size_t>(order[i])];
    std::transform(line.begin(), line.end(), sorted.begin() + i * width, upper);
    if (i % batch == 0) continue;
    sorted_cells += batch * line.size();  // each batch has two lines, and here the second is the longer one
    unsorted_cells += batch * std::max(text[i - 1].size(), text[i].size());
  }

  std::array<char, lines * width> restored{};
  const strew::tensor_view output{restored.data(), {lines, width}};
  const strew::tensor_view came_from{order.data(), {lines}};
  const strew::tensor_view worked_on{sorted.data(), {lines, width}};
  strew::scatter_update(output, came_from, worked_on, 0);  // output[order[i]] = worked_on[i]

  bool right = true;
  std::printf("%-39s%s\n", "gathered by length", "put back");
  for (std::size_t i = 0; i < lines; ++i) {
    const auto row_of = [i](const std::array<char, lines * width>& rows) {
      std::string row(rows.data() + i * width, width);
      row.resize(std::min(row.find('\0'), width));
      return row;
    };
    std::printf("%lld  %-36s%s\n", static_cast<long long>(order[i]), row_of(sorted).c_str(), row_of(restored).c_str());
    std::string expected{text[i]};
    for (char& letter : expected) letter = upper(letter);
    right = right && row_of(restored) == expected;
  }
  std::printf("%zu characters with padding, where unsorted batches have %zu; the lines are %s\n", sorted_cells,
              unsorted_cells, right ? "in their places" : "WRONG");
  return right ? 0 : 1;
}
