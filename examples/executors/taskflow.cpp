// SPDX-License-Identifier: Apache-2.0
// Taskflow as an executor.
#include "../help.hpp"
#include "scatter_call.hpp"

#include <strew/strew.hpp>
#include <taskflow/algorithm/for_each.hpp>
#include <taskflow/taskflow.hpp>

#include <cstddef>

int main(int argc, char** argv) {
  constexpr example_help help{"Taskflow as an executor of strew, checked against a serial call."};
  if (const auto status = answer_arguments(argc, argv, help)) return *status;
  tf::Executor threads;
  const auto taskflow = [&](std::size_t n, auto&& body) {
    tf::Taskflow flow;
    flow.for_each_index(std::size_t{0}, n, std::size_t{1}, body);
    threads.run(flow).wait();
  };

  scatter_call call;
  strew::scatter_update(taskflow, call.data, call.indices, call.updates, 0, call.output);
  return report("Taskflow", call, taskflow);
}
