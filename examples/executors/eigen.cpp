// SPDX-License-Identifier: Apache-2.0
// Eigen's thread pool as an executor.
#include "scatter_call.hpp"

#include <strew/strew.hpp>
#include <unsupported/Eigen/CXX11/ThreadPool>

#include <algorithm>
#include <cstddef>
#include <thread>

int main() {
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
