// SPDX-License-Identifier: Apache-2.0
// Tensors whose types are known at run time only, as in files and interpreters: an address, an element type, an index
// type and strides in bytes.
#include "help.hpp"

#include <strew/dynamic.hpp>
#include <strew/strew.hpp>

#include <array>
#include <cstdint>
#include <cstdio>

namespace {

constexpr int rows = 4;
constexpr int columns = 3;

struct record {
  std::uint32_t key;
  std::array<float, columns> values;
};

void write_rows(void* memory, const void* row_numbers, const void* values) {
  using namespace strew::dynamic;
  const element_type type{element_kind::floating_point, 4};
  const tensor table{memory, type, {rows, columns}};
  const auto lines = const_tensor::from_byte_strides(values, type, {2, columns}, {sizeof(record), type.size});
  const index_tensor which{row_numbers, strew::index_type::int16, {2}};
  strew::scatter_update(table, which, lines, 0);
}

}  // namespace

int main(int argc, char** argv) {
  constexpr example_help help{"Tensors whose element types and layouts are known at run time only."};
  if (const auto status = answer_arguments(argc, argv, help)) return *status;
  std::array<float, rows * columns> table{};
  const std::array<record, 2> records{record{70, {1, 2, 3}}, record{80, {4, 5, 6}}};
  const std::array<std::int16_t, 2> row_numbers{3, 1};
  write_rows(table.data(), row_numbers.data(), records[0].values.data());

  const bool right = table == std::array<float, rows * columns>{0, 0, 0, 4, 5, 6, 0, 0, 0, 1, 2, 3};
  std::printf("the table is %s\n", right ? "right" : "wrong");
  return right ? 0 : 1;
}
