// SPDX-License-Identifier: Apache-2.0
// The parallel algorithms of the standard library as an executor. In libstdc++ they run on oneTBB.
#include "../help.hpp"
#include "scatter_call.hpp"

#include <strew/strew.hpp>

#include <algorithm>
#include <cstddef>
#include <execution>
#include <numeric>
#include <vector>

int main(int argc, char** argv) {
  constexpr example_help help{
      "The parallel algorithms of the standard library as an executor of strew, checked against a serial\n"
      "call."};
  if (const auto status = answer_arguments(argc, argv, help)) return *status;
  // Indices in memory: the iterators of std::views::iota are no random access iterators for libstdc++, which would use
  // one thread.
  const auto par = [](std::size_t n, auto&& body) {
    std::vector<std::size_t> indices(n);
    std::iota(indices.begin(), indices.end(), std::size_t{0});
    std::for_each(std::execution::par, indices.begin(), indices.end(), body);
  };

  scatter_call call;
  strew::scatter_update(par, call.data, call.indices, call.updates, 0, call.output);
  return report("std::execution::par", call, par);
}
