// SPDX-License-Identifier: Apache-2.0
// oneTBB as an executor.
#include "../help.hpp"
#include "scatter_call.hpp"

#include <tbb/parallel_for.h>
#include <strew/strew.hpp>

#include <cstddef>

int main(int argc, char** argv) {
  constexpr example_help help{"oneTBB as an executor of strew, checked against a serial call."};
  if (const auto status = answer_arguments(argc, argv, help)) return *status;
  const auto onetbb = [](std::size_t n, auto&& body) { tbb::parallel_for(std::size_t{0}, n, body); };

  scatter_call call;
  strew::scatter_update(onetbb, call.data, call.indices, call.updates, 0, call.output);
  return report("oneTBB", call, onetbb);
}
