// SPDX-License-Identifier: Apache-2.0
// Elements and callables that throw at their n-th step, for every n, in every operator and form of a call: the
// exception reaches the caller, inputs stay as they are, nothing leaks, and each element of the output has its old
// value, data's, or the result of some of its updates, from the first one on. And callables and elements that call
// strew themselves.
#include "support/catch.hpp"
#include "support/listed_calls.hpp"

#include <strew/heap_workspace.hpp>
#include <strew/strew.hpp>
#include <strew/threads.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace strew::test {
namespace {

struct step_failed : std::runtime_error {
  step_failed() : std::runtime_error("no step") {}
};

// Counts steps down and throws at the last one.
class countdown {
 public:
  void start(std::int64_t steps) {
    left_ = steps;
    taken_ = 0;
  }
  void step() {
    ++taken_;
    if (left_-- == 0) throw step_failed();
  }
  void stop() { left_ = never; }
  [[nodiscard]] std::int64_t taken() const { return taken_; }

 private:
  static constexpr std::int64_t never = std::int64_t{1} << 60;
  std::int64_t left_ = never;
  std::int64_t taken_ = 0;
};
countdown fault;

// Owns memory, knows how many of its kind live, and throws from copies, sums and comparisons.
class fragile {
 public:
  static inline std::int64_t living = 0;

  fragile() : fragile(0) {}
  explicit fragile(int value) : value_(std::make_unique<int>(value)) { ++living; }
  fragile(const fragile& other) : value_(copy(other)) { ++living; }
  fragile(fragile&& other) noexcept : value_(std::move(other.value_)) { ++living; }
  fragile& operator=(const fragile& other) {
    value_ = copy(other);
    return *this;
  }
  fragile& operator=(fragile&&) = delete;
  ~fragile() { --living; }

  friend fragile operator+(const fragile& a, const fragile& b) {
    fault.step();
    return fragile(a.value() + b.value());
  }
  friend bool operator<(const fragile& a, const fragile& b) {
    fault.step();
    return a.value() < b.value();
  }
  [[nodiscard]] int value() const { return value_ == nullptr ? -1 : *value_; }  // -1: moved from

 private:
  static std::unique_ptr<int> copy(const fragile& other) {
    fault.step();
    return std::make_unique<int>(*other.value_);
  }
  std::unique_ptr<int> value_;
};

// Copies never throw, sums and comparisons do.
class fragile_number {
 public:
  fragile_number() = default;
  explicit fragile_number(int value) noexcept : value_(value) {}
  fragile_number(const fragile_number&) noexcept = default;
  fragile_number& operator=(const fragile_number& other) noexcept {
    value_ = other.value_;
    return *this;
  }
  ~fragile_number() = default;

  friend fragile_number operator+(const fragile_number& a, const fragile_number& b) {
    fault.step();
    return fragile_number(a.value_ + b.value_);
  }
  friend bool operator<(const fragile_number& a, const fragile_number& b) {
    fault.step();
    return a.value_ < b.value_;
  }
  [[nodiscard]] int value() const { return value_; }

