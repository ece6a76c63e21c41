// SPDX-License-Identifier: Apache-2.0
// The parallel algorithms of the standard library as an executor. In libstdc++ they run on oneTBB.
#include "scatter_call.hpp"

#include <strew/strew.hpp>

#include <algorithm>
#include <cstddef>
#include <execution>
#include <numeric>
#include <vector>

int main() {
  // Indices in memory, since the iterators of std::views::iota do not count as random access ones here: libstdc++ would
  // run them on one thread.
  const auto par = [](std::size_t n, auto&& body) {
    std::vector<std::size_t> indices(n);
    std::iota(indices.begin(), indices.end(), std::size_t{0});
    std::for_each(std::execution::par, indices.begin(), indices.end(), body);
  };

  scatter_call call;
  strew::scatter_update(par, call.data, call.indices, call.updates, 0, call.output);
  return report("std::execution::par", call, par);
}
