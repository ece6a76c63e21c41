// SPDX-License-Identifier: Apache-2.0
// The executor of calls from Python: the caller's thread, and threads of a pool that all calls of the process share.
#ifndef STREW_PYTHON_THREADS_HPP
#define STREW_PYTHON_THREADS_HPP

#include "errors.hpp"

#include <strew/execution/executor.hpp>
#include <strew/heap_workspace.hpp>
#include <strew/threads.hpp>

#include <nanobind/nanobind.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <span>

namespace strew_python {

// The value of an argument `threads`; 0 stands for all processors.
std::size_t count_of_threads(const char* operation, nb::handle threads);

// A pool with at least this many threads. The same pool for all callers, until one needs more threads; a child of fork
// gets a new one, since threads do not survive there.
std::shared_ptr<strew::thread_pool> shared_pool(std::size_t threads);

// Runs the tasks of calls on at most so many threads.
class call_executor {
 public:
  // Between these a call may run. No thread of the pool is used, and the pool is not held, outside of calls.
  void begin(std::size_t threads) {
    threads_ = threads;
    if (threads > 1) pool_ = shared_pool(threads);
  }
  void end() noexcept { pool_.reset(); }

  void operator()(std::size_t n, const strew::task& body) const noexcept {
    if (!pool_) {
      for (std::size_t i = 0; i < n; ++i) body(i);
    } else if (pool_->concurrency() <= threads_) {
      (*pool_)(n, body);
    } else {
      // The pool has more threads: as many tasks as threads are asked for, each of which is a range of the call's
      // tasks.
      const std::size_t shares = n < threads_ ? n : threads_;
      const auto begin = [&](std::size_t share) { return n / shares * share + n % shares * share / shares; };
      (*pool_)(shares, [&](std::size_t share) {
        for (std::size_t i = begin(share); i < begin(share + 1); ++i) body(i);
      });
    }
  }
  [[nodiscard]] std::size_t concurrency() const noexcept { return threads_; }

 private:
  std::size_t threads_ = 1;
  std::shared_ptr<strew::thread_pool> pool_;
};

}  // namespace strew_python

template <>
struct strew::executor_traits<strew_python::call_executor> {
  [[nodiscard]] static std::size_t concurrency(const strew_python::call_executor& ex) noexcept {
    return ex.concurrency();
  }
  [[nodiscard]] static std::span<std::byte> memory(const strew_python::call_executor&) noexcept { return {}; }
};

namespace strew_python {

// The executor and the scratch memory of the calls of one thread. Up to 64 MiB of memory are kept from call to call, so
// that each call need not get its pages from the system again.
class call_resources {
 public:
  using workspace = strew::heap_workspace<call_executor>;

  static call_resources& of_this_thread();

  workspace& begin(std::size_t threads);
  void end() noexcept;

 private:
  static constexpr std::size_t most_kept = std::size_t{64} << 20;

  call_executor executor_;
  std::optional<workspace> memory_;
  std::size_t limit_ = 0;
};

// Releases the interpreter's lock.
class released_lock {
 public:
  released_lock() : state_{PyEval_SaveThread()} {}
  released_lock(const released_lock&) = delete;
  released_lock& operator=(const released_lock&) = delete;
  ~released_lock();

 private:
  PyThreadState* state_;
};

// Returns body(), which returns a status, without the interpreter's lock if that pays.
template <class Body>
strew::status without_lock(bool pays, const Body& body) {
  if (!pays) return body();
  const released_lock unlocked;
  return body();
}

// The most bytes of scratch memory of a call; none: what makes a call fastest.
void set_memory_limit(std::optional<std::size_t> bytes);

}  // namespace strew_python

#endif  // STREW_PYTHON_THREADS_HPP
