// SPDX-License-Identifier: Apache-2.0
// How much stack operators use: every one runs in every form on a thread whose stack is filled with a pattern, and the
// deepest byte that was overwritten is found afterwards. STREW_STACK_CASES is how many settings of the thresholds that
// choose a kernel are drawn for each operator.
#include "support/catch.hpp"
#include "support/kernel_limits.hpp"
#include "support/listed_calls.hpp"
#include "support/random_source.hpp"

#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include <strew/dynamic.hpp>
#include <strew/heap_workspace.hpp>
#include <strew/strew.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <functional>
#include <span>
#include <vector>

// Sanitizers put variables on stacks of their own, and need several times as much.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define STACKS_ARE_USUAL 0
#elif defined(__has_feature)
#define STACKS_ARE_USUAL (!__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer))
#else
#define STACKS_ARE_USUAL 1
#endif

namespace strew::test {
namespace {

// A stack of so many bytes, below which no page can be read or written.
class measured_stack {
 public:
  explicit measured_stack(std::size_t bytes) : size_(bytes) {
    page_ = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    void* const memory =
        mmap(nullptr, size_ + page_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
    REQUIRE(memory != MAP_FAILED);
    memory_ = static_cast<unsigned char*>(memory);
    REQUIRE(mprotect(memory_, page_, PROT_NONE) == 0);
  }
  measured_stack(const measured_stack&) = delete;
  measured_stack& operator=(const measured_stack&) = delete;
  ~measured_stack() { munmap(memory_, size_ + page_); }

  // Runs the function on a thread with this stack, and returns how many bytes of it were used, those of the thread
  // library included.
  std::size_t bytes_used_by(const std::function<void()>& body) {
    unsigned char* const begin = memory_ + page_;
    std::memset(begin, pattern, size_);
    pthread_attr_t attributes;
    REQUIRE(pthread_attr_init(&attributes) == 0);
    REQUIRE(pthread_attr_setstack(&attributes, begin, size_) == 0);
    const auto enter = [](void* object) -> void* {
      (*static_cast<const std::function<void()>*>(object))();
      return nullptr;
    };
    pthread_t thread{};
    REQUIRE(pthread_create(&thread, &attributes, enter, const_cast<std::function<void()>*>(&body)) == 0);
    REQUIRE(pthread_join(thread, nullptr) == 0);
    pthread_attr_destroy(&attributes);
    std::size_t unused = 0;
    while (unused < size_ && begin[unused] == pattern) ++unused;
    return size_ - unused;
  }

 private:
  static constexpr unsigned char pattern = 0xa7;
  std::size_t size_;
  std::size_t page_ = 0;
  unsigned char* memory_ = nullptr;
};

// Runs parts on the thread that calls, so that their stack is seen as well.
struct three_parts {
  void operator()(std::size_t n, const task& body) const noexcept {
    for (std::size_t i = 0; i < n; ++i) body(i);
  }
};

template <class T>
struct number_tensors {
  std::vector<T> data;
  std::vector<T> updates;
  std::vector<T> output;

