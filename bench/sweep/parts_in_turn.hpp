// SPDX-License-Identifier: Apache-2.0
// An executor that runs the parts of a call one after the other and times them: what as many threads as it is told
// would gain at most.
#ifndef STREW_BENCH_SWEEP_PARTS_IN_TURN_HPP
#define STREW_BENCH_SWEEP_PARTS_IN_TURN_HPP

#include <strew/strew.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <span>

namespace strew::bench::sweep {

class parts_in_turn {
 public:
  std::size_t threads = 1;
  // Seconds of the longest share of each step and of all shares, since they were set to 0.
  double longest = 0;
  double all = 0;

  // Each thread has a share of the numbers below n, as with thread_pool.
  template <class Body>
  void operator()(std::size_t n, Body&& body) {
    const std::size_t shares = std::min(n, threads);
    double most = 0;
    for (std::size_t share = 0; share < shares; ++share) {
      const auto begin = std::chrono::steady_clock::now();
      for (std::size_t i = n * share / shares; i < n * (share + 1) / shares; ++i) body(i);
      const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
      most = std::max(most, seconds);
      all += seconds;
    }
    longest += most;
  }
};

}  // namespace strew::bench::sweep

template <>
struct strew::executor_traits<strew::bench::sweep::parts_in_turn> {
  [[nodiscard]] static std::size_t concurrency(const strew::bench::sweep::parts_in_turn& parts) noexcept {
    return parts.threads;
  }
  [[nodiscard]] static std::span<std::byte> memory(const strew::bench::sweep::parts_in_turn&) noexcept { return {}; }
};

#endif  // STREW_BENCH_SWEEP_PARTS_IN_TURN_HPP
