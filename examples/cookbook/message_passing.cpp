// SPDX-License-Identifier: Apache-2.0
// Message passing on a graph. Each node sends its label along its edges and keeps the largest one that it receives (a
// segment max), until nothing changes: then each connected component has one label. A segment sum computes their sizes.
// The graph is a grid in which each edge is open with probability one half (percolation), so that there are clusters of
// all sizes.
#include "../help.hpp"
#include "picture.hpp"

#include <strew/operators/index_add.hpp>
#include <strew/operators/index_reduce.hpp>
#include <strew/operators/reduction.hpp>
#include <strew/view/tensor_view.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <numeric>
#include <random>
#include <vector>

namespace {

constexpr std::int64_t height = 116;
constexpr std::int64_t width = 180;
constexpr std::int64_t nodes = height * width;

using numbers = std::vector<std::int32_t>;

// Edge e is from node from[e] to node to[e]; each open one is listed in both directions.
struct graph {
  numbers from, to;
};

graph percolation() {
  std::mt19937 random{7};
  graph g;
  const auto perhaps_join = [&](std::int64_t a, std::int64_t b) {
    if (random() % 2 == 0) return;
    for (const std::int64_t node : {a, b}) g.from.push_back(static_cast<std::int32_t>(node));
    for (const std::int64_t node : {b, a}) g.to.push_back(static_cast<std::int32_t>(node));
  };
  for (std::int64_t node = 0; node < nodes; ++node) {
    if (node % width + 1 < width) perhaps_join(node, node + 1);
    if (node + width < nodes) perhaps_join(node, node + width);
  }
  return g;
}

// For each node the label of its component, which is the largest node number in it, and the round in which it arrived.
struct answer {
  numbers labels, rounds;
};

answer by_messages(const graph& g) {
  answer result{numbers(nodes), numbers(nodes)};
  std::iota(result.labels.begin(), result.labels.end(), 0);
  numbers messages(g.from.size());
  const auto edges = static_cast<std::int64_t>(g.from.size());
  const strew::tensor_view labels{result.labels.data(), {nodes}};
  const strew::tensor_view to{g.to.data(), {edges}};
  const strew::tensor_view sent{messages.data(), {edges}};

  numbers before;
  for (std::int32_t round = 1; before != result.labels; ++round) {
    before = result.labels;
    for (std::size_t e = 0; e < messages.size(); ++e) messages[e] = before[static_cast<std::size_t>(g.from[e])];
    strew::index_reduce(labels, 0, to, sent, strew::reduction::max);  // labels[to[e]] = max(labels[to[e]], sent[e])
    for (std::size_t i = 0; i < before.size(); ++i) {
      if (before[i] != result.labels[i]) result.rounds[i] = round;
    }
  }
  return result;
}

numbers sizes_of(const numbers& labels) {
  numbers sizes(nodes);
  const std::int32_t one = 1;
  const strew::tensor_view segments{labels.data(), {nodes}};
  const strew::tensor_view ones{&one, {nodes}, {0}};  // a stride of 0: one element for all nodes
  strew::index_add(strew::tensor_view{sizes.data(), {nodes}}, 0, segments, ones);  // sizes[labels[i]] += 1
  return sizes;
}

// Breadth first from the node with the largest number, with the same number of rounds.
answer by_plain_loops(const graph& g) {
  std::vector<numbers> neighbours(nodes);
  for (std::size_t e = 0; e < g.from.size(); ++e) neighbours[static_cast<std::size_t>(g.from[e])].push_back(g.to[e]);
  answer result{numbers(nodes, -1), numbers(nodes)};
  for (std::int32_t start = nodes - 1; start >= 0; --start) {
    numbers reached{start};
    for (std::int32_t round = 0; !reached.empty(); ++round) {
      numbers next;
      for (const std::int32_t node : reached) {
        const auto i = static_cast<std::size_t>(node);
        if (result.labels[i] >= 0) continue;
        result.labels[i] = start;
        result.rounds[i] = round;
        next.insert(next.end(), neighbours[i].begin(), neighbours[i].end());
      }
      reached = next;
    }
  }
  return result;
}

// Nodes and open edges, in the colour of the round.
picture drawn(const graph& g, const numbers& rounds) {
  constexpr std::array scale{pixel{24, 40, 100, 255},   pixel{30, 110, 160, 255}, pixel{40, 180, 150, 255},
                             pixel{220, 220, 110, 255}, pixel{250, 140, 50, 255}, pixel{220, 50, 90, 255},
                             pixel{250, 190, 220, 255}};
  constexpr std::int64_t cell = 3;
  const double last = *std::max_element(rounds.begin(), rounds.end());
  picture result(cell * height - 1, cell * width - 1, {10, 12, 24, 255});
  // The 2 x 2 pixels of a node, moved by one towards the neighbour for an edge.
  const auto fill = [&](std::int64_t at, std::int64_t down, std::int64_t right) {
    for (int i = 0; i < 4; ++i) {
      result(at / width * cell + i / 2 + down, at % width * cell + i % 2 + right) =
          on_scale(scale, rounds[static_cast<std::size_t>(at)] / last);
    }
  };
  for (std::int64_t node = 0; node < nodes; ++node) fill(node, 0, 0);
  for (std::size_t e = 0; e < g.from.size(); ++e) {
    const auto from = g.from[e], to = g.to[e];
    if (from < to) fill(from, to - from == 1 ? 0 : 1, to - from == 1 ? 1 : 0);
  }
  return result;
}

}  // namespace

int main(int argc, char** argv) {
  constexpr example_help help{
      "Message passing on a random graph: nodes keep the largest label that they get (index_reduce), until\n"
      "connected ones share one. The clusters are drawn into message_passing.png in the current directory."};
  if (const auto status = answer_arguments(argc, argv, help)) return *status;
  const graph g = percolation();
  const answer found = by_messages(g);
  const answer expected = by_plain_loops(g);
  const numbers sizes = sizes_of(found.labels);
  numbers expected_sizes(nodes);
  for (const std::int32_t label : expected.labels) ++expected_sizes[static_cast<std::size_t>(label)];
  const bool right = found.labels == expected.labels && found.rounds == expected.rounds && sizes == expected_sizes;

  const std::string error = write_png("message_passing.png", drawn(g, found.rounds));
  const std::int64_t clusters = nodes - std::count(sizes.begin(), sizes.end(), 0);
  std::printf("%lld clusters, the largest of %d nodes, after %d rounds of %zu messages: %s\n",
              static_cast<long long>(clusters), *std::max_element(sizes.begin(), sizes.end()),
              *std::max_element(found.rounds.begin(), found.rounds.end()), g.from.size(),
              right ? "as by plain loops" : "WRONG");
  std::printf("message_passing.png: %s\n", error.empty() ? "written" : error.c_str());
  return right && error.empty() ? 0 : 1;
}