 private:
  int value_ = 0;
};

template <class T>
std::vector<int> values_of(const std::vector<T>& elements) {
  std::vector<int> result;
  for (const T& element : elements) result.push_back(element.value());
  return result;
}
std::vector<int> values_of(const std::vector<int>& elements) {
  return elements;
}
template <class T>
std::vector<T> elements_of(const std::vector<int>& values) {
  std::vector<T> result;
  result.reserve(values.size());
  for (const int value : values) result.emplace_back(value);
  return result;
}

struct plain_values {
  std::vector<int> data;
  std::vector<int> updates;
  std::vector<int> output;
};
plain_values values_for(const listed_call& of) {
  plain_values result;
  for (std::size_t k = 0; k < of.data_size(); ++k) {
    result.data.push_back(static_cast<int>(k % 50));
    result.output.push_back(-5000 - static_cast<int>(k));
  }
  for (std::size_t k = 0; k < of.updates_size(); ++k) result.updates.push_back(static_cast<int>(k * 37 % 101));
  return result;
}

// What is counted over all tests of this program.
std::int64_t faults = 0;

// Makes the call with a failure at every step, then without one.
template <class Calls, class T, class Ex, class R, class Combine>
void fail_at_every_step(listed_form form, output_kind where, const listed_call& of, Ex& ex, const R& reduce,
                        const Combine& combine) {
  const plain_values before = values_for(of);
  const bool in_place = where != output_kind::other;
  const auto histories =
      listed_histories(of, in_place ? before.data : before.output, before.data, before.updates, combine);
  for (std::int64_t n = 0;; ++n) {
    CAPTURE(n);
    auto data = elements_of<T>(before.data);
    auto output = elements_of<T>(before.output);
    const auto updates = elements_of<T>(before.updates);
    const std::int64_t living = fragile::living;
    bool has_failed = false;
    status outcome;
    const listed_tensors<T> on{data.data(), updates.data(), output.data()};
    fault.start(n);
    try {
      outcome = run_listed<Calls>(form, of, ex, on, where, reduce);
    } catch (const step_failed&) {
      has_failed = true;
    }
    fault.stop();
    REQUIRE(outcome.ok());
    REQUIRE(fragile::living == living);
    REQUIRE(values_of(updates) == before.updates);
    if (in_place) {
      REQUIRE(values_of(output) == before.output);
    } else {
      REQUIRE(values_of(data) == before.data);
    }
    const std::vector<int> after = values_of(in_place ? data : output);
    std::size_t odd = 0;
    for (std::size_t k = 0; k < after.size(); ++k) {
      odd += std::count(histories[k].begin(), histories[k].end(), after[k]) == 0 ? 1U : 0U;
    }
    REQUIRE(odd == 0);
    if (has_failed) {
      ++faults;
      continue;
    }
    REQUIRE(after == last_values(histories));
    REQUIRE(n >= static_cast<std::int64_t>(of.updates_size()));  // each update had its failure
    break;
  }
}

// An executor that no call of such elements may use.
struct unused_executor {
  int calls = 0;
  void operator()(std::size_t n, const task& body) {
    ++calls;
    for (std::size_t i = 0; i < n; ++i) body(i);
  }
};

// In every form, on executors without threads, with some, and with memory.
template <class Calls, class T, class R, class Combine>
void fail_in_every_form(std::size_t row, const R& reduce, const Combine& combine) {
  INFO(matrix::operators[row].name);
  const listed_call of = make_listed_call(row, {5, 4, 4});
  const auto on = [&](auto& ex) {
    for (const output_kind where : all_output_kinds) {
      for (const listed_form form : all_listed_forms) {
        if (where == output_kind::left_out && form != listed_form::attempted) continue;
        CAPTURE(where, form);
        fail_at_every_step<Calls, T>(form, where, of, ex, reduce, combine);
      }
    }
  };
  on(serial);
  static thread_pool pool{4};
  std::vector<std::byte> memory(2000);
  const workspace lent{memory, pool};
  on(lent);
  heap_workspace held{pool};
  on(held);
  unused_executor unused;
  on(unused);
  CHECK(unused.calls == 0);
}

constexpr auto replace = [](int, int update) { return update; };
constexpr auto add = [](int current, int update) { return current + update; };
constexpr auto take_larger = [](int current, int update) { return current < update ? update : current; };

TEST_CASE("elements that throw at any step leave each element of the output after some of its updates") {
  faults = 0;
  for_each_listed([]<class Calls>(std::size_t row) {
    if constexpr (Calls::how == matrix::combining::none) {
      fail_in_every_form<Calls, fragile>(row, unnamed{}, replace);
    } else {
      fail_in_every_form<Calls, fragile>(row, reduction::sum, add);
    }
  });
  std::printf("elements that throw: %lld failures\n", static_cast<long long>(faults));
  CHECK(faults > 10'000);
}

TEST_CASE("elements whose sums throw, and copies do not, are reduced on the caller's thread") {
  for_each_listed([]<class Calls>(std::size_t row) {
    if constexpr (Calls::how != matrix::combining::none) {
      fail_in_every_form<Calls, fragile_number>(row, reduction::sum, add);
    }
  });
}

TEST_CASE("elements whose comparison throws leave each element after some of its updates") {
  for_each_listed([]<class Calls>(std::size_t row) {
    if constexpr (Calls::how == matrix::combining::named &&
                  matrix::offers(Calls::drawn_as, reduction_kind::max, true)) {
      fail_in_every_form<Calls, fragile>(row, reduction::max, take_larger);
      fail_in_every_form<Calls, fragile_number>(row, reduction::max, take_larger);
    }
  });
}

// Of elements that are copied as bytes otherwise. A type that a prepared call can keep: it has a default constructor
// and can be assigned, which no lambda with captures can.
struct larger_at_a_step {
  int operator()(const int& current, const int& update) const {
    fault.step();
    return current < update ? update : current;
  }
};

TEST_CASE("callables that throw at any step leave each element of the output after some of its updates") {
  faults = 0;
  const larger_at_a_step larger;
  for_each_listed([&]<class Calls>(std::size_t row) {
    if constexpr (Calls::how == matrix::combining::named) {
      fail_in_every_form<Calls, int>(row, larger, take_larger);
    }
  });
  std::printf("callables that throw: %lld failures\n", static_cast<long long>(faults));
  CHECK(faults > 2'000);
}

// ---- Calls within calls

// Calls several operators, with everything a call may use, and returns a sum of what they wrote: always the same.
int call_strew(thread_pool& pool) {
  int data[12] = {};
  const int updates[12] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
  const std::int64_t rows[4] = {2, 0, 2, 1};
  const tensor_view<int> to{data, {3, 4}};
  const tensor_view<const int> from{updates, {3, 4}};
  index_add(pool, to, 0, tensor_view<const std::int64_t>{rows, {3}}, from);
  std::byte memory[256];
  const workspace lent{memory, pool};
  index_reduce(lent, to, 0, tensor_view<const std::int64_t>{rows + 1, {3}}, from, reduction::mean);
  heap_workspace held{pool};
  scatter_elements_update(held, to, tensor_view<const std::int64_t>{rows, {1, 4}},
                          tensor_view<const int>{updates, {1, 4}}, 0);
  slice_scatter(to, from, {.step = -1, .axes = 0});
  int sum = 0;
  for (const int value : data) sum = 3 * sum + value;
  return sum;
}

struct calls_inside {
  thread_pool* pool = nullptr;
  int expected = 0;
  std::atomic<int> wrong{0};
  std::atomic<int> calls{0};
};

template <bool IsNoexcept>
struct calling_sum {
  calls_inside* inside = nullptr;

  int operator()(const int& current, const int& update) const noexcept(IsNoexcept) {
    if (call_strew(*inside->pool) != inside->expected) ++inside->wrong;
    ++inside->calls;
    return current + update;
  }
};

TEST_CASE("callables may call strew, on the executor that runs them too") {
  thread_pool pool{4};
  calls_inside inside;
  inside.pool = &pool;
  inside.expected = call_strew(pool);
  const calling_sum<true> on_any_thread{&inside};
  const calling_sum<false> on_this_thread{&inside};
  for_each_listed([&]<class Calls>(std::size_t row) {
    if constexpr (Calls::how == matrix::combining::named) {
      INFO(matrix::operators[row].name);
      const listed_call of = make_listed_call(row, {13, 6, 9});
      const plain_values before = values_for(of);
      const auto check = [&](auto& ex, const auto& callable) {
        for (const output_kind where : all_output_kinds) {
          for (const listed_form form : all_listed_forms) {
            if (where == output_kind::left_out && form != listed_form::attempted) continue;
            const bool in_place = where != output_kind::other;
            plain_values on = before;
            inside.calls = 0;
            const status outcome = run_listed<Calls>(
                form, of, ex, listed_tensors<int>{on.data.data(), on.updates.data(), on.output.data()}, where,
                callable);
            REQUIRE(outcome.ok());
            REQUIRE(static_cast<std::size_t>(inside.calls) == of.targets.size());
            REQUIRE((in_place ? on.data : on.output) ==
                    last_values(listed_histories(of, before.output, before.data, before.updates, add)));
          }
        }
      };
      std::vector<std::byte> memory(2000);
      const workspace lent{memory, pool};
      check(serial, on_this_thread);
      check(pool, on_this_thread);
      check(serial, on_any_thread);
      check(pool, on_any_thread);
      check(lent, on_any_thread);
    }
  });
  CHECK(inside.wrong == 0);
}

// An element whose assignment calls strew; on threads too, since it throws nothing.
struct calling_element {
  static inline thread_pool* pool = nullptr;
  static inline std::atomic<std::int64_t> sums{0};
  int value = 0;

  calling_element() = default;
  explicit calling_element(int from) : value(from) {}
  calling_element(const calling_element&) = default;
  calling_element& operator=(const calling_element& other) noexcept {
    sums += call_strew(*pool);
    value = other.value;
    return *this;
  }
  ~calling_element() = default;
};

TEST_CASE("assignments of elements may call strew, on the executor that runs them too") {
  thread_pool pool{4};
  calling_element::pool = &pool;
  const std::int64_t expected_inside = call_strew(pool);
  for_each_listed([&]<class Calls>(std::size_t row) {
    if constexpr (Calls::how == matrix::combining::none) {
      INFO(matrix::operators[row].name);
      const listed_call of = make_listed_call(row, {13, 6, 9});
      const plain_values before = values_for(of);
      auto data = elements_of<calling_element>(before.data);
      auto output = elements_of<calling_element>(before.output);
      const auto updates = elements_of<calling_element>(before.updates);
      calling_element::sums = 0;
      const listed_tensors<calling_element> on{data.data(), updates.data(), output.data()};
      REQUIRE(run_listed<Calls>(listed_form::attempted, of, pool, on, output_kind::other, unnamed{}).ok());
      std::vector<int> after;
      for (const calling_element& element : output) after.push_back(element.value);
      CHECK(after == last_values(listed_histories(of, before.output, before.data, before.updates, replace)));
      CHECK(calling_element::sums % expected_inside == 0);
      CHECK(calling_element::sums / expected_inside >= static_cast<std::int64_t>(of.data_size()));
    }
  });
}

}  // namespace
}  // namespace strew::test
