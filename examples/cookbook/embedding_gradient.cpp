// SPDX-License-Identifier: Apache-2.0
// The gradient of an embedding: each token of a batch adds its gradient to the row of its word, and common words occur
// many times. Floating-point sums depend on their order, which is that of the batch at any number of threads: the bits
// are always the same.
#include "../help.hpp"

#include <strew/operators/index_add.hpp>
#include <strew/threads.hpp>
#include <strew/view/tensor_view.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <random>
#include <vector>

namespace {

constexpr std::size_t words = 1000;
constexpr std::size_t depth = 32;
constexpr std::size_t batch = 50'000;  // tokens

using table = std::vector<float>;  // [words, depth]

struct training_batch {
  std::vector<std::int32_t> tokens;  // [batch]
  std::vector<float> gradients;      // [batch, depth]
};

// Small word numbers are common and large ones rare.
training_batch made_up_batch() {
  std::mt19937 random;
  training_batch result;
  for (std::size_t i = 0; i < batch; ++i) {
    const std::size_t most = 1 + random() % words;
    result.tokens.push_back(static_cast<std::int32_t>(random() % most));
    for (std::size_t d = 0; d < depth; ++d) {
      result.gradients.push_back(static_cast<float>(random() >> 8) / (1 << 23) - 1);  // from -1 to 1
    }
  }
  return result;
}

table by_scatter(const training_batch& b, unsigned threads) {
  table sums(words * depth);
  strew::thread_pool pool{threads};

  const strew::tensor_view gradient{sums.data(), {words, depth}};
  const strew::tensor_view tokens{b.tokens.data(), {batch}};
  const strew::tensor_view upstream{b.gradients.data(), {batch, depth}};
  strew::index_add(pool, gradient, 0, tokens, upstream);  // gradient[tokens[i]] += upstream[i]
  return sums;
}

// `backwards`: from the last token to the first, which is another order of the same sums.
table by_plain_loops(const training_batch& b, bool backwards) {
  table sums(words * depth);
  for (std::size_t n = 0; n < batch; ++n) {
    const std::size_t i = backwards ? batch - 1 - n : n;
    for (std::size_t d = 0; d < depth; ++d) {
      sums[static_cast<std::size_t>(b.tokens[i]) * depth + d] += b.gradients[i * depth + d];
    }
  }
  return sums;
}

std::size_t differing_elements(const table& a, const table& b) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (std::memcmp(&a[i], &b[i], sizeof a[i]) != 0) ++count;
  }
  return count;
}

}  // namespace

int main(int argc, char** argv) {
  constexpr example_help help{
      "The gradient of an embedding: each token of a batch adds its gradient to the row of its word\n"
      "(index_add), with the same bits at any number of threads. Compared with plain loops."};
  if (const auto status = answer_arguments(argc, argv, help)) return *status;
  const training_batch b = made_up_batch();
  const table expected = by_plain_loops(b, false);
  std::printf("%zu tokens, %td of them the most common word; a gradient of %zu x %zu elements\n\n", batch,
              std::count(b.tokens.begin(), b.tokens.end(), 0), words, depth);
  std::printf("%-24s%s\n", "sums by", "elements that differ from plain loops");
  std::size_t wrong = 0;
  for (const unsigned threads : {1u, 2u, 3u, 8u}) {
    const std::size_t count = differing_elements(by_scatter(b, threads), expected);
    std::printf("scatter, threads: %-6u%5zu\n", threads, count);
    wrong += count;
  }
  std::printf("plain loops backwards   %5zu\n", differing_elements(by_plain_loops(b, true), expected));
  return wrong == 0 ? 0 : 1;
}
