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

bool write_rows() {
  struct record {
    std::uint32_t key;
    std::array<float, 3> values;
  };
  const std::array<record, 2> records{record{70, {1, 2, 3}}, record{80, {4, 5, 6}}};
  const std::array<std::int16_t, 2> numbers{3, 1};
  std::array<float, 12> table{};

  // Of all three only addresses and descriptions are needed: types, extents, strides in bytes.
  using namespace strew::dynamic;
  const element_type type{element_kind::floating_point, 4};
  const tensor data{table.data(), type, {4, 3}};
  const index_tensor rows{numbers.data(), strew::index_type::int16, {2}};
  const auto values = const_tensor::from_byte_strides(records[0].values.data(), type, {2, 3}, {sizeof(record), 4});
  strew::scatter_update(data, rows, values, 0);

  return table == std::array<float, 12>{0, 0, 0, 4, 5, 6, 0, 0, 0, 1, 2, 3};
}

}  // namespace

int main(int argc, char** argv) {
  constexpr example_help help{"Tensors whose element types and layouts are known at run time only."};
  if (const auto status = answer_arguments(argc, argv, help)) return *status;
  const bool right = write_rows();
  std::printf("the table is %s\n", right ? "right" : "wrong");
  return right ? 0 : 1;
}
