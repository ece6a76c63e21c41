// SPDX-License-Identifier: Apache-2.0
// Times of what takes turns in one run.
#ifndef STREW_BENCH_SWEEP_TIMES_HPP
#define STREW_BENCH_SWEEP_TIMES_HPP

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <vector>

namespace strew::bench::sweep {

inline double seconds_of(const std::function<void()>& run, std::int64_t times) {
  const auto begin = std::chrono::steady_clock::now();
  for (std::int64_t i = 0; i < times; ++i) run();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() / static_cast<double>(times);
}

struct timed {
  std::string name;
  std::function<void()> run;
  std::vector<double> samples;

  [[nodiscard]] double median() {
    std::sort(samples.begin(), samples.end());
    return samples[samples.size() / 2];
  }
};

// Medians of rounds in which all take their turn, shuffled each time. `before` runs before each sample, without being
// timed.
inline void measure(
    std::vector<timed>& all, const std::function<void()>& before = [] {}) {
  constexpr double sample = 50e-6;
  constexpr int rounds = 7;
  std::vector<std::int64_t> times;
  std::vector<std::size_t> order;
  for (timed& each : all) {
    each.run();
    before();
    const double once = seconds_of(each.run, 1);
    times.push_back(std::clamp<std::int64_t>(static_cast<std::int64_t>(sample / std::max(once, 1e-9)), 1, 100'000));
    order.push_back(order.size());
  }
  std::mt19937_64 random(1);  // NOLINT(bugprone-random-generator-seed): the same orders in each run
  for (int round = 0; round < rounds; ++round) {
    std::shuffle(order.begin(), order.end(), random);
    for (const std::size_t which : order) {
      before();
      all[which].samples.push_back(seconds_of(all[which].run, times[which]));
    }
  }
}

}  // namespace strew::bench::sweep

#endif  // STREW_BENCH_SWEEP_TIMES_HPP
