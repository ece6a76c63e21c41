// SPDX-License-Identifier: Apache-2.0
// What calls that run at the same time may share: a pool, operands that are read, prepared and bound calls. Workspaces
// they may not, but the pool of several. ThreadSanitizer sees what else they share.
#include "support/catch.hpp"

#include <strew/heap_workspace.hpp>
#include <strew/prepare.hpp>
#include <strew/strew.hpp>
#include <strew/threads.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <vector>

namespace strew::test {
namespace {

constexpr std::int64_t rows = 40'000;
constexpr std::int64_t width = 3;
constexpr std::int64_t updates = 60'000;

struct operands {
  std::vector<float> data = std::vector<float>(rows * width);
  std::vector<std::int64_t> indices = std::vector<std::int64_t>(updates);
  std::vector<float> values = std::vector<float>(updates * width);
  std::vector<float> sums;
  std::vector<float> means;

  operands() {
    for (std::size_t i = 0; i < data.size(); ++i) data[i] = static_cast<float>(i % 17);
    for (std::size_t i = 0; i < indices.size(); ++i) indices[i] = static_cast<std::int64_t>(i * 7919 % rows);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i % 5);
    sums = data;
    for (std::size_t i = 0; i < values.size(); ++i) {
      sums[static_cast<std::size_t>(indices[i / width]) * width + i % width] += values[i];
    }
    std::vector<float> counts(rows, 1.0F);  // with data's element
    for (const std::int64_t index : indices) ++counts[static_cast<std::size_t>(index)];
    means = sums;
    for (std::size_t i = 0; i < means.size(); ++i) means[i] /= counts[i / width];
  }
  tensor_view<const float> data_view() const { return {data.data(), {rows, width}}; }
  tensor_view<const std::int64_t> index_view() const { return {indices.data(), {updates}}; }
  tensor_view<const float> value_view() const { return {values.data(), {updates, width}}; }
};

// Runs call(output) on three threads at the same time, some times each, with an output each. Returns how many outputs
// were wrong.
template <class Call>
int run_at_the_same_time(const std::vector<float>& expected, const Call& call) {
  std::atomic<int> wrong{0};
  const auto caller = [&] {
    std::vector<float> output(expected.size());
    for (int times = 0; times < 3; ++times) {
      output.assign(output.size(), -1.0F);
      call(output);
      if (output != expected) ++wrong;
    }
  };
  std::vector<std::thread> callers;
  for (int k = 0; k < 3; ++k) callers.emplace_back(caller);
  for (std::thread& thread : callers) thread.join();
  return wrong;
}

TEST_CASE("calls at the same time may share a pool and what they read", "[concurrent]") {
  const operands on;
  thread_pool pool(3);
  CHECK(run_at_the_same_time(on.sums, [&](std::vector<float>& output) {
          index_add(pool, on.data_view(), 0, on.index_view(), on.value_view(),
                    tensor_view<float>{output.data(), {rows, width}});
        }) == 0);
}

TEST_CASE("calls at the same time have a workspace each, which may share a pool", "[concurrent]") {
  const operands on;  // whose means have counts in the memory
  thread_pool pool(2);
  CHECK(run_at_the_same_time(on.means, [&](std::vector<float>& output) {
          heap_workspace<thread_pool> memory{pool};
          index_reduce(memory, on.data_view(), 0, on.index_view(), on.value_view(), reduction::mean,
                       tensor_view<float>{output.data(), {rows, width}});
        }) == 0);
  CHECK(run_at_the_same_time(on.means, [&](std::vector<float>& output) {
          std::vector<std::byte> memory(1 << 20);
          index_reduce(workspace{memory, pool}, on.data_view(), 0, on.index_view(), on.value_view(), reduction::mean,
                       tensor_view<float>{output.data(), {rows, width}});
        }) == 0);
}

TEST_CASE("a prepared and a bound call may run several times at once", "[concurrent]") {
  const operands on;
  const strided_layout data = on.data_view().layout();
  const auto sums =
      prepare<float, std::int64_t>(index_add, {data, on.index_view().layout(), on.value_view().layout(), data}, 0);
  CHECK(run_at_the_same_time(on.sums, [&](std::vector<float>& output) {
          sums.run(on.data.data(), on.indices.data(), on.values.data(), output.data());
        }) == 0);
  std::vector<std::byte> memory(sums.bound_bytes());
  const auto bound = sums.bind(on.indices.data(), memory);
  thread_pool pool(2);
  CHECK(run_at_the_same_time(on.sums, [&](std::vector<float>& output) {
          bound.run(on.data.data(), on.values.data(), output.data());
        }) == 0);
  CHECK(run_at_the_same_time(on.sums, [&](std::vector<float>& output) {
          bound.run(pool, on.data.data(), on.values.data(), output.data());
        }) == 0);
}

}  // namespace
}  // namespace strew::test
