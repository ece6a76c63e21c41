// SPDX-License-Identifier: Apache-2.0
// Shared by all recipes: operands large enough for several threads, and a report on the call.
#ifndef STREW_EXAMPLES_EXECUTORS_SCATTER_CALL_HPP
#define STREW_EXAMPLES_EXECUTORS_SCATTER_CALL_HPP

#include <strew/strew.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <numeric>
#include <set>
#include <span>
#include <thread>
#include <tuple>
#include <vector>

// 16 MiB of data; a third of its rows are updated, some of them twice.
struct scatter_call {
  static constexpr std::int64_t rows = 4096;
  static constexpr std::int64_t columns = 1024;
  static constexpr std::int64_t picked = 1536;

  std::vector<float> data_values = std::vector<float>(rows * columns);
  std::vector<float> update_values = std::vector<float>(picked * columns);
  std::vector<float> output_values = std::vector<float>(rows * columns);
  std::vector<std::int32_t> row_numbers = std::vector<std::int32_t>(picked);

  strew::tensor_view<const float> data{data_values.data(), {rows, columns}};
  strew::tensor_view<const std::int32_t> indices{row_numbers.data(), {picked}};
  strew::tensor_view<const float> updates{update_values.data(), {picked, columns}};
  strew::tensor_view<float> output{output_values.data(), {rows, columns}};

  scatter_call() {
    std::iota(data_values.begin(), data_values.end(), 0.0f);
    std::iota(update_values.begin(), update_values.end(), 0.5f);
    for (std::int32_t i = 0; i < picked; ++i) row_numbers[static_cast<std::size_t>(i)] = i * i % rows;
  }
  scatter_call(const scatter_call&) = delete;

  [[nodiscard]] auto operands() const { return std::tuple{data, indices, updates, output}; }
};

// Runs the call with `ex` several times; returns the shortest time in milliseconds.
template <strew::executor Ex>
double milliseconds(scatter_call& call, Ex& ex) {
  double best = 1e9;
  for (int k = 0; k < 5; ++k) {
    const auto begin = std::chrono::steady_clock::now();
    strew::scatter_update(ex, call.data, call.indices, call.updates, 0, call.output);
    const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - begin;
    best = std::min(best, time.count());
  }
  return best;
}

// An executor that runs on another one and records the number of parts and the threads that ran them.
template <strew::executor Ex>
class watched {
 public:
  explicit watched(Ex& ex) : ex_{ex} {}

  void operator()(std::size_t n, const strew::task& body) {
    parts_ = n;
    body_ = &body;
    const auto noted = [](const void* self, std::size_t i) noexcept {
      const auto* const watch = static_cast<const watched*>(self);
      watch->note_thread();
      (*watch->body_)(i);
    };
    ex_(n, strew::task(noted, this));
  }

  [[nodiscard]] std::size_t parts() const { return parts_; }
  [[nodiscard]] std::size_t threads() const { return threads_.size(); }

 private:
  friend struct strew::executor_traits<watched>;

  void note_thread() const {
    const std::lock_guard lock(mutex_);
    threads_.insert(std::this_thread::get_id());
  }

  Ex& ex_;
  std::size_t parts_ = 0;
  const strew::task* body_ = nullptr;
  mutable std::mutex mutex_;
  mutable std::set<std::thread::id> threads_;
};

// The traits are those of the other executor.
template <class Ex>
struct strew::executor_traits<watched<Ex>> {
  static std::size_t concurrency(const watched<Ex>& watch) {
    return executor_traits<std::remove_const_t<Ex>>::concurrency(watch.ex_);
  }
  static std::span<std::byte> memory(const watched<Ex>& watch) {
    return executor_traits<std::remove_const_t<Ex>>::memory(watch.ex_);
  }
};

// Prints what the executor did, and whether `call.output` has the same bits as without an executor; returns the
// program's exit code.
template <strew::executor Ex>
int report(const char* name, scatter_call& call, Ex& ex) {
  const std::vector<float> output = call.output_values;
  const double alone = milliseconds(call, strew::serial);
  const bool same = std::memcmp(output.data(), call.output_values.data(), output.size() * sizeof(float)) == 0;

  const double together = milliseconds(call, ex);
  watched watch(ex);
  strew::scatter_update(watch, call.data, call.indices, call.updates, 0, call.output);
  std::printf("%s: %zu parts on %zu threads, %s; %.2f ms, alone %.2f\n", name, watch.parts(), watch.threads(),
              same ? "the same bits as without" : "OTHER BITS THAN WITHOUT", together, alone);
  return same ? 0 : 1;
}

#endif  // STREW_EXAMPLES_EXECUTORS_SCATTER_CALL_HPP
