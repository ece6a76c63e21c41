// SPDX-License-Identifier: Apache-2.0
#include "measure.hpp"

#include <sched.h>
#include <time.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <vector>

namespace compare {

namespace {

constexpr double shortest_measurement = 5e6;  // nanoseconds: other programs and the clock then disturb little

// One thread is timed by the clock of its own processor time, so that waiting for a processor does not count.
double now(means how) {
  timespec time;
  clock_gettime(how == means::two_threads ? CLOCK_MONOTONIC : CLOCK_THREAD_CPUTIME_ID, &time);
  return 1e9 * static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec);
}

// Binds the thread, and those that it starts from then on, to one processor, until it is destroyed.
class binding {
 public:
  binding() {
    sched_getaffinity(0, sizeof allowed_, &allowed_);
    for (std::size_t k = 0; k < CPU_SETSIZE; ++k) {
      if (CPU_ISSET(k, &allowed_)) processors_.push_back(k);
    }
  }
  binding(const binding&) = delete;
  binding& operator=(const binding&) = delete;
  ~binding() { sched_setaffinity(0, sizeof allowed_, &allowed_); }

  void to_first() const { bind(processors_.front()); }
  void to_last() const { bind(processors_.back()); }

 private:
  static void bind(std::size_t processor) {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(processor, &one);
    sched_setaffinity(0, sizeof one, &one);
  }

  cpu_set_t allowed_;
  std::vector<std::size_t> processors_;
};

// Nanoseconds of so many calls.
double time_calls(const call& run, std::int64_t calls, means how) {
  if (how == means::two_threads) {
    // The other version's thread looks for work for 50 us after its last call, and there may be two processors only.
    std::this_thread::sleep_for(std::chrono::microseconds{200});
    if (calls > 1) run();  // wakes this version's thread
  }
  const double start = now(how);
  for (std::int64_t i = 0; i < calls; ++i) run();
  return now(how) - start;
}

// How many calls take long enough.
std::int64_t calls_needed(const call& run, means how) {
  std::int64_t calls = 1;
  for (;;) {
    const double time = time_calls(run, calls, how);
    if (time >= shortest_measurement) return calls;
    const double wanted = 1.1 * static_cast<double>(calls) * shortest_measurement / std::max(time, 1.0);
    calls = std::min(static_cast<std::int64_t>(std::ceil(wanted)), 16 * calls);
  }
}

}  // namespace

result measure(const row& r, int pairs) {
  // On a busy machine the system may leave the one version's thread on the caller's processor, row after row.
  const binding processors;
  if (r.how == means::two_threads) processors.to_last();  // for the threads of both pools
  const version_calls calls = r.prepare();
  if (r.how == means::two_threads) processors.to_first();
  const std::int64_t count = std::max(calls_needed(calls.of_old, r.how), calls_needed(calls.of_new, r.how));
  std::vector<double> old_times, ratios;
  for (int i = 0; i < pairs; ++i) {
    const double old_time = time_calls(calls.of_old, count, r.how);
    const double new_time = time_calls(calls.of_new, count, r.how);
    old_times.push_back(old_time / static_cast<double>(count));
    ratios.push_back(new_time / old_time);
  }
  return {estimate_median(old_times).median, estimate_median(ratios)};
}

}  // namespace compare
