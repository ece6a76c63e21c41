// SPDX-License-Identifier: Apache-2.0
// Message passing with rows: nodes of a graph send what they believe, a row of one number for each group, along their
// edges, and a node takes the mean of what it receives (graph convolution, label propagation). The edges stay the same,
// so the call is bound to them once. A few nodes know their group, and after some rounds most do.
#include "../help.hpp"

#include <strew/bound.hpp>
#include <strew/strew.hpp>
#include <strew/threads.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <random>
#include <vector>

namespace {

constexpr std::size_t nodes = 6000;
constexpr std::size_t groups = 4;
constexpr std::size_t neighbours = 6;  // that each node chooses
constexpr std::size_t known = 40;      // nodes that know their group
constexpr int rounds = 8;

using numbers = std::vector<std::int32_t>;
using rows = std::vector<float>;

// Edge e is from node from[e] to node to[e]; each is listed in both directions.
struct graph {
  numbers from, to;
};

std::size_t group_of(std::size_t node) {
  return node % groups;
}

// Three of four neighbours are of the same group.
graph random_graph() {
  std::mt19937 random{5};
  graph g;
  for (std::size_t node = 0; node < nodes; ++node) {
    for (std::size_t k = 0; k < neighbours; ++k) {
      std::size_t other = random() % nodes;
      if (random() % 4 != 0) other = other - other % groups + group_of(node);
      for (const std::size_t end : {node, other}) g.from.push_back(static_cast<std::int32_t>(end));
      for (const std::size_t end : {other, node}) g.to.push_back(static_cast<std::int32_t>(end));
    }
  }
  return g;
}

void set_known(rows& beliefs) {
  for (std::size_t i = 0; i < known * groups; ++i) beliefs[i] = i % groups == group_of(i / groups) ? 1.0F : 0.0F;
}

void send(const graph& g, const rows& beliefs, rows& messages) {
  auto to = messages.begin();
  for (const std::int32_t node : g.from) {
    to = std::copy_n(beliefs.data() + static_cast<std::size_t>(node) * groups, groups, to);
  }
}

// The mean of the messages, of which degrees[node] arrive.
void divide(const rows& sums, const rows& degrees, rows& beliefs) {
  for (std::size_t i = 0; i < sums.size(); ++i) beliefs[i] = sums[i] / std::max(degrees[i / groups], 1.0F);
  set_known(beliefs);
}

template <class Show>
rows by_bound_calls(const graph& g, Show&& show) {
  rows beliefs(nodes * groups), sums(nodes * groups), messages(g.to.size() * groups), degrees(nodes);
  set_known(beliefs);
  for (const std::int32_t node : g.to) ++degrees[static_cast<std::size_t>(node)];
  strew::thread_pool pool{2};
  const auto edges = static_cast<std::int64_t>(g.to.size());
  const strew::tensor_view to{g.to.data(), edges};
  const strew::tensor_view of_edges{messages.data(), {edges, std::int64_t{groups}}};
  const strew::tensor_view of_nodes{sums.data(), {std::int64_t{nodes}, std::int64_t{groups}}};

  const auto aggregation =
      strew::prepare<float, std::int32_t>(strew::index_add, {of_nodes.layout(), to.layout(), of_edges.layout()}, 0);
  std::vector<std::byte> memory(aggregation.bound_bytes());
  const auto aggregate = aggregation.bind(to.data(), memory);  // reads the indices, for all rounds

  for (int round = 1; round <= rounds; ++round) {
    send(g, beliefs, messages);
    std::fill(sums.begin(), sums.end(), 0.0F);
    aggregate.run(pool, sums.data(), messages.data());  // sums[to[e], :] += messages[e, :]
    divide(sums, degrees, beliefs);
    show(round, beliefs);
  }
  return beliefs;
}

// ---- The rest: the check, and what is printed.

rows by_plain_loops(const graph& g) {
  rows beliefs(nodes * groups);
  set_known(beliefs);
  for (int round = 1; round <= rounds; ++round) {
    rows sums(nodes * groups), degrees(nodes);
    for (std::size_t e = 0; e < g.to.size(); ++e) {
      const auto from = static_cast<std::size_t>(g.from[e]), to = static_cast<std::size_t>(g.to[e]);
      for (std::size_t k = 0; k < groups; ++k) sums[to * groups + k] += beliefs[from * groups + k];
      degrees[to] += 1;
    }
    divide(sums, degrees, beliefs);
  }
  return beliefs;
}

// Nodes whose strongest belief is their group.
std::size_t count_right(const rows& beliefs) {
  std::size_t right = 0;
  for (std::size_t node = 0; node < nodes; ++node) {
    const auto row = beliefs.begin() + static_cast<std::ptrdiff_t>(node * groups);
    const auto strongest = std::max_element(row, row + groups);
    right += *strongest > 0 && strongest - row == static_cast<std::ptrdiff_t>(group_of(node)) ? 1U : 0U;
  }
  return right;
}

}  // namespace

int main(int argc, char** argv) {
  constexpr example_help help{
      "Message passing with rows: an index_add that is bound to the edges of a graph adds the messages of each\n"
      "round, until most nodes know their group."};
  if (const auto status = answer_arguments(argc, argv, help)) return *status;
  const graph g = random_graph();
  std::printf("round  nodes that know their group, of %zu\n    0  %4zu\n", nodes, known);
  const rows beliefs = by_bound_calls(g, [](int round, const rows& now) {
    const std::size_t right = count_right(now);
    std::printf("%5d  %4zu ", round, right);
    for (std::size_t i = 0; i < right; i += 100) std::fputc('*', stdout);
    std::fputc('\n', stdout);
  });
  const bool right = beliefs == by_plain_loops(g);
  std::printf("%zu messages a round: the beliefs are %s\n", g.to.size(), right ? "as by plain loops" : "WRONG");
  return right ? 0 : 1;
}
