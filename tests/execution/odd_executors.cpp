// SPDX-License-Identifier: Apache-2.0
// Every operator on executors that fail or that are unusual: they throw before, between and after their bodies, run
// them backwards, in any order, on twice as many threads as they state, one at a time on a thread each, on fibres that
// take turns, or call strew themselves.
#include "support/catch.hpp"
#include "support/kernel_limits.hpp"
#include "support/listed_calls.hpp"
#include "support/random_source.hpp"

#include <strew/heap_workspace.hpp>
#include <strew/strew.hpp>
#include <strew/threads.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <span>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

// Sanitizers lose track of stacks that change, and other C libraries have no contexts.
#if !defined(__GLIBC__) || defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define HAS_FIBRES 0
#elif defined(__has_feature)
#define HAS_FIBRES (!__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer))
#else
#define HAS_FIBRES 1
#endif
#if HAS_FIBRES
#include <ucontext.h>
#endif

namespace strew::test {
namespace {

struct executor_failed : std::runtime_error {
  executor_failed() : std::runtime_error("no thread") {}
};

// Any order of bodies, and an exception after some of them in one of its calls.
struct odd_executor {
  std::function<void(std::size_t n, const task& body)> run;
  std::size_t threads = 3;

  void operator()(std::size_t n, const task& body) const { run(n, body); }
};

}  // namespace
}  // namespace strew::test

template <>
struct strew::executor_traits<strew::test::odd_executor> {
  static std::size_t concurrency(const strew::test::odd_executor& ex) noexcept { return ex.threads; }
  static std::span<std::byte> memory(const strew::test::odd_executor&) noexcept { return {}; }
};

namespace strew::test {
namespace {

struct int_tensors {
  std::vector<int> data;
  std::vector<int> updates;
  std::vector<int> output;

