// SPDX-License-Identifier: Apache-2.0
// Calls the units in turns on one table, beside a naive loop. Each has its own flags, limits and back end; what they
// must not do is share code or data that means something else to another.
#include "problem.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <vector>

bool plain(const problem&);
bool compiled(const problem&);
bool without_exceptions(const problem&);
bool few_axes(const problem&);
bool many_axes(const problem&);
bool portable(const problem&);
bool avx2(const problem&);

int main() {
  std::vector<solve_function> units{plain, compiled, without_exceptions, few_axes, many_axes, portable};
#if STREW_TEST_AVX2
  if (__builtin_cpu_supports("avx2") != 0) units.push_back(avx2);
#endif
  std::uint64_t state = 1;
  const auto draw = [&](std::uint64_t below) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    return (state >> 33) % below;
  };
  int wrong = 0;
  int calls = 0;
  for (int turn = 0; turn < 300; ++turn) {
    const auto rows = static_cast<std::int64_t>(1 + draw(turn % 10 == 0 ? 20'000 : 40));
    const auto length = static_cast<std::int64_t>(1 + draw(20));
    const auto count = static_cast<std::int64_t>(draw(turn % 10 == 0 ? 30'000 : 90));
    std::vector<std::int64_t> index(static_cast<std::size_t>(count));
    std::vector<double> source(static_cast<std::size_t>(count * length));
    for (std::int64_t& i : index) i = static_cast<std::int64_t>(draw(static_cast<std::uint64_t>(rows)));
    for (double& value : source) value = static_cast<double>(draw(1000)) / 7;
    std::vector<double> start(static_cast<std::size_t>(rows * length));
    for (double& value : start) value = static_cast<double>(draw(1000)) / 3;
    const bool is_bad = count > 0 && draw(4) == 0;
    if (is_bad) index[draw(static_cast<std::uint64_t>(count))] = rows + static_cast<std::int64_t>(draw(5));
    std::vector<double> expected = start;
    for (std::int64_t i = 0; !is_bad && i < count; ++i) {
      for (std::int64_t j = 0; j < length; ++j) {
        expected[static_cast<std::size_t>(index[static_cast<std::size_t>(i)] * length + j)] +=
            source[static_cast<std::size_t>(i * length + j)];
      }
    }
    for (const solve_function solve : units) {
      for (const int threads : {1, 2}) {
        std::vector<double> output = start;
        const bool is_solved = solve({output.data(), rows, length, index.data(), source.data(), count, threads});
        ++calls;
        if (is_solved == is_bad || output != expected) ++wrong;
      }
    }
  }
  std::printf("%d of %d calls wrong\n", wrong, calls);
  return wrong == 0 ? 0 : 1;
}
