// SPDX-License-Identifier: Apache-2.0
// OpenMP as an executor.
#include "scatter_call.hpp"

#include <strew/strew.hpp>

#include <cstddef>

int main() {
  const auto openmp = [](std::size_t n, auto&& body) {
#pragma omp parallel for schedule(dynamic)
    for (std::size_t i = 0; i < n; ++i) body(i);
  };

  scatter_call call;
  strew::scatter_update(openmp, call.data, call.indices, call.updates, 0, call.output);
  return report("OpenMP", call, openmp);
}
