// SPDX-License-Identifier: Apache-2.0
// A progress bar on the terminal: bytes, rate, time left.
#ifndef STREW_NPY_PROGRESS_BAR_HPP
#define STREW_NPY_PROGRESS_BAR_HPP

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>

namespace strew_npy {

// Appears if standard error is a terminal and the work takes more than a second; erased on destruction, or before a
// signal ends the program. A separate thread redraws it while the others compute.
class progress_bar {
 public:
  // Does nothing if it is not wanted, or without a terminal.
  explicit progress_bar(bool is_wanted);
  progress_bar(const progress_bar&) = delete;
  progress_bar& operator=(const progress_bar&) = delete;
  ~progress_bar();

  [[nodiscard]] bool may_appear() const noexcept { return may_appear_; }

  // Sets the bytes of the work, none of which are done. Called once. Before, the bar shows that operands are checked.
  void begin(std::uint64_t bytes) noexcept;
  // Adds bytes that are done. Any thread may call it.
  void advance(std::uint64_t bytes) noexcept { done_.fetch_add(bytes, std::memory_order_relaxed); }

 private:
  using clock = std::chrono::steady_clock;

  void redraw_until_stopped();
  void draw() const;
  [[nodiscard]] std::string text(int columns) const;

  bool may_appear_;
  std::atomic<std::uint64_t> total_{0};
  std::atomic<std::uint64_t> done_{0};
  std::atomic<clock::rep> begin_{0};
  std::mutex mutex_;
  std::condition_variable stop_;
  bool stopped_ = false;
  std::thread thread_;
};

// Erases the bar from the terminal. For signal handlers: only calls write.
void erase_progress_bar() noexcept;

}  // namespace strew_npy

#endif  // STREW_NPY_PROGRESS_BAR_HPP
