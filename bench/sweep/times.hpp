// SPDX-License-Identifier: Apache-2.0
// Times of what takes turns in one run.
#ifndef STREW_BENCH_SWEEP_TIMES_HPP
#define STREW_BENCH_SWEEP_TIMES_HPP

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
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

// Medians of rounds in which all take their turn, in another order each time.
inline void measure(std::vector<timed>& all) {
  constexpr double sample = 50e-6;
  constexpr int rounds = 7;
  std::vector<std::int64_t> times;
  for (timed& each : all) {
    each.run();
    const double once = seconds_of(each.run, 1);
    times.push_back(std::clamp<std::int64_t>(static_cast<std::int64_t>(sample / std::max(once, 1e-9)), 1, 100'000));
  }
  for (int round = 0; round < rounds; ++round) {
    for (std::size_t k = 0; k < all.size(); ++k) {
      const std::size_t which = (k + static_cast<std::size_t>(round)) % all.size();
      all[which].samples.push_back(seconds_of(all[which].run, times[which]));
    }
  }
}

}  // namespace strew::bench::sweep

#endif  // STREW_BENCH_SWEEP_TIMES_HPP