  explicit number_tensors(const listed_call& of)
      : data(of.data_size(), T(1)), updates(of.updates_size(), T(2)), output(of.data_size(), T(3)) {}
  [[nodiscard]] listed_tensors<T> operands() { return {data.data(), updates.data(), output.data()}; }
};

struct largest_use {
  std::size_t bytes = 0;
  const char* name = "";
};

// Every form of one operator, with one type of elements and one reduction.
template <class Calls, class T, class R>
void run_every_form(std::size_t row, const call_size& size, index_order order, const R& reduce, bool& all_right) {
  const listed_call of = make_listed_call(row, size, order);
  number_tensors<T> on(of);
  std::vector<std::byte> kept;
  std::vector<std::byte> memory(5000);
  const auto prepared = prepare_listed<Calls, T>(of, on.updates[0], reduce);
  const auto on_executor = [&](auto& ex) {
    for (const output_kind where : {output_kind::other, output_kind::data}) {
      all_right = all_right && call_listed<Calls>(listed_form::attempted, of, ex, on.operands(), where, reduce).ok();
      all_right = all_right && call_listed<Calls>(listed_form::throwing, of, ex, on.operands(), where, reduce).ok();
      for (const bool is_bound : {false, true}) {
        all_right =
            all_right && run_prepared_listed<Calls>(is_bound, prepared, of, ex, on.operands(), where, kept).ok();
      }
    }
  };
  on_executor(serial);
  const three_parts parts;
  on_executor(parts);
  const workspace lent{memory, parts};
  on_executor(lent);
  heap_workspace held{parts, std::size_t{1} << 16};
  on_executor(held);
}

template <class Calls>
void run_operator(std::size_t row, const call_size& size, index_order order, bool& all_right) {
  if constexpr (Calls::how == matrix::combining::named) {
    run_every_form<Calls, std::int8_t>(row, size, order, reduction::sum, all_right);
    if constexpr (matrix::offers(Calls::drawn_as, reduction_kind::mean, false)) {
      run_every_form<Calls, std::int64_t>(row, size, order, reduction::without_init(reduction::mean), all_right);
    }
  } else {
    run_every_form<Calls, float>(row, size, order, unnamed{}, all_right);
  }
}

#if STACKS_ARE_USUAL
// What docs/site/pages/executors.md states: the use of a call, and a stack with which a thread can make every call.
constexpr std::size_t promised = std::size_t{96} << 10;
constexpr std::size_t promised_with_thread = std::size_t{128} << 10;

const call_size measured_sizes[] = {{6, 5, 4}, {300, 70, 300}, {5000, 4, 5000}, {40, 400, 30}};

TEST_CASE("operators use no more stack than the documents state") {
  limits_for_test limits;
  measured_stack stack(std::size_t{256} << 10);
  const std::size_t of_threads = stack.bytes_used_by([] {});
  const auto draws = number_from("STREW_STACK_CASES", 3);
  largest_use largest;
  largest_use smallest_calls;
  std::int64_t runs = 0;
  for_each_listed([&]<class Calls>(std::size_t row) {
    for (std::uint64_t draw = 0; draw < draws; ++draw) {
      random_source random(draw + 1000 * row);
      tuning::set_by_tests = {};
      if (draw == 1) tuning::set_by_tests = limits_of_small_parts();
      if (draw == 2) tuning::set_by_tests = limits_of_buckets();
      if (draw > 2) limits.draw(random, true);
      for (const call_size& size : measured_sizes) {
        for (const index_order order : {index_order::scattered, index_order::ascending}) {
          if (order == index_order::ascending && draw > 0) continue;
          CAPTURE(matrix::operators[row].name, draw, size.rows, size.columns);
          bool all_right = true;
          const std::size_t used =
              stack.bytes_used_by([&] { run_operator<Calls>(row, size, order, all_right); }) - of_threads;
          ++runs;
          REQUIRE(all_right);
          if (used > largest.bytes) largest = {used, matrix::operators[row].name};
          if (size.rows == 6 && draw == 0 && used > smallest_calls.bytes) {
            smallest_calls = {used, matrix::operators[row].name};
          }
        }
      }
    }
  });
  std::printf("largest use of stack: %zu bytes, %s; of calls on a few elements: %zu bytes, %s; %lld threads\n",
              largest.bytes, largest.name, smallest_calls.bytes, smallest_calls.name, static_cast<long long>(runs));
  CHECK(largest.bytes > 0);
  CHECK(largest.bytes <= promised);
  CHECK(largest.bytes + of_threads <= promised_with_thread);
}

TEST_CASE("every call can be made on a thread with the stack that the documents state") {
  measured_stack stack(promised_with_thread);
  for_each_listed([&]<class Calls>(std::size_t row) {
    for (const call_size& size : measured_sizes) {
      CAPTURE(matrix::operators[row].name, size.rows, size.columns);
      bool all_right = true;
      stack.bytes_used_by([&] { run_operator<Calls>(row, size, index_order::scattered, all_right); });
      REQUIRE(all_right);
    }
  });
}
#else
TEST_CASE("operators use no more stack than the documents state") {
  WARN("not tested: sanitizers have stacks of their own, and use more");
}
#endif

}  // namespace
}  // namespace strew::test
