// SPDX-License-Identifier: Apache-2.0
// Eigen's thread pool as an executor.
#include "../help.hpp"
#include "scatter_call.hpp"

#include <strew/strew.hpp>
#include <unsupported/Eigen/CXX11/ThreadPool>

#include <algorithm>
#include <cstddef>
#include <thread>

int main(int argc, char** argv) {
  constexpr example_help help{"Eigen's thread pool as an executor of strew, checked against a serial call."};
  if (const auto status = answer_arguments(argc, argv, help)) return *status;
  Eigen::ThreadPool pool(static_cast<int>(std::max(1u, std::thread::hardware_concurrency())));
  const auto eigen = [&](std::size_t n, auto&& body) {
    Eigen::Barrier ended(static_cast<unsigned>(n));
    for (std::size_t i = 0; i < n; ++i) {
      pool.Schedule([&, i] {
        body(i);
        ended.Notify();
      });
    }
    ended.Wait();
  };

  scatter_call call;
  strew::scatter_update(eigen, call.data, call.indices, call.updates, 0, call.output);
  return report("Eigen::ThreadPool", call, eigen);
}
