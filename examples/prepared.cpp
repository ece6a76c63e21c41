// SPDX-License-Identifier: Apache-2.0
// The same call many times: a step of a simulation writes the rows of some nodes, whose numbers stay the same.
#include <strew/bound.hpp>
#include <strew/prepare.hpp>
#include <strew/scatter_update.hpp>
#include <strew/tensor_view.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <vector>

namespace {

constexpr int rows = 6;
constexpr int columns = 2;

using table = std::array<float, rows * columns>;

void write_rows(const strew::tensor_view<const float>& data, const strew::tensor_view<const std::int64_t>& indices,
                const strew::tensor_view<const float>& updates, const strew::tensor_view<float>& output) {
  constexpr int axis = 0;
  const auto update = strew::prepare<float, std::int64_t>(
      strew::scatter_update, {data.layout(), indices.layout(), updates.layout(), output.layout()}, axis);
  update.run(data.data(), indices.data(), updates.data(), output.data());

  std::vector<std::byte> kept(update.bound_bytes());
  const auto bound = update.bind(indices.data(), kept);
  bound.run(data.data(), updates.data(), output.data());
}

}  // namespace

int main() {
  const table data{};
  const std::array<std::int64_t, 3> nodes{5, 0, 5};
  const std::array<float, 6> updates{1, 2, 3, 4, 5, 6};
  table output;
  output.fill(-1);
  write_rows({data.data(), {rows, columns}}, {nodes.data(), {3}}, {updates.data(), {3, columns}},
             {output.data(), {rows, columns}});

  const bool right = output == table{3, 4, 0, 0, 0, 0, 0, 0, 0, 0, 5, 6};  // of the updates for node 5 the last
  std::printf("the table is %s\n", right ? "right" : "wrong");
  return right ? 0 : 1;
}
