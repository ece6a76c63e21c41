// SPDX-License-Identifier: Apache-2.0
#include "threads.hpp"

#include "operand.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <limits>
#include <mutex>
#include <new>
#include <string>
#include <thread>

#if defined(__unix__) || defined(__APPLE__)
#include <pthread.h>
#endif

namespace strew_python {

namespace {

constexpr std::size_t most_threads = 1024;  // of strew::thread_pool

// Never destroyed: at the end of the process other threads may still make calls.
struct pool_of_process {
  std::mutex guard;
  std::shared_ptr<strew::thread_pool> pool;
  std::size_t asked = 0;  // a pool may have fewer threads, if the system allows no more
};
pool_of_process& pool_memory() {
  static pool_of_process* const made = new pool_of_process;
  return *made;
}

// The mutex is held while the process is copied, so that the child finds it as it should be. The child has no other
// threads, so its pool is forgotten: destroying it would wait for them.
void keep_pool_usable_after_fork() {
#if defined(__unix__) || defined(__APPLE__)
  pthread_atfork([] { pool_memory().guard.lock(); }, [] { pool_memory().guard.unlock(); },
                 [] {
                   pool_of_process& all = pool_memory();
                   new (&all.pool) std::shared_ptr<strew::thread_pool>();
                   new (&all.guard) std::mutex();
                   all.asked = 0;
                 });
#endif
}

constexpr std::size_t no_limit = (std::numeric_limits<std::size_t>::max)();
std::atomic<std::size_t> limit{no_limit};

}  // namespace

std::size_t count_of_threads(const char* operation, nb::handle threads) {
  if (PyLong_CheckExact(threads.ptr()) != 0) {
    const long long count = PyLong_AsLongLong(threads.ptr());
    if (count > 0 && count <= static_cast<long long>(most_threads)) return static_cast<std::size_t>(count);
    if (count == -1) PyErr_Clear();
  }
  const operand_name name{operation, "threads"};
  if (PyIndex_Check(threads.ptr()) == 0) {
    raise(strew::errc::type_mismatch, name,
          " is " + kind_of(threads) + ", expected an integer: 0 takes as many as the machine has");
  }
  const std::int64_t count = integer_of(name, threads);
  if (count == 0) return std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1, most_threads);
  if (count < 0 || count > static_cast<std::int64_t>(most_threads)) {
    raise(strew::errc::value_out_of_range, name, " = " + text_of(threads) + " is outside [0, 1024]");
  }
  return static_cast<std::size_t>(count);
}

std::shared_ptr<strew::thread_pool> shared_pool(std::size_t threads) {
  static const bool is_kept = (keep_pool_usable_after_fork(), true);
  static_cast<void>(is_kept);
  pool_of_process& all = pool_memory();
  const std::lock_guard lock(all.guard);
  if (all.asked < threads) {
    all.asked = threads;
    all.pool = std::make_shared<strew::thread_pool>(static_cast<unsigned>(threads));
  }
  return all.pool;
}

released_lock::~released_lock() {
  try {
    PyEval_RestoreThread(state_);
  } catch (...) {
    // The interpreter has ended, and ends this thread by an exception, which may not leave a destructor. The process
    // ends soon.
    for (;;) std::this_thread::sleep_for(std::chrono::hours(1));
  }
}

call_resources& call_resources::of_this_thread() {
  thread_local call_resources mine;
  return mine;
}

call_resources::workspace& call_resources::begin(std::size_t threads) {
  executor_.begin(threads);
  const std::size_t wanted = limit.load(std::memory_order_relaxed);
  if (!memory_ || limit_ != wanted) {
    memory_.emplace(executor_);
    if (wanted != no_limit) memory_->set_limit(wanted);
    limit_ = wanted;
  }
  return *memory_;
}

void call_resources::end() noexcept {
  executor_.end();
  if (memory_->bytes() > most_kept) memory_->release();
}

void set_memory_limit(std::optional<std::size_t> bytes) {
  limit.store(bytes.value_or(no_limit), std::memory_order_relaxed);
}

}  // namespace strew_python
