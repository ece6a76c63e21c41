// SPDX-License-Identifier: Apache-2.0
// An embedding table that no machine has as a whole: each rank has a block of its rows, and a share of the tokens of a
// batch with their gradients. index_add sends each gradient to the rank that has the row of its word. The sums have the
// bits of one rank that adds them one after the other, at any number of ranks.
#include "every_rank.hpp"

#include <strew/heap_workspace.hpp>
#include <strew/mpi.hpp>

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace {

using strew::mpi::distributed_tensor_view;
using strew::mpi::distribution;

constexpr std::int64_t words = 10'000;
constexpr std::int64_t depth = 16;
constexpr std::int64_t batch = 50'000;  // tokens

struct made_up_batch {
  std::vector<std::int64_t> tokens;
  std::vector<float> gradients;  // [tokens, depth]
};

// The same batch on every rank, of which each takes its share. Small word numbers are common and large ones rare.
made_up_batch make_batch() {
  made_up_batch made;
  std::mt19937_64 random(7);
  for (std::int64_t i = 0; i < batch; ++i) {
    const std::uint64_t most = 1 + random() % words;
    made.tokens.push_back(static_cast<std::int64_t>(random() % most));
    for (std::int64_t d = 0; d < depth; ++d) made.gradients.push_back(static_cast<float>(random() % 2001) / 1000 - 1);
  }
  return made;
}

// This rank's share of a batch.
made_up_batch share_of(const made_up_batch& all, const distribution& tokens, int rank) {
  made_up_batch share;
  for (std::int64_t i = 0; i < tokens.local_extent(rank); ++i) {
    const auto position = static_cast<std::size_t>(tokens.global_index(rank, i));
    share.tokens.push_back(all.tokens[position]);
    for (std::size_t d = 0; d < depth; ++d) share.gradients.push_back(all.gradients[position * depth + d]);
  }
  return share;
}

int run(const rank_of_all& all_ranks) {
  const auto& [rank, ranks] = all_ranks;

  const auto rows = distribution::block(words, ranks);
  const auto tokens = distribution::block(batch, ranks);
  const made_up_batch all = make_batch();
  const made_up_batch own = share_of(all, tokens, rank);
  std::vector<float> part(static_cast<std::size_t>(rows.local_extent(rank) * depth), 0.0F);

  const distributed_tensor_view table{strew::tensor_view{part.data(), {rows.local_extent(rank), depth}}, 0, rows,
                                      MPI_COMM_WORLD};
  const distributed_tensor_view at{strew::tensor_view{own.tokens.data(), {tokens.local_extent(rank)}}, 0, tokens,
                                   MPI_COMM_WORLD};
  const distributed_tensor_view gradients{strew::tensor_view{own.gradients.data(), {tokens.local_extent(rank), depth}},
                                          0, tokens, MPI_COMM_WORLD};
  strew::heap_workspace memory;
  strew::mpi::index_add(memory, table, 0, at, gradients);  // table[at[i]] += gradients[i]

  // The same by plain loops over the whole batch, as one rank would.
  std::vector<float> expected(words * depth, 0.0F);
  for (std::size_t i = 0; i < batch; ++i) {
    for (std::size_t d = 0; d < depth; ++d) {
      expected[static_cast<std::size_t>(all.tokens[i]) * depth + d] += all.gradients[i * depth + d];
    }
  }
  bool is_equal = true;
  for (std::size_t k = 0; k < part.size(); ++k) {
    const auto row = static_cast<std::size_t>(rows.global_index(rank, static_cast<std::int64_t>(k / depth)));
    if (part[k] != expected[row * depth + k % depth]) is_equal = false;
  }
  return all_ranks.finish("a table of 10,000 words, 50,000 tokens", is_equal);
}

}  // namespace

int main(int argc, char** argv) {
  const example_help help{
      "Adds the gradients of a batch to an embedding table that is divided among the ranks of MPI."};
  return run_on_every_rank(argc, argv, help, run);
}
