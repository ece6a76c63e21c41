// SPDX-License-Identifier: Apache-2.0
// Tensors of other libraries as operands: containers, and a user-defined type with a specialisation of tensor_access.
#include "help.hpp"

#include <strew/strew.hpp>

#include <array>
#include <cstdio>
#include <vector>

namespace {

// A picture whose lines are padded to a multiple of four pixels.
struct picture {
  std::vector<unsigned char> pixels;
  int lines;
  int columns;
};

}  // namespace

template <>
struct strew::tensor_access<picture> {
  static unsigned char* data(picture& p) { return p.pixels.data(); }
  static index_list extents(const picture& p) { return {p.lines, p.columns}; }
  static index_list strides(const picture& p) { return {(p.columns + 3) / 4 * 4, 1}; }
};

int main(int argc, char** argv) {
  constexpr example_help help{
      "Tensors of other libraries as operands: containers as they are, and a type of one's own."};
  if (const auto status = answer_arguments(argc, argv, help)) return *status;
  std::vector<float> sales(4);
  const std::array<int, 3> days{2, 0, 2};
  const float amounts[] = {5, 7, 1};
  strew::index_add(sales, 0, days, amounts);
  for (const float day : sales) std::printf("%g ", static_cast<double>(day));
  std::printf("\n");

  picture page{std::vector<unsigned char>(4 * 8, '.'), 4, 6};
  strew::index_fill(page, 0, std::array{1, -1}, '#');
  const auto view = strew::as_view(page);
  for (int i = 0; i < page.lines; ++i) std::printf("%.6s\n", reinterpret_cast<const char*>(&view(i, 0)));

  const bool right = sales == std::vector<float>{7, 0, 6, 0} && view(1, 5) == '#' && view(3, 0) == '#' &&
                     view(2, 0) == '.' && page.pixels[14] == '.';
  std::printf("%s\n", right ? "right" : "wrong");
  return right ? 0 : 1;
}