  explicit int_tensors(const listed_call& of) {
    for (std::size_t k = 0; k < of.data_size(); ++k) {
      data.push_back(static_cast<int>(k));
      output.push_back(-1 - static_cast<int>(k));
    }
    for (std::size_t k = 0; k < of.updates_size(); ++k) updates.push_back(1'000'000 + static_cast<int>(k));
  }
  [[nodiscard]] listed_tensors<int> operands() { return {data.data(), updates.data(), output.data()}; }
  [[nodiscard]] const std::vector<int>& written(output_kind where) const {
    return where == output_kind::other ? output : data;
  }
  [[nodiscard]] const std::vector<int>& unwritten(output_kind where) const {
    return where == output_kind::other ? data : output;
  }
};

template <class Calls>
auto listed_histories(const listed_call& of, output_kind where) {
  const int_tensors before(of);
  return strew::test::listed_histories(of, before.written(where), before.data, before.updates, [](int a, int b) {
    return Calls::how == matrix::combining::none
               ? b
               : static_cast<int>(static_cast<unsigned>(a) + static_cast<unsigned>(b));
  });
}

// The kinds of memory that a call may use beside the stack, around an executor.
enum class memory_kind { none, lent, heap };
constexpr memory_kind all_memory_kinds[] = {memory_kind::none, memory_kind::lent, memory_kind::heap};

template <class Calls>
status run_on(listed_form form, const listed_call& of, odd_executor& ex, memory_kind memory, int_tensors& on,
              output_kind where) {
  if (memory == memory_kind::none) {
    return run_listed<Calls>(form, of, ex, on.operands(), where, reduction::sum);
  }
  if (memory == memory_kind::lent) {
    std::vector<std::byte> bytes(20'000);
    const workspace lent{bytes, ex};
    return run_listed<Calls>(form, of, lent, on.operands(), where, reduction::sum);
  }
  heap_workspace held{ex, 100'000};
  return run_listed<Calls>(form, of, held, on.operands(), where, reduction::sum);
}

// Calls body(form, memory, where) for each way to make a call.
template <class Body>
void for_each_way(const Body& body) {
  for (const listed_form form : all_listed_forms) {
    for (const memory_kind memory : all_memory_kinds) {
      for (const output_kind where : all_output_kinds) {
        if (where == output_kind::left_out && form != listed_form::attempted) continue;
        CAPTURE(form, memory, where);
        body(form, memory, where);
      }
    }
  }
}

// Settings of kernels, so that small calls are cut into parts: as programs do where tensors are large; every table of
// kernels at its smallest; with buckets.
void set_thresholds(int which) {
  tuning::set_by_tests = which == 2 ? limits_of_buckets() : limits_of_small_parts();
  if (which == 1) tuning::set_by_tests.streamed_from = 1;
}

std::int64_t exceptions = 0;

// Every call of the executor in turn fails after each number of its bodies.
template <class Calls>
void fail_everywhere(listed_form form, const listed_call& of, memory_kind memory, output_kind where) {
  const auto histories = listed_histories<Calls>(of, where);
  const std::vector<int> expected = last_values(histories);
  const int_tensors before(of);
  // The number of bodies of each call, and the first call that writes.
  std::vector<std::size_t> bodies;
  std::size_t first_writing = 0;
  {
    int_tensors on(of);
    odd_executor ex{[&](std::size_t n, const task& body) {
      for (std::size_t i = 0; i < n; ++i) body(i);
      bodies.push_back(n);
      if (on.written(where) == before.written(where)) first_writing = bodies.size();
    }};
    REQUIRE(run_on<Calls>(form, of, ex, memory, on, where).ok());
    REQUIRE(on.written(where) == expected);
  }
  for (std::size_t failing = 0; failing < bodies.size(); ++failing) {
    for (std::size_t count = 0; count <= bodies[failing]; ++count) {
      const bool backwards = (count + failing) % 2 == 1;
      CAPTURE(failing, count, backwards);
      int_tensors on(of);
      std::size_t calls = 0;
      odd_executor ex{[&](std::size_t n, const task& body) {
        const bool fails = calls++ == failing;
        const std::size_t run = fails ? std::min(n, count) : n;
        for (std::size_t i = 0; i < run; ++i) body(backwards ? n - 1 - i : i);
        if (fails) throw executor_failed();
      }};
      bool was_thrown = false;
      try {
        static_cast<void>(run_on<Calls>(form, of, ex, memory, on, where));
      } catch (const executor_failed&) {
        was_thrown = true;
        ++exceptions;
      }
      REQUIRE(was_thrown);
      REQUIRE(calls == failing + 1);
      REQUIRE(on.unwritten(where) == before.unwritten(where));
      REQUIRE(on.updates == before.updates);
      const std::vector<int>& after = on.written(where);
      if (failing < first_writing) REQUIRE(after == before.written(where));
      // Parts are computed or not. Diagonals and runs of positions are written once all of data is copied.
      const bool is_copied_first = of.listed().by == places::diagonal || of.listed().by == places::starts;
      std::size_t odd = 0;
      for (std::size_t k = 0; k < after.size(); ++k) {
        const std::vector<int>& history = histories[k];
        const bool is_whole = after[k] == history.front() || after[k] == history.back();
        odd += !is_whole && !(is_copied_first && after[k] == before.data[k]) ? 1U : 0U;
      }
      REQUIRE(odd == 0);
    }
  }
}

TEST_CASE("every operator on an executor that throws in any call after any body leaves elements old or new") {
  const limits_for_test limits;
  exceptions = 0;
  for (const int thresholds : {0, 2}) {
    set_thresholds(thresholds);
    for_each_listed([&]<class Calls>(std::size_t row) {
      CAPTURE(matrix::operators[row].name, thresholds);
      const listed_call of = make_listed_call(row, {24, 6, 18});
      for_each_way([&](listed_form form, memory_kind memory, output_kind where) {
        fail_everywhere<Calls>(form, of, memory, where);
      });
    });
  }
  std::printf("executors that throw: %lld exceptions\n", static_cast<long long>(exceptions));
  CHECK(exceptions > 5'000);
}

// ---- Executors that do not fail

void on_twice_the_threads(std::size_t n, const task& body) {
  constexpr std::size_t count = 6;  // of an executor that states three
  std::atomic<std::size_t> next{0};
  std::vector<std::thread> threads;
  for (std::size_t k = 0; k < count; ++k) {
    threads.emplace_back([&] {
      for (std::size_t i = next++; i < n; i = next++) body(i);
    });
  }
  for (std::thread& thread : threads) thread.join();
}
void on_a_thread_each(std::size_t n, const task& body) {
  for (std::size_t i = 0; i < n; ++i) std::thread([&] { body(i); }).join();
}
void backwards(std::size_t n, const task& body) {
  while (n-- > 0) body(n);
}
void in_any_order(std::size_t n, const task& body) {
  random_source random(n);
  std::vector<std::size_t> order(n);
  for (std::size_t i = 0; i < n; ++i) {
    const auto at = static_cast<std::size_t>(random.between(0, static_cast<std::int64_t>(i)));
    order[i] = order[at];
    order[at] = i;
  }
  for (const std::size_t i : order) body(i);
}
// Calls strew before, between and after its bodies.
void around_calls_of_strew(std::size_t n, const task& body) {
  const auto call = [] {
    int data[6] = {};
    const int updates[3] = {1, 2, 3};
    const std::int64_t indices[3] = {5, 0, 5};
    scatter_add(tensor_view<int>{data, {6}}, 0, tensor_view<const std::int64_t>{indices, {3}},
                tensor_view<const int>{updates, {3}});
    REQUIRE((data[0] == 2 && data[5] == 4));
  };
  call();
  for (std::size_t i = 0; i < n; ++i) {
    body(i);
    call();
  }
}

#if HAS_FIBRES
// Runs its bodies on fibres of one thread, each on a stack of its own; pause() passes on to the next fibre.
class fibres {
 public:
  static void run(std::size_t n, const task& body) {
    fibres all(n, body);
    fibres* const outer = std::exchange(current, &all);
    all.run_all();
    current = outer;
  }
  static void pause() {
    if (current == nullptr || current->turn_ == nobody) return;
    ++pauses;
    one& from = current->fibres_[current->turn_];
    swapcontext(&from.context, &current->caller_);
  }
  static inline std::int64_t pauses = 0;

 private:
  static constexpr std::size_t stack_size = std::size_t{256} << 10;
  static constexpr std::size_t nobody = static_cast<std::size_t>(-1);
  struct one {
    ucontext_t context;
    std::unique_ptr<char[]> stack;
    bool has_ended = false;
  };

  fibres(std::size_t n, const task& body) : body_(body), fibres_(n) {}

  void run_all() {
    for (std::size_t i = 0; i < fibres_.size(); ++i) {
      one& each = fibres_[i];
      each.stack.reset(new char[stack_size]);
      getcontext(&each.context);
      each.context.uc_stack.ss_sp = each.stack.get();
      each.context.uc_stack.ss_size = stack_size;
      each.context.uc_link = &caller_;
      makecontext(&each.context, &fibres::enter, 0);
    }
    for (std::size_t left = fibres_.size(); left > 0;) {
      for (std::size_t i = 0; i < fibres_.size(); ++i) {
        if (fibres_[i].has_ended) continue;
        turn_ = i;
        swapcontext(&caller_, &fibres_[i].context);
        turn_ = nobody;
        if (fibres_[i].has_ended) --left;
      }
    }
  }
  static void enter() {
    fibres* const all = current;
    const std::size_t i = all->turn_;
    all->body_(i);
    all->fibres_[i].has_ended = true;
  }

  static inline fibres* current = nullptr;
  task body_;
  std::vector<one> fibres_;
  ucontext_t caller_{};
  std::size_t turn_ = nobody;
};

// A sum that passes on to another fibre in the middle of a part.
struct pausing_sum {
  int operator()(const int& current, const int& update) const noexcept {
    fibres::pause();
    return static_cast<int>(static_cast<unsigned>(current) + static_cast<unsigned>(update));
  }
};
// An element whose assignment does so.
struct pausing_element {
  int value = 0;

  pausing_element() = default;
  explicit pausing_element(int from) : value(from) {}
  pausing_element(const pausing_element&) = default;
  pausing_element& operator=(const pausing_element& other) noexcept {
    const int got = other.value;
    fibres::pause();
    value = got;
    return *this;
  }
  ~pausing_element() = default;
};
#endif

struct named_run {
  const char* name;
  void (*run)(std::size_t n, const task& body);
};

TEST_CASE("every operator on executors of any order and of any number of threads equals naive loops") {
  std::vector<named_run> all{{"backwards", backwards},
                             {"in any order", in_any_order},
                             {"on twice the threads", on_twice_the_threads},
                             {"on a thread each", on_a_thread_each},
                             {"around calls of strew", around_calls_of_strew}};
#if HAS_FIBRES
  all.push_back({"on fibres", fibres::run});
#else
  WARN("not tested: fibres, which sanitizers do not follow and some C libraries lack");
#endif
  // Helgrind takes a hundred times as long.
  const bool is_slow = std::getenv("STREW_TEST_UNDER_VALGRIND") != nullptr;
  if (is_slow) WARN("every eleventh way to make a call is tested");
  const limits_for_test limits;
  std::int64_t ways = 0;
  std::int64_t calls = 0;
  std::int64_t bodies = 0;
  for (const named_run& each : all) {
    for (const int thresholds : {0, 1, 2}) {
      set_thresholds(thresholds);
      for_each_listed([&]<class Calls>(std::size_t row) {
        CAPTURE(matrix::operators[row].name, each.name, thresholds);
        const listed_call of = make_listed_call(row, {24, 6, 18});
        for_each_way([&](listed_form form, memory_kind memory, output_kind where) {
          if (is_slow && ways++ % 11 != 0) return;
          int_tensors on(of);
          const int_tensors before(of);
          odd_executor ex{[&](std::size_t n, const task& body) {
            ++calls;
            bodies += static_cast<std::int64_t>(n);
            each.run(n, body);
          }};
          REQUIRE(run_on<Calls>(form, of, ex, memory, on, where).ok());
          REQUIRE(on.written(where) == last_values(listed_histories<Calls>(of, where)));
          REQUIRE(on.unwritten(where) == before.unwritten(where));
        });
      });
    }
  }
  std::printf("executors of any order: %lld calls with %lld bodies\n", static_cast<long long>(calls),
              static_cast<long long>(bodies));
  CHECK(bodies > (is_slow ? 1'500 : 20'000));
}

#if HAS_FIBRES
TEST_CASE("parts of a call may take turns on one thread, in the middle of their updates") {
  const limits_for_test limits;
  for (const int thresholds : {0, 2}) {
    set_thresholds(thresholds);
    for_each_listed([&]<class Calls>(std::size_t row) {
      CAPTURE(matrix::operators[row].name, thresholds);
      const listed_call of = make_listed_call(row, {24, 6, 18});
      const auto expected = last_values(listed_histories<Calls>(of, output_kind::other));
      fibres::pauses = 0;
      odd_executor ex{fibres::run};
      if constexpr (Calls::how == matrix::combining::named) {
        for (const listed_form form : all_listed_forms) {
          int_tensors on(of);
          REQUIRE(run_listed<Calls>(form, of, ex, on.operands(), output_kind::other, pausing_sum{}).ok());
          REQUIRE(on.output == expected);
        }
        CHECK(fibres::pauses > 0);
      } else if constexpr (Calls::how == matrix::combining::none) {
        const int_tensors before(of);
        for (const listed_form form : all_listed_forms) {
          std::vector<pausing_element> data(before.data.begin(), before.data.end());
          std::vector<pausing_element> updates(before.updates.begin(), before.updates.end());
          std::vector<pausing_element> output(before.output.begin(), before.output.end());
          const listed_tensors<pausing_element> on{data.data(), updates.data(), output.data()};
          REQUIRE(run_listed<Calls>(form, of, ex, on, output_kind::other, unnamed{}).ok());
          for (std::size_t k = 0; k < output.size(); ++k) REQUIRE(output[k].value == expected[k]);
        }
        CHECK(fibres::pauses > 0);
      }
    });
  }
}
#endif

}  // namespace
}  // namespace strew::test
