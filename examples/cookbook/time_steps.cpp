// SPDX-License-Identifier: Apache-2.0
// Finite elements in time steps: in each step every hexahedron adds its heat flows to its eight nodes. The numbers of
// the nodes stay the same, so the call is bound to them once. A bar, hot at one end, becomes evenly warm.
#include "../help.hpp"

#include <strew/bound.hpp>
#include <strew/strew.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace {

constexpr std::size_t length = 48, side = 4;  // elements, each a unit cube
constexpr std::size_t corners = 8;
constexpr int steps = 3000;
constexpr double time_step = 0.1;

using numbers = std::vector<double>;
using cube_matrix = std::array<std::array<double, corners>, corners>;

// The numbers of the corners of each element: [elements, 8]. Nodes are numbered layer by layer along the bar.
std::vector<std::int32_t> nodes_of_bar() {
  constexpr std::size_t row = side + 1, layer = row * row;
  std::vector<std::int32_t> result;
  for (std::size_t element = 0; element < length * side * side; ++element) {
    const std::size_t x = element / (side * side), y = element / side % side, z = element % side;
    for (std::size_t k = 0; k < corners; ++k) {
      result.push_back(static_cast<std::int32_t>((x + k / 4) * layer + (y + k / 2 % 2) * row + z + k % 2));
    }
  }
  return result;
}

// The stiffness matrix of a trilinear element: along one axis the product of derivatives, along the others that of the
// hat functions themselves, summed over the axes.
cube_matrix conduction() {
  cube_matrix result{};
  for (std::size_t i = 0; i < corners; ++i) {
    for (std::size_t j = 0; j < corners; ++j) {
      for (const std::size_t along : {1U, 2U, 4U}) {
        double product = 1;
        for (const std::size_t axis : {1U, 2U, 4U}) {
          const bool same = (i & axis) == (j & axis);
          product *= axis == along ? (same ? 1.0 : -1.0) : (same ? 1.0 / 3 : 1.0 / 6);
        }
        result[i][j] += product;
      }
    }
  }
  return result;
}

// The heat that flows out of each corner of each element.
void compute_flows(const cube_matrix& matrix, const std::vector<std::int32_t>& nodes, const numbers& heat,
                   numbers& flows) {
  for (std::size_t first = 0; first < nodes.size(); first += corners) {
    for (std::size_t i = 0; i < corners; ++i) {
      flows[first + i] = 0;
      for (std::size_t j = 0; j < corners; ++j) {
        flows[first + i] += matrix[i][j] * heat[static_cast<std::size_t>(nodes[first + j])];
      }
    }
  }
}

numbers hot_end(std::size_t count) {
  numbers heat(count);
  std::fill_n(heat.begin(), count / 4, 1.0);
  return heat;
}

template <class Show>
numbers by_bound_calls(const std::vector<std::int32_t>& numbers_of_nodes, std::size_t count, Show&& show) {
  const cube_matrix matrix = conduction();
  numbers heat = hot_end(count), mass(count), sums(count), parts(numbers_of_nodes.size(), 1.0 / corners);
  const strew::tensor_view nodes{numbers_of_nodes.data(),
                                 {static_cast<std::int64_t>(parts.size() / corners), std::int64_t{corners}}};
  const strew::tensor_view of_elements{parts.data(), nodes.extents()};
  const strew::tensor_view of_nodes{sums.data(), static_cast<std::int64_t>(count)};

  const auto assembly = strew::prepare<double, std::int32_t>(
      strew::index_add, {of_nodes.layout(), nodes.layout(), of_elements.layout()}, 0);
  std::vector<std::byte> memory(assembly.bound_bytes());
  const auto assemble = assembly.bind(nodes.data(), memory);  // reads the indices, for all steps

  assemble.run(mass.data(), parts.data());  // mass[nodes[e, k]] += 1 / 8
  for (int step = 0; step <= steps; ++step) {
    show(step, heat);
    compute_flows(matrix, numbers_of_nodes, heat, parts);
    std::fill(sums.begin(), sums.end(), 0.0);
    assemble.run(sums.data(), parts.data());  // sums[nodes[e, k]] += parts[e, k]
    for (std::size_t i = 0; i < count; ++i) heat[i] -= time_step * sums[i] / mass[i];
  }
  return heat;
}

// ---- The rest: the check, and what is printed.

numbers by_plain_loops(const std::vector<std::int32_t>& nodes, std::size_t count) {
  const cube_matrix matrix = conduction();
  numbers heat = hot_end(count), mass(count), flows(nodes.size());
  for (const std::int32_t node : nodes) mass[static_cast<std::size_t>(node)] += 1.0 / corners;
  for (int step = 0; step <= steps; ++step) {
    compute_flows(matrix, nodes, heat, flows);
    numbers sums(count);
    for (std::size_t k = 0; k < nodes.size(); ++k) sums[static_cast<std::size_t>(nodes[k])] += flows[k];
    for (std::size_t i = 0; i < count; ++i) heat[i] -= time_step * sums[i] / mass[i];
  }
  return heat;
}

// The temperatures along an edge of the bar, from 0 to 9.
void print_bar(int step, const numbers& heat) {
  std::string line;
  for (std::size_t node = 0; node < heat.size(); node += (side + 1) * (side + 1)) {
    line += static_cast<char>('0' + std::min(9, static_cast<int>(heat[node] * 10 + 1e-6)));
  }
  std::printf("%5d  %s\n", step, line.c_str());
}

}  // namespace

int main(int argc, char** argv) {
  constexpr example_help help{
      "Finite elements in time steps: an index_add that is bound to the numbers of the nodes assembles the heat\n"
      "flows of each step."};
  if (const auto status = answer_arguments(argc, argv, help)) return *status;
  const std::vector<std::int32_t> nodes = nodes_of_bar();
  constexpr std::size_t count = (length + 1) * (side + 1) * (side + 1);
  std::printf(" step  tenths of the temperature along the bar\n");
  const numbers heat = by_bound_calls(nodes, count, [](int step, const numbers& now) {
    if (step == 0 || step == 30 || step == 300 || step == 1000 || step == steps) print_bar(step, now);
  });
  const bool right = heat == by_plain_loops(nodes, count);
  std::printf("%zu elements, %zu nodes: the temperatures are %s\n", nodes.size() / corners, count,
              right ? "as by plain loops" : "WRONG");
  return right ? 0 : 1;
}
