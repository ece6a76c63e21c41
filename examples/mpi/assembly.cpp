// SPDX-License-Identifier: Apache-2.0
// The load vector of a mesh whose elements and nodes are divided among ranks: each rank computes the contributions of
// its elements, and the operator adds them to the nodes, wherever these are. The mesh is the same in every time step,
// so its indices are bound once; a step then sends contributions alone, while the next ones are computed.
#include "every_rank.hpp"

#include <strew/mpi.hpp>

#include <mpi.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace {

using strew::mpi::distributed_tensor_view;
using strew::mpi::distribution;

constexpr std::int64_t side = 60;  // elements on each side of a square
constexpr std::int64_t elements = side * side;
constexpr std::int64_t nodes = (side + 1) * (side + 1);
constexpr std::int64_t corners = 4;

// The node at a corner of an element.
std::int64_t node_of(std::int64_t element, std::int64_t corner) {
  const std::int64_t row = element / side + corner / 2;
  const std::int64_t column = element % side + corner % 2;
  return row * (side + 1) + column;
}
// What an element adds to each of its corners in a step: a quarter of its share of a load that moves.
double contribution(std::int64_t element, int step) {
  const double x = static_cast<double>(element % side) / side;
  const double y = static_cast<double>(element / side) / side;
  return std::sin(9 * x + 0.1 * step) * std::cos(7 * y) / (4.0 * side * side);
}

int run(const rank_of_all& all_ranks) {
  const auto& [rank, ranks] = all_ranks;
  const auto of_elements = distribution::block(elements, ranks);
  const auto of_nodes = distribution::block(nodes, ranks);
  const std::int64_t own_elements = of_elements.local_extent(rank);
  const std::int64_t own_nodes = of_nodes.local_extent(rank);

  std::vector<std::int64_t> mesh;  // [elements, corners]
  for (std::int64_t e = 0; e < own_elements; ++e) {
    for (std::int64_t c = 0; c < corners; ++c) mesh.push_back(node_of(of_elements.global_index(rank, e), c));
  }
  std::vector<double> loads(mesh.size());
  std::vector<double> vector(static_cast<std::size_t>(own_nodes));

  const distributed_tensor_view at{strew::tensor_view{mesh.data(), {own_elements, corners}}, 0, of_elements,
                                   MPI_COMM_WORLD};
  const distributed_tensor_view with{strew::tensor_view{loads.data(), {own_elements, corners}}, 0, of_elements,
                                     MPI_COMM_WORLD};
  const distributed_tensor_view sums{strew::tensor_view{vector.data(), {own_nodes}}, 0, of_nodes, MPI_COMM_WORLD};
  auto assembly = strew::mpi::prepare<double, std::int64_t>(strew::mpi::index_add, sums, 0, at, with);
  std::vector<std::byte> memory(assembly.bound_bytes(at));
  assembly.bind(at, memory);

  bool is_equal = true;
  for (int step = 0; step < 5; ++step) {
    for (double& sum : vector) sum = 0;
    for (std::int64_t e = 0; e < own_elements; ++e) {
      const double each = contribution(of_elements.global_index(rank, e), step);
      for (std::int64_t c = 0; c < corners; ++c) loads[static_cast<std::size_t>(e * corners + c)] = each;
    }
    assembly.begin(vector.data(), loads.data());
    // Meanwhile: the same by plain loops over the whole mesh, as one rank would.
    std::vector<double> expected(static_cast<std::size_t>(nodes));
    for (std::int64_t e = 0; e < elements; ++e) {
      for (std::int64_t c = 0; c < corners; ++c)
        expected[static_cast<std::size_t>(node_of(e, c))] += contribution(e, step);
    }
    assembly.end(vector.data(), loads.data());
    for (std::int64_t n = 0; n < own_nodes; ++n) {
      const auto node = static_cast<std::size_t>(of_nodes.global_index(rank, n));
      if (vector[static_cast<std::size_t>(n)] != expected[node]) is_equal = false;
    }
  }
  return all_ranks.finish("3,600 elements, 5 steps", is_equal);
}

}  // namespace

int main(int argc, char** argv) {
  const example_help help{
      "Assembles the load vector of a mesh that is divided among the ranks of MPI, in five time steps."};
  return run_on_every_rank(argc, argv, help, run);
}
