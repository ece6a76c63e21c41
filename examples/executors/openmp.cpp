// SPDX-License-Identifier: Apache-2.0
// OpenMP as an executor.
#include "../help.hpp"
#include "scatter_call.hpp"

#include <strew/strew.hpp>

#include <cstddef>

int main(int argc, char** argv) {
  constexpr example_help help{"OpenMP as an executor of strew, checked against a serial call."};
  if (const auto status = answer_arguments(argc, argv, help)) return *status;
  const auto openmp = [](std::size_t n, auto&& body) {
#pragma omp parallel for schedule(dynamic)
    for (std::size_t i = 0; i < n; ++i) body(i);
  };

  scatter_call call;
  strew::scatter_update(openmp, call.data, call.indices, call.updates, 0, call.output);
  return report("OpenMP", call, openmp);
}
