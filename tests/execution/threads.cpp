// SPDX-License-Identifier: Apache-2.0
// The pool: each index once, whatever the number of threads, tasks and callers, hot and asleep. The operators on it are
// in parallel.cpp. Run both under ThreadSanitizer too: cmake --workflow --preset tsan.
#include "support/catch.hpp"
#include "support/random_source.hpp"

#include <strew/threads.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <limits>
#include <memory>
#include <new>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

// Whether a program's addresses can be limited from inside: sanitizers take terabytes of them.
#if !defined(__linux__) || defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define CAN_LIMIT_ADDRESSES 0
#elif defined(__has_feature)
#define CAN_LIMIT_ADDRESSES (!__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer))
#else
#define CAN_LIMIT_ADDRESSES 1
#endif
#if defined(_WIN32)
#if !defined(NOMINMAX)
#define NOMINMAX
#endif
#define WIN32_LEAN_AND_MEAN
#include <windows.h>
#endif
#if CAN_LIMIT_ADDRESSES
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>
#endif

using strew::thread_pool;

namespace {

// How often each index was run. Plain integers: that no two threads touch the same one is part of the contract, and
// ThreadSanitizer watches it.
class tally {
 public:
  explicit tally(std::size_t n) : counts_(n, 0) {}

  void operator()(std::size_t i) noexcept { ++counts_[i]; }
  [[nodiscard]] bool is_all(int times) const {
    return std::all_of(counts_.begin(), counts_.end(), [=](int count) { return count == times; });
  }

 private:
  std::vector<int> counts_;
};

void sleep_for_milliseconds(int count) {
  std::this_thread::sleep_for(std::chrono::milliseconds(count));
}

// Takes some time, for tasks that end before another thread could take one would all be the caller's.
void work(std::uint64_t amount) {
  std::atomic<std::uint64_t> done{0};
  while (done.fetch_add(1, std::memory_order_relaxed) < amount) {
  }
}

// Processor time of the whole program, in milliseconds.
double processor_time() {
#if defined(_WIN32)  // whose std::clock is the time that has passed
  FILETIME begun;
  FILETIME ended;
  FILETIME kernel;
  FILETIME user;
  GetProcessTimes(GetCurrentProcess(), &begun, &ended, &kernel, &user);
  const auto milliseconds = [](const FILETIME& time) {
    return (4294967296.0 * time.dwHighDateTime + time.dwLowDateTime) / 10'000;
  };
  return milliseconds(kernel) + milliseconds(user);
#else
  return 1000.0 * static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
#endif
}

#if CAN_LIMIT_ADDRESSES
// While it lives the program can map that many bytes more than it has, and no others.
class address_space_limit {
 public:
  explicit address_space_limit(std::size_t more) {
    getrlimit(RLIMIT_AS, &before_);
    std::size_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    rlimit now = before_;
    now.rlim_cur = pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE)) + more;
    setrlimit(RLIMIT_AS, &now);
    // Emulators of other processors know no such limit.
    const std::size_t too_much = more + (std::size_t{64} << 20);
    void* const mapped = mmap(nullptr, too_much, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    holds_ = mapped == MAP_FAILED;
    if (holds_) return;
    munmap(mapped, too_much);
    WARN("not tested: this system limits no addresses");
  }
  [[nodiscard]] bool holds() const noexcept { return holds_; }
  address_space_limit(const address_space_limit&) = delete;
  address_space_limit& operator=(const address_space_limit&) = delete;
  ~address_space_limit() { setrlimit(RLIMIT_AS, &before_); }

 private:
  rlimit before_{};
  bool holds_ = false;
};
#endif

const std::vector<unsigned> thread_counts{1, 2, 3, 4, 5, 8};

}  // namespace

TEST_CASE("a pool is an executor that stays where it is", "[threads]") {
  STATIC_REQUIRE(strew::executor<thread_pool>);
  STATIC_REQUIRE(strew::executor<thread_pool&>);
  STATIC_REQUIRE_FALSE(std::is_copy_constructible_v<thread_pool>);
  STATIC_REQUIRE_FALSE(std::is_move_constructible_v<thread_pool>);
  STATIC_REQUIRE_FALSE(std::is_copy_assignable_v<thread_pool>);
  STATIC_REQUIRE_FALSE(std::is_move_assignable_v<thread_pool>);
  STATIC_REQUIRE_FALSE(std::is_convertible_v<unsigned, thread_pool>);
  STATIC_REQUIRE_FALSE(std::is_invocable_v<thread_pool&, std::size_t, int>);
  STATIC_REQUIRE_FALSE(std::is_invocable_v<thread_pool&, std::size_t, void(std::string)>);
}

