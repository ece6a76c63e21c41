// SPDX-License-Identifier: Apache-2.0
// What the parts of drawn calls are for 2 to 64 threads, without as many processors: each part is timed alone, one
// after the other on one thread. Prints the table of docs/kernels.md:
//
//   partition_calls [--seed S] [--calls N] [--least-us U]
//
// `times as fast at most`: the time of the call on one thread, divided by that of the longest part of each step and of
// what is outside of parts. `work`: the time of all parts together, divided by that of one thread; what it has above 1
// is read again for each part, indices above all.
#include "calls.hpp"
#include "drawn_call.hpp"
#include "parts_in_turn.hpp"
#include "tensors.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <functional>
#include <iterator>
#include <string>
#include <vector>

namespace strew::bench::sweep {
namespace {

constexpr std::size_t counts[] = {2, 4, 8, 16, 32, 64};

struct of_count {
  std::vector<double> gains;
  std::vector<double> work;
};

double geometric_mean(const std::vector<double>& of) {
  double sum = 0;
  for (const double each : of) sum += std::log(each);
  return of.empty() ? 1 : std::exp(sum / static_cast<double>(of.size()));
}
double share_below(const std::vector<double>& of, double bound) {
  const auto below = std::count_if(of.begin(), of.end(), [bound](double each) { return each < bound; });
  return of.empty() ? 0 : 100 * static_cast<double>(below) / static_cast<double>(of.size());
}
double largest(const std::vector<double>& of) {
  return of.empty() ? 1 : *std::max_element(of.begin(), of.end());
}

double seconds_of_call(const std::function<status()>& run) {
  const auto begin = std::chrono::steady_clock::now();
  static_cast<void>(run());
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

// Of some repetitions the least times, since other programs only add to them.
void examine(drawn_call call, double least_us, parts_in_turn& parts, const surroundings& in,
             std::vector<of_count>& all) {
  constexpr int repeats = 5;
  tensors on = make_tensors(call);
  const memory_of_call at = on.addresses();
  call.threads = 1;
  const std::function<status()> alone = call_of(call, at, in);
  if (!alone().ok()) return;
  double one = seconds_of_call(alone);
  if (one * 1e6 < least_us) return;
  for (int k = 1; k < repeats; ++k) one = std::min(one, seconds_of_call(alone));
  call.threads = 2;  // more than one
  for (std::size_t n = 0; n < std::size(counts); ++n) {
    parts.threads = counts[n];
    const std::function<status()> run = call_of(call, at, in);
    static_cast<void>(run());
    double least = 1e9;
    double whole = 1e9;
    for (int k = 0; k < repeats; ++k) {
      parts.longest = parts.all = 0;
      const double seconds = seconds_of_call(run);
      whole = std::min(whole, seconds);
      least = std::min(least, std::max(seconds - parts.all, 0.0) + parts.longest);
    }
    all[n].gains.push_back(one / least);
    all[n].work.push_back(whole / one);
  }
}

void run(std::uint64_t seed, std::uint64_t calls, double least_us) {
  parts_in_turn parts;
  std::vector<std::byte> workspace(std::size_t{256} << 20);
  std::vector<std::byte> bound;
  const surroundings in{parts, workspace, bound};
  std::vector<of_count> all(std::size(counts));
  for (std::uint64_t k = 0; k < calls; ++k) examine(draw_call(seed, k), least_us, parts, in, all);
  std::printf(
      "| threads | calls | times as fast at most, geometric mean | below half of the threads | work, geometric "
      "mean | work above 1.5 | most |\n| --- | --- | --- | --- | --- | --- | --- |\n");
  for (std::size_t n = 0; n < std::size(counts); ++n) {
    const auto& [gains, work] = all[n];
    std::printf("| %zu | %zu | %.1f | %.0f %% | %.2f | %.0f %% | %.1f |\n", counts[n], gains.size(),
                geometric_mean(gains), share_below(gains, static_cast<double>(counts[n]) / 2), geometric_mean(work),
                100 - share_below(work, 1.5), largest(work));
  }
}

}  // namespace
}  // namespace strew::bench::sweep

int main(int argc, char** argv) {
  try {
    std::uint64_t seed = 1;
    std::uint64_t calls = 600;
    double least_us = 200;
    for (int i = 1; i + 1 < argc; i += 2) {
      const std::string name = argv[i];
      if (name == "--seed") seed = std::stoull(argv[i + 1]);
      if (name == "--calls") calls = std::stoull(argv[i + 1]);
      if (name == "--least-us") least_us = std::stod(argv[i + 1]);
    }
    strew::bench::sweep::run(seed, calls, least_us);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
