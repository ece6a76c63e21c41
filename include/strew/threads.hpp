// SPDX-License-Identifier: Apache-2.0
// thread_pool: an executor whose threads start a task within a fraction of a microsecond. Opt-in: strew.hpp does not
// include it, so that only its users pay for <thread>. Link with -pthread, in CMake with Threads::Threads.
#ifndef STREW_THREADS_HPP
#define STREW_THREADS_HPP

#include <strew/config.hpp>
#include <strew/execution/executor.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <concepts>
#if !STREW_HAS_ATOMIC_WAIT
#include <condition_variable>
#endif
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#if !STREW_HAS_ATOMIC_WAIT
#include <mutex>
#endif
#include <new>
#include <span>
#include <thread>
#include <type_traits>

#if __has_include(<unistd.h>)
#include <unistd.h>
#endif

namespace strew::inline STREW_ABI {

namespace detail::inline STREW_CODE {

// Spins until ready(), for at most 50 us; returns ready(). Waking a sleeping thread takes about as long (40 us measured
// on a virtual machine), so spinning first costs at most about twice the better choice.
template <class Ready>
bool spin_until(const Ready& ready) noexcept {
  using clock = std::chrono::steady_clock;
  constexpr int spins_per_clock = 64;  // a microsecond or two; reading the clock takes a tenth of one
  constexpr std::chrono::microseconds limit{50};
  clock::time_point now;
  clock::time_point end = (clock::time_point::max)();
  do {
    for (int i = 0; i < spins_per_clock; ++i) {
      if (ready()) return true;
#if STREW_USE_INTRINSICS
      __builtin_ia32_pause();
#endif
    }
    now = clock::now();
    end = (std::min)(end, now + limit);
  } while (now < end);
  return false;
}

// The tasks that no thread has taken yet. Aligned so that it is read and written as one number. Not a member of
// task_share: there its default initialisers would not be known to std::atomic<task_range>, which some libraries
// reject.
struct alignas(8) task_range {
  std::uint32_t first = 0;
  std::uint32_t last = 0;
};

// A number for whose change one thread waits.
class awaited_number {
 public:
  std::atomic<std::uint32_t> value{0};

#if STREW_HAS_ATOMIC_WAIT
  void wait(std::uint32_t old) noexcept {
    value.wait(old);
  }
  void notify() noexcept {
    value.notify_one();
  }
#else
  void wait(std::uint32_t old) noexcept {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return value.load() != old; });
  }
  void notify() noexcept {
    const std::lock_guard after_the_comparison(mutex_);
    changed_.notify_one();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
#endif
};

// A thread's share of the tasks of a call. That thread takes them from the front, one by one; threads whose own share
// is done take the remaining ones from the back. So no thread waits for one that sleeps, is not scheduled yet, or has
// more work in its tasks than others, only for tasks that were taken.
class task_share {
 public:
  enum class end { front, back };

  // `body` must outlive wait().
  void give(const task& body, std::uint32_t first, std::uint32_t last) noexcept {
    body_ = body;
    ended_.value.store(0, std::memory_order_relaxed);
    given_ = last - first;
    open_.store({first, last}, std::memory_order_release);
  }
  [[nodiscard]] bool is_open() const noexcept {
    const task_range open = open_.load(std::memory_order_relaxed);
    return open.first != open.last;
  }
  // Takes and runs tasks until none is left; returns their number, with which they are to be reported. A call cannot
  // return while a taken task runs, so body_ may be read only after a task was taken.
  [[nodiscard]] std::uint32_t run(end from) noexcept {
    std::uint32_t count = 0;
    task_range open = open_.load(std::memory_order_relaxed);
    while (open.first != open.last) {
      const bool front = from == end::front;
      const task_range rest = front ? task_range{open.first + 1, open.last} : task_range{open.first, open.last - 1};
      if (!open_.compare_exchange_weak(open, rest, std::memory_order_acquire, std::memory_order_relaxed)) continue;
      body_(front ? open.first : rest.last);
      ++count;
      open = open_.load(std::memory_order_relaxed);
    }
    return count;
  }
  // By the caller, and by its threads, which also tell the caller.
  void report(std::uint32_t count) noexcept {
    if (count != 0) ended_.value.fetch_add(count);
  }
  void report_and_notify(std::uint32_t count) noexcept {
    report(count);
    if (count != 0) ended_.notify();
  }
  // Waits for all tasks. By the caller.
  void wait() noexcept {
    std::uint32_t ended = 0;
    const auto all_ended = [&] { return (ended = ended_.value.load(std::memory_order_acquire)) == given_; };
    while (!spin_until(all_ended)) ended_.wait(ended);
  }

