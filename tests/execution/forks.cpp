// SPDX-License-Identifier: Apache-2.0
// Children of fork: a pool of the parent has no threads there, and its calls run on the calling thread. Neither calls
// nor the end of the pool wait for threads that do not exist. A child that hangs is killed by an alarm.
#include "support/catch.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <strew/heap_workspace.hpp>
#include <strew/strew.hpp>
#include <strew/threads.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <thread>
#include <vector>

#if defined(__SANITIZE_THREAD__)
#define MAY_FORK 0
#elif defined(__has_feature)
#define MAY_FORK (!__has_feature(thread_sanitizer))
#else
#define MAY_FORK 1
#endif

namespace strew::test {
namespace {

// A call in parts: rows of 1 MiB, and its result by a plain loop.
class call_in_parts {
 public:
  call_in_parts() : data_(rows * columns), updates_(rows * columns), indices_(rows), expected_(rows * columns) {
    for (std::size_t k = 0; k < updates_.size(); ++k) updates_[k] = static_cast<std::int32_t>(k);
    for (std::size_t i = 0; i < rows; ++i) {
      indices_[i] = static_cast<std::int64_t>((i * 7 + 3) % rows);
      for (std::size_t j = 0; j < columns; ++j) {
        expected_[static_cast<std::size_t>(indices_[i]) * columns + j] += updates_[i * columns + j];
      }
    }
  }
  template <class Ex>
  bool is_right_on(Ex& ex) {
    std::vector<std::int32_t> output(data_.size(), -1);
    const auto n = static_cast<std::int64_t>(rows);
    const auto c = static_cast<std::int64_t>(columns);
    index_add(ex, tensor_view<const std::int32_t>{data_.data(), {n, c}}, 0,
              tensor_view<const std::int64_t>{indices_.data(), {n}},
              tensor_view<const std::int32_t>{updates_.data(), {n, c}},
              tensor_view<std::int32_t>{output.data(), {n, c}});
    return output == expected_;
  }

 private:
  static constexpr std::size_t rows = 512;
  static constexpr std::size_t columns = 512;
  std::vector<std::int32_t> data_;
  std::vector<std::int32_t> updates_;
  std::vector<std::int64_t> indices_;
  std::vector<std::int32_t> expected_;
};

// The exit status of a child that runs the function; -1 if it was killed, by the alarm perhaps.
template <class Body>
int status_of_child(const Body& body) {
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    alarm(20);
    _exit(body());
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

#if MAY_FORK

TEST_CASE("a child of fork may use the pool of its parent, which runs all on one thread there") {
  call_in_parts call;
  for (const unsigned threads : {1U, 2U, 4U}) {
    for (const int pause : {0, 1000}) {  // microseconds: the threads spin, or sleep
      CAPTURE(threads, pause);
      thread_pool pool{threads};
      REQUIRE(call.is_right_on(pool));
      for (int times = 0; times < 10; ++times) {
        if (pause > 0) usleep(static_cast<unsigned>(pause));
        REQUIRE(status_of_child([&] {
                  bool is_right = call.is_right_on(pool) && call.is_right_on(pool);
                  const std::thread::id caller = std::this_thread::get_id();
                  pool(100, [&](std::size_t) { is_right = is_right && std::this_thread::get_id() == caller; });
                  heap_workspace held{pool};
                  return is_right && call.is_right_on(held) && call.is_right_on(serial) ? 7 : 1;
                }) == 7);
        REQUIRE(call.is_right_on(pool));
      }
    }
  }
}

TEST_CASE("the end of a pool in a child of fork waits for no thread") {
  for (const unsigned threads : {1U, 4U}) {
    CAPTURE(threads);
    auto pool = std::make_unique<thread_pool>(threads);
    pool->operator()(100, [](std::size_t) {});
    REQUIRE(status_of_child([&] {
              pool.reset();
              return 7;
            }) == 7);
    // The parent's is as it was.
    std::atomic<int> count{0};
    pool->operator()(100, [&](std::size_t) { ++count; });
    REQUIRE(count == 100);
  }
}

// As a program's own pool that lives until it ends.
TEST_CASE("a child of fork may end by exit, with a static pool") {
  static thread_pool pool{4};
  pool(100, [](std::size_t) {});
  std::fflush(nullptr);  // or the child would print once more what is not printed yet
  REQUIRE(status_of_child([]() -> int {
            pool(100, [](std::size_t) {});
            std::exit(7);
          }) == 7);
}

TEST_CASE("a child of fork may make pools of its own") {
  call_in_parts call;
  thread_pool pool{4};
  REQUIRE(call.is_right_on(pool));
  REQUIRE(status_of_child([&] {
            thread_pool own{4};
            bool is_right = call.is_right_on(own) && call.is_right_on(pool);
            // A child of a child.
            const pid_t inner = fork();
            if (inner == 0) {
              thread_pool third{3};
              _exit(call.is_right_on(third) && call.is_right_on(own) && call.is_right_on(pool) ? 7 : 1);
            }
            int status = 0;
            waitpid(inner, &status, 0);
            is_right = is_right && WIFEXITED(status) && WEXITSTATUS(status) == 7;
            return is_right && own.concurrency() == 4 && call.is_right_on(own) ? 7 : 1;
          }) == 7);
}

TEST_CASE("a child that is forked while another thread calls the pool may use it, and end it") {
  call_in_parts call;
  for (int times = 0; times < 50; ++times) {
    auto pool = std::make_unique<thread_pool>(3U);
    std::atomic<bool> stops{false};
    std::thread other([&] {
      while (!stops) pool->operator()(64, [](std::size_t) {});
    });
    for (int forks = 0; forks < 4; ++forks) {
      const int outcome = status_of_child([&] {
        const bool is_right = call.is_right_on(*pool);
        pool.reset();
        return is_right ? 7 : 1;
      });
      CHECK(outcome == 7);
    }
    stops = true;
    other.join();
  }
}

#else
TEST_CASE("a child of fork may use the pool of its parent, which runs all on one thread there") {
  WARN("not tested: ThreadSanitizer does not follow children of programs with threads");
}
#endif

}  // namespace
}  // namespace strew::test
