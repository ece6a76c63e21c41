// SPDX-License-Identifier: Apache-2.0
// Prepared and bound calls: each step of a simulation writes the rows of some nodes, whose numbers do not change.
#include "help.hpp"

#include <strew/bound.hpp>
#include <strew/strew.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <vector>

namespace {

bool write_rows() {
  const std::array<float, 12> table{};
  const std::array<std::int64_t, 3> nodes{5, 0, 5};
  const std::array<float, 6> rows{1, 2, 3, 4, 5, 6};
  std::array<float, 12> result{};
  const strew::tensor_view data{table.data(), {6, 2}};
  const strew::tensor_view indices{nodes.data(), {3}};
  const strew::tensor_view updates{rows.data(), {3, 2}};
  const strew::tensor_view output{result.data(), {6, 2}};

  constexpr int axis = 0;
  const auto update = strew::prepare<float, std::int64_t>(
      strew::scatter_update, {data.layout(), indices.layout(), updates.layout(), output.layout()}, axis);
  update.run(data.data(), indices.data(), updates.data(), output.data());

  std::vector<std::byte> kept(update.bound_bytes());
  const auto bound = update.bind(indices.data(), kept);
  bound.run(data.data(), updates.data(), output.data());

  return result == std::array<float, 12>{3, 4, 0, 0, 0, 0, 0, 0, 0, 0, 5, 6};  // the last of the updates of node 5
}

// Other operators: the arguments that are no tensors follow the layouts. Without the layout of the output the call is
// in place.
bool run_others() {
  std::array<float, 12> memory{};
  const std::array<std::int64_t, 2> nodes{1, 1};
  const std::array<float, 4> updates{1, 2, 3, 4};
  std::array<bool, 12> is_unset;
  is_unset.fill(true);
  is_unset[2] = is_unset[3] = false;
  const strew::strided_layout data = strew::tensor_view<float>(memory.data(), {6, 2}).layout();
  const strew::strided_layout two = strew::tensor_view<const std::int64_t>(nodes.data(), 2).layout();
  const strew::strided_layout lines = strew::tensor_view<const float>(updates.data(), {2, 2}).layout();

  const auto sums = strew::prepare<float, std::int64_t>(strew::index_add, {data, two, lines}, 0);
  const auto fill = strew::prepare<float, bool>(strew::masked_fill, {data, data}, 9.0F);
  const auto part =
      strew::prepare<float>(strew::slice_scatter, {data, lines}, {.start = 4, .stop = 6, .step = 1, .axes = 0});
  sums.run(memory.data(), nodes.data(), updates.data());
  fill.run(memory.data(), is_unset.data());
  part.run(memory.data(), updates.data());

  return memory == std::array<float, 12>{9, 9, 4, 6, 9, 9, 9, 9, 1, 2, 3, 4};
}

// Rows of a fixed number, of which unused ones have an index outside of the table.
bool leave_out_padding() {
  std::array<float, 12> memory{};
  const std::array<int, 3> nodes{1, -1, 4};
  const std::array<float, 6> updates{1, 2, 3, 4, 5, 6};
  const strew::strided_layout data = strew::tensor_view<float>(memory.data(), {6, 2}).layout();
  const strew::strided_layout three = strew::tensor_view<const int>(nodes.data(), 3).layout();
  const strew::strided_layout lines = strew::tensor_view<const float>(updates.data(), {3, 2}).layout();

  using indices = strew::indices_with_policy<strew::index_policy::drop, int>;
  const strew::prepared<float, indices, strew::index_add, std::int64_t> sums =
      strew::prepare<float, int>(strew::index_add, {data, strew::drop(three), lines}, 0);
  sums.run(memory.data(), nodes.data(), updates.data());

  return memory == std::array<float, 12>{0, 0, 1, 2, 0, 0, 0, 0, 5, 6, 0, 0};
}

}  // namespace

int main(int argc, char** argv) {
  constexpr example_help help{"The same call many times: prepared once, then bound to its indices too, and run."};
  if (const auto status = answer_arguments(argc, argv, help)) return *status;
  const bool right = write_rows() && run_others() && leave_out_padding();
  std::printf("the table is %s\n", right ? "right" : "wrong");
  return right ? 0 : 1;
}