 private:
  std::atomic<task_range> open_{};
  task body_{nullptr, nullptr};
  std::uint32_t given_ = 0;
  awaited_number ended_;
};

// One thread of a pool, and its share. Aligned to cache lines against false sharing.
class alignas(64) pool_thread {
 public:
  task_share share;

  // `callers` is the share of the threads that call the pool.
  bool try_start(task_share& callers) {
    const auto body = [this, &callers]() noexcept { work(callers); };
#if STREW_HAS_EXCEPTIONS
    try {
      thread_ = std::thread{body};
    } catch (...) {
      return false;
    }
#else
    thread_ = std::thread{body};
#endif
    return true;
  }

  void stop_and_join() noexcept {
    stopping_.store(true);
    if (asleep_.value.exchange(0) != 0) asleep_.notify();
    thread_.join();
  }

  // For a thread that does not exist in this process: it is neither stopped nor joined, and its handle not destroyed.
  void forget() noexcept {
    ::new (static_cast<void*>(std::addressof(thread_))) std::thread;
  }

  // Without the memory barrier of stop_and_join, which would stall every call: asleep_ may be read before the share is
  // visible. A thread that falls asleep in between is not woken; the caller then runs its share.
  void wake() noexcept {
    if (asleep_.value.load(std::memory_order_relaxed) != 0 && asleep_.value.exchange(0) != 0) asleep_.notify();
  }

 private:
  void work(task_share& callers) noexcept {
    const auto is_wanted = [&] { return share.is_open() || stopping_.load(std::memory_order_relaxed); };
    while (!stopping_.load(std::memory_order_relaxed)) {
      share.report_and_notify(share.run(task_share::end::front));
      callers.report_and_notify(callers.run(task_share::end::back));
      if (!spin_until(is_wanted)) sleep();
    }
  }

  void sleep() noexcept {
    asleep_.value.store(1);
    if (!share.is_open() && !stopping_.load()) asleep_.wait(1);
    asleep_.value.store(0);
  }

  awaited_number asleep_;
  std::atomic<bool> stopping_{false};
  std::thread thread_;
};

// A number of the process, which a child of fork does not share; 0 where there is no fork.
inline long process_number() noexcept {
#if __has_include(<unistd.h>)
  return static_cast<long>(::getpid());
#else
  return 0;
#endif
}

}  // namespace detail

