// SPDX-License-Identifier: Apache-2.0
// index_add by segments beside the same call by indices of 64 and 32 bits: ns for each update, a row of float32
// elements. Prints a line for each number of elements in a row and of updates in a segment, in cache and beyond it, in
// place and to an output:
//
//   segments [random] [THREADS]     random: segments of 0 to twice as many updates
#include <strew/strew.hpp>
#include <strew/threads.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <vector>

namespace {

struct setting {
  std::int64_t bytes;  // of updates
  bool in_place;
  std::int64_t lanes;
  std::int64_t length;  // of segments, on average
  bool is_random;
};

// The shortest of three times for one of the calls, made in turn, so that other load meets all of them.
template <class... Calls>
std::vector<double> measure(int repeats, int together, const Calls&... calls) {
  using clock = std::chrono::steady_clock;
  std::vector<double> best(sizeof...(Calls), 1e30);
  for (int r = 0; r < repeats; ++r) {
    std::size_t which = 0;
    const auto time = [&](const auto& call) {
      const auto begin = clock::now();
      for (int k = 0; k < together; ++k) call();
      const double seconds = std::chrono::duration<double>(clock::now() - begin).count() / together;
      best[which] = std::min(best[which], seconds);
      ++which;
    };
    (time(calls), ...);
  }
  return best;
}

template <class Ex>
void run(Ex& ex, const setting& of) {
  const std::int64_t wanted = std::max(of.bytes / 4 / of.lanes, of.length);
  std::vector<std::int64_t> offsets{0};
  std::vector<std::int64_t> indices;
  std::vector<std::int32_t> narrow;
  std::srand(1);
  while (static_cast<std::int64_t>(indices.size()) < wanted) {
    const auto segment = static_cast<std::int64_t>(offsets.size()) - 1;
    const std::int64_t count = of.is_random ? std::rand() % (2 * of.length + 1) : of.length;
    indices.insert(indices.end(), static_cast<std::size_t>(count), segment);
    offsets.push_back(static_cast<std::int64_t>(indices.size()));
  }
  for (const std::int64_t index : indices) narrow.push_back(static_cast<std::int32_t>(index));
  const auto rows = static_cast<std::int64_t>(offsets.size()) - 1;
  const auto count = static_cast<std::int64_t>(indices.size());
  std::vector<float> data(static_cast<std::size_t>(rows * of.lanes));
  std::vector<float> memory(data.size());
  const std::vector<float> numbers(static_cast<std::size_t>(count * of.lanes), 1.0F);
  const strew::tensor_view sums{data.data(), {rows, of.lanes}};
  const strew::tensor_view output{of.in_place ? data.data() : memory.data(), {rows, of.lanes}};
  const strew::tensor_view updates{numbers.data(), {count, of.lanes}};
  const auto add = [&](const auto& where) { return [&] { strew::index_add(ex, sums, 0, where, updates, output); }; };
  const auto by = strew::segments(offsets);
  const bool is_small = of.bytes < 1'000'000;
  const auto times = measure(is_small ? 50 : 7, is_small ? 10 : 1, add(by), add(indices), add(narrow));
  const double ns = 1e9 / static_cast<double>(count);
  std::printf("%9lld bytes, %s, %4lld in a row, %4lld in a segment: %8.2f | %8.2f %8.2f | x %.2f %.2f\n",
              static_cast<long long>(of.bytes), of.in_place ? "in place" : "to output",
              static_cast<long long>(of.lanes), static_cast<long long>(of.length), times[0] * ns, times[1] * ns,
              times[2] * ns, times[1] / times[0], times[2] / times[0]);
}

}  // namespace

int main(int count, char** arguments) {
  bool is_random = false;
  unsigned threads = 1;
  for (int k = 1; k < count; ++k) {
    if (std::string_view(arguments[k]) == "random") {
      is_random = true;
    } else {
      threads = static_cast<unsigned>(std::strtoul(arguments[k], nullptr, 10));
    }
  }
  strew::thread_pool pool{threads};
  std::puts("ns for an update: by segments | by int64, by int32 indices | times of these");
  for (const std::int64_t bytes : {std::int64_t{128} << 10, std::int64_t{48} << 20}) {
    for (const bool in_place : {true, false}) {
      for (const std::int64_t lanes : {1, 4, 16, 64, 256, 1024}) {
        for (const std::int64_t length : {1, 2, 8, 32, 1000}) {
          const setting of{bytes, in_place, lanes, length, is_random};
          if (threads > 1) {
            run(pool, of);
          } else {
            run(strew::serial, of);
          }
        }
      }
    }
  }
}