TEST_CASE("the number of threads counts the caller", "[threads]") {
  for (const unsigned threads : thread_counts) CHECK(thread_pool(threads).concurrency() == threads);
  const std::size_t machine = std::max(1u, std::thread::hardware_concurrency());
  CHECK(thread_pool().concurrency() == machine);
  CHECK(thread_pool(0).concurrency() == machine);
}

TEST_CASE("a pool that cannot have all its threads makes do with fewer", "[threads]") {
  const auto runs_all = [](thread_pool& pool) {
    tally ran(5000);
    pool(5000, ran);
    return ran.is_all(1);
  };
  SECTION("as no call has so many parts") {
    thread_pool pool(std::numeric_limits<unsigned>::max());
    CHECK(pool.concurrency() <= 1024);
    CHECK(runs_all(pool));
  }
#if CAN_LIMIT_ADDRESSES
  if (std::getenv("STREW_TEST_UNDER_VALGRIND") != nullptr) {
    WARN("addresses are not limited, since valgrind takes gigabytes of them");
    return;
  }
  SECTION("as there are no addresses for their stacks") {
    const address_space_limit limit(std::size_t{256} << 20);
    if (!limit.holds()) return;
    thread_pool pool(std::numeric_limits<unsigned>::max());
    CHECK(pool.concurrency() < 1024);
    CHECK(runs_all(pool));
  }
  SECTION("as there is no memory at all") {
    std::vector<std::unique_ptr<char[]>> heap;
    heap.reserve(100'000);
    const address_space_limit limit(0);
    if (!limit.holds()) return;
    for (std::size_t size = std::size_t{1} << 20; size >= 64; size /= 2) {
      while (auto* const block = new (std::nothrow) char[size]) heap.emplace_back(block);
    }
    thread_pool pool(1024);
    heap.clear();
    CHECK(pool.concurrency() < 1024);
    CHECK(runs_all(pool));
  }
#endif
}

TEST_CASE("each index is run once, for any number of threads and of tasks", "[threads]") {
  for (const unsigned threads : thread_counts) {
    thread_pool pool(threads);
    for (const std::size_t n : {0u, 1u, 2u, 3u, 4u, 5u, 6u, 7u, 8u, 9u, 15u, 16u, 17u, 63u, 100u, 1000u, 4099u}) {
      INFO(threads << " threads, " << n << " tasks");
      tally ran(n);
      for (int times = 1; times <= 20; ++times) {
        pool(n, ran);
        REQUIRE(ran.is_all(times));
      }
    }
  }
}

TEST_CASE("each index is run once in tens of thousands of calls in a row, whoever is first", "[threads]") {
  for (const unsigned threads : {2u, 4u}) {
    thread_pool pool(threads);
    for (const std::size_t n : {2u, 3u, 8u}) {
      strew::test::random_source random(n);
      tally ran(n);
      bool always = true;
      for (int times = 1; times <= 20'000; ++times) {
        // The threads' work ends together, or one is ahead of the others.
        const auto longest = static_cast<std::uint64_t>(random.below(400));
        const auto favoured = static_cast<std::size_t>(random.below(static_cast<std::int64_t>(2 * n)));
        pool(n, [&](std::size_t i) {
          if (i != favoured) work(longest);
          ran(i);
        });
        always = always && ran.is_all(times);
      }
      CHECK(always);
    }
  }
}

TEST_CASE("no call waits for a thread that has not begun", "[threads]") {
  // More threads than any machine runs at once.
  thread_pool pool(64);
  tally ran(200);
  for (int times = 1; times <= 500; ++times) pool(200, ran);
  CHECK(ran.is_all(500));
}

TEST_CASE("threads that fell asleep take part again", "[threads]") {
  thread_pool pool(3);
  for (int times = 0; times < 10; ++times) {
    sleep_for_milliseconds(2);
    // The caller's own task ends no sooner than another thread has come.
    std::atomic<int> others{0};
    const auto caller = std::this_thread::get_id();
    pool(3, [&](std::size_t) {
      if (std::this_thread::get_id() != caller) {
        ++others;
      } else {
        while (others == 0) std::this_thread::yield();
      }
    });
    REQUIRE(others > 0);
  }
}

// One task of the caller's share does not end before the other one has, which the caller would begin after it.
TEST_CASE("a thread whose tasks are done takes those of the caller", "[threads]") {
  thread_pool pool(2);
  if (pool.concurrency() < 2) {
    WARN("not tested: no second thread could be started");
    return;
  }
  for (int call = 0; call < 20; ++call) {
    std::atomic<bool> has_ended{false};
    bool was_in_time = false;
    pool(4, [&](std::size_t i) {
      if (i == 1) has_ended = true;
      const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(i == 0 ? 10 : 0);
      while (i == 0 && !has_ended && std::chrono::steady_clock::now() < end) std::this_thread::yield();
      if (i == 0) was_in_time = has_ended;
    });
    REQUIRE(was_in_time);
  }
}

TEST_CASE("a long task of another thread is waited for", "[threads]") {
  thread_pool pool(2);
  const auto caller = std::this_thread::get_id();
  for (int times = 0; times < 5; ++times) {
    std::atomic<bool> begun{false};
    std::atomic<bool> ended{false};
    pool(2, [&](std::size_t) {
      if (std::this_thread::get_id() != caller) {
        begun = true;
        sleep_for_milliseconds(3);  // long enough for the caller to fall asleep
        ended = true;
      } else {
        while (!begun) std::this_thread::yield();
      }
    });
    REQUIRE(ended);
  }
}

TEST_CASE("an idle pool takes no processor time", "[threads]") {
  thread_pool pool(4);
  tally ran(4);
  pool(4, ran);
  sleep_for_milliseconds(20);
  const double before = processor_time();
  sleep_for_milliseconds(200);
  CHECK(processor_time() - before < 20);
}

TEST_CASE("a pool may be destroyed at any time between calls", "[threads]") {
  for (const int pause : {-1, 0, 1}) {
    for (int times = 0; times < 50; ++times) {
      thread_pool pool(4);
      if (pause < 0) continue;  // no call at all
      tally ran(4);
      pool(4, ran);
      REQUIRE(ran.is_all(1));
      if (pause > 0) sleep_for_milliseconds(pause);
    }
  }
}

TEST_CASE("several threads may call one pool", "[threads]") {
  thread_pool pool(3);
  std::atomic<int> wrong{0};
  const auto caller = [&] {
    tally ran(13);
    for (int times = 1; times <= 3'000; ++times) {
      pool(13, [&](std::size_t i) {
        work(50);
        ran(i);
      });
      if (!ran.is_all(times)) ++wrong;
    }
  };
  std::vector<std::thread> callers;
  for (int k = 0; k < 3; ++k) callers.emplace_back(caller);
  for (std::thread& thread : callers) thread.join();
  CHECK(wrong == 0);
}

TEST_CASE("threads may take turns in calling one pool", "[threads]") {
  thread_pool pool(3);
  std::atomic<int> turn{0};
  std::atomic<int> wrong{0};
  const auto caller = [&](int parity) {
    tally ran(13);
    for (int times = 1; times <= 100; ++times) {
      // Relaxed, so that the pool alone orders one thread's call before the other's.
      while (turn.load(std::memory_order_relaxed) % 2 != parity) std::this_thread::yield();
      pool(13, ran);
      turn.fetch_add(1, std::memory_order_relaxed);
      if (!ran.is_all(times)) ++wrong;
    }
  };
  std::thread first(caller, 0);
  std::thread second(caller, 1);
  first.join();
  second.join();
  CHECK(wrong == 0);
}

TEST_CASE("a body may call the pool that runs it", "[threads]") {
  for (const unsigned threads : thread_counts) {
    thread_pool pool(threads);
    for (int times = 0; times < 100; ++times) {
      tally inner(5 * 7);
      pool(5, [&](std::size_t i) { pool(7, [&](std::size_t j) { inner(i * 7 + j); }); });
      REQUIRE(inner.is_all(1));
    }
  }
}

TEST_CASE("pools may call each other", "[threads]") {
  thread_pool outer(3);
  thread_pool inner(3);
  for (int times = 0; times < 300; ++times) {
    tally ran(5 * 7);
    outer(5, [&](std::size_t i) { inner(7, [&](std::size_t j) { ran(i * 7 + j); }); });
    REQUIRE(ran.is_all(1));
  }
}

TEST_CASE("a body is neither copied nor moved, and may have state", "[threads]") {
  thread_pool pool(4);
  struct immovable {
    std::atomic<std::size_t> sum{0};

    immovable() = default;
    immovable(const immovable&) = delete;
    void operator()(std::size_t i) { sum += i; }
  };
  immovable body;
  pool(100, body);
  CHECK(body.sum == 4950);

  auto owner = [values = std::make_unique<std::vector<int>>(100, 0)](std::size_t i) { ++(*values)[i]; };
  pool(100, owner);
  pool(100, std::as_const(owner));
  pool(0, std::move(owner));
}

TEST_CASE("what the caller wrote is seen by the tasks, and what they wrote by the caller", "[threads]") {
  thread_pool pool(4);
  std::uint64_t from_caller = 0;
  std::vector<std::uint64_t> to_caller(15);
  for (std::uint64_t round = 1; round <= 5'000; ++round) {
    from_caller = round;
    pool(15, [&](std::size_t i) {
      work(50);
      to_caller[i] = from_caller + i;
    });
    bool right = true;
    for (std::size_t i = 0; i < 15; ++i) right = right && to_caller[i] == round + i;
    REQUIRE(right);
  }
}