// An executor with `threads` threads, the caller's included; 0 means std::thread::hardware_concurrency(). It has fewer
// if memory or the system does not allow more, and at most 1024, the most that operators use; concurrency() returns the
// number. (With -fno-exceptions std::thread ends the program if no thread can be started.)
//
//   strew::thread_pool pool{4};
//   strew::scatter_update(pool, data, indices, updates, axis, output);
//
// Each thread gets a contiguous range of task numbers, the same range in all calls with the same n, so that data stays
// in its cache from call to call. Threads that have ended theirs help the caller, and the caller helps all others.
//
// Any thread may call the pool at any time. If the pool is busy with a call of another thread, or with the call whose
// task makes this one, the calling thread runs all tasks itself: it neither waits nor deadlocks. A call allocates
// nothing. After a call the threads spin for 50 us, waiting for the next one; then they sleep and use no processor
// time. A body that throws ends the program. A pool must not be destroyed during a call.
//
// A child of fork() has the pool without its threads: a call there runs all tasks on the calling thread, also if
// another thread was calling the pool at that moment, and the destructor waits for no thread. For threads a child makes
// a pool of its own. If a task itself calls fork(), the child may only call exec() or _exit().
class thread_pool {
 public:
  // Starts the threads. Throws nothing: if threads or memory are missing there are fewer threads.
  STREW_KEYED explicit thread_pool(unsigned threads = 0) {
    if (threads == 0) threads = (std::max)(1u, std::thread::hardware_concurrency());
    std::size_t others = (std::min)(threads, most_threads) - 1;
    while (others > 0 && !threads_) {
      threads_.reset(new (std::nothrow) detail::pool_thread[others]);
      if (!threads_) others /= 2;
    }
    while (started_ < others && threads_[started_].try_start(own_)) ++started_;
  }
  thread_pool(const thread_pool&) = delete;
  thread_pool& operator=(const thread_pool&) = delete;
  STREW_KEYED ~thread_pool() {
    const bool is_child_of_fork = detail::process_number() != process_;
    for (std::size_t k = 0; k < started_; ++k) {
      if (is_child_of_fork) {
        threads_[k].forget();
      } else {
        threads_[k].stop_and_join();
      }
    }
  }

  // The number of threads, the caller's included.
  [[nodiscard]] std::size_t concurrency() const noexcept { return started_ + 1; }

  // Calls body(i) once for each i < n, see strew::executor.
  template <class Body>
  requires std::is_object_v<std::remove_reference_t<Body>> && std::invocable<Body&, std::size_t> STREW_KEYED void
  operator()(std::size_t n, Body&& body) noexcept {
    // Tasks are counted in 32 bits.
    const bool share = n > 1 && n <= (std::numeric_limits<std::uint32_t>::max)() && started_ > 0;
    if (share && !busy_.test_and_set(std::memory_order_acquire)) {
      const auto run_one = [](const void* object, std::size_t i) noexcept {
        (*static_cast<std::remove_reference_t<Body>*>(const_cast<void*>(object)))(i);
      };
      run(task(run_one, std::addressof(body)), n);
      busy_.clear(std::memory_order_release);
    } else {
      for (std::size_t i = 0; i < n; ++i) body(i);
    }
  }

 private:
  static constexpr unsigned most_threads = 1024;

  STREW_KEYED void run(const task& body, std::size_t n) noexcept {
    const std::size_t shares = (std::min)(n, concurrency());
    const auto begin = [&](std::size_t share) { return static_cast<std::uint32_t>(std::uint64_t{n} * share / shares); };
    const std::size_t others = shares - 1;
    for (std::size_t k = 0; k < others; ++k) threads_[k].share.give(body, begin(k + 1), begin(k + 2));
    own_.give(body, 0, begin(1));
    for (std::size_t k = 0; k < others; ++k) threads_[k].wake();
    own_.report(own_.run(detail::task_share::end::front));
    for (std::size_t k = 0; k < others; ++k)
      threads_[k].share.report(threads_[k].share.run(detail::task_share::end::back));
    own_.wait();
    for (std::size_t k = 0; k < others; ++k) threads_[k].share.wait();
  }

  detail::task_share own_;  // of the thread that calls
  std::unique_ptr<detail::pool_thread[]> threads_;
  std::size_t started_ = 0;
  long process_ = detail::process_number();
  std::atomic_flag busy_;
};

template <>
struct executor_traits<thread_pool> {
  [[nodiscard]] static std::size_t concurrency(const thread_pool& pool) noexcept { return pool.concurrency(); }
  [[nodiscard]] static std::span<std::byte> memory(const thread_pool&) noexcept { return {}; }
};

}  // namespace strew

#endif  // STREW_THREADS_HPP
