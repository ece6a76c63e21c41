// SPDX-License-Identifier: Apache-2.0
// Executors that throw and elements whose assignment throws: the exception reaches the caller, each element of the
// output is old or new, and the try_ forms are noexcept exactly where nothing can throw.
#include "support/catch.hpp"

#include <strew/strew.hpp>
#include <strew/threads.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace strew::test {
namespace {

struct executor_failed : std::runtime_error {
  executor_failed() : std::runtime_error("no thread") {}
};

// Runs some bodies of one of its calls and throws; all other calls it runs to their end. The bodies that run are the
// last ones, or the first.
struct failing_executor {
  int failing_call = -1;  // none
  std::size_t bodies_before = 0;
  bool backwards = false;
  int calls = 0;
  std::size_t most_bodies = 0;  // of a call that failed

  void operator()(std::size_t n, const task& body) {
    const bool fails = calls++ == failing_call;
    if (fails) most_bodies = n;
    const std::size_t count = fails ? std::min(n, bodies_before) : n;
    for (std::size_t i = 0; i < count; ++i) body(backwards ? n - 1 - i : i);
    if (fails) throw executor_failed();
  }
};

}  // namespace
}  // namespace strew::test

template <>
struct strew::executor_traits<strew::test::failing_executor> {
  static std::size_t concurrency(const strew::test::failing_executor&) noexcept { return 3; }
  static std::span<std::byte> memory(const strew::test::failing_executor&) noexcept { return {}; }
};

namespace strew::test {
namespace {

// The operands of one call, kept with their values.
struct tensors {
  index_list extents;
  std::vector<int> data;
  std::vector<int> output;
};

tensors counting(const index_list& extents) {
  tensors result{extents, {}, {}};
  std::int64_t size = 1;
  for (const std::int64_t extent : extents) size *= extent;
  for (std::int64_t k = 0; k < size; ++k) {
    result.data.push_back(static_cast<int>(k));
    result.output.push_back(static_cast<int>(-1 - k));
  }
  return result;
}

// Makes the call with every call of the executor failing in turn, after some of its bodies. call(ex, in, out) is one
// form of an operator; in place both are one view.
template <class Call>
void check_failing_executor(const tensors& before, bool in_place, const Call& call) {
  const auto run = [&](auto&& ex, tensors& on) {
    const tensor_view data{on.data.data(), on.extents};
    const tensor_view<int> output = in_place ? data : tensor_view{on.output.data(), on.extents};
    call(ex, tensor_view<const int>{data}, output);
  };
  tensors expected = before;
  run(serial, expected);
  const auto written = [&](const tensors& on) -> const std::vector<int>& { return in_place ? on.data : on.output; };
  const auto unwritten = [&](const tensors& on) -> const std::vector<int>& { return in_place ? on.output : on.data; };

  // Which call of the executor writes: the last one alone.
  int calls = 0;
  {
    tensors on = before;
    const auto watch = [&](std::size_t n, const task& body) {
      CHECK(written(on) == written(before));
      ++calls;
      for (std::size_t i = 0; i < n; ++i) body(i);
    };
    run(watch, on);
    CHECK(written(on) == written(expected));
    REQUIRE(calls >= 1);
  }

  for (int failing = 0;; ++failing) {
    std::size_t bodies = 0;
    bool has_failed = false;
    do {
      for (const bool backwards : {false, true}) {
        CAPTURE(failing, bodies, backwards);
        tensors on = before;
        failing_executor ex{failing, bodies, backwards};
        has_failed = false;
        try {
          run(ex, on);
        } catch (const executor_failed&) {
          has_failed = true;
        }
        REQUIRE(unwritten(on) == unwritten(before));
        if (!has_failed) {
          REQUIRE(written(on) == written(expected));
          continue;
        }
        const bool was_check = ex.calls < calls;
        std::size_t old_elements = 0;
        std::size_t odd_elements = 0;
        for (std::size_t k = 0; k < before.data.size(); ++k) {
          const int value = written(on)[k];
          if (value == written(before)[k]) {
            ++old_elements;
          } else if (value != written(expected)[k]) {
            ++odd_elements;
          }
        }
        REQUIRE(odd_elements == 0);
        if (was_check || bodies == 0) REQUIRE(old_elements == before.data.size());
        if (!was_check && bodies >= ex.most_bodies) REQUIRE(written(on) == written(expected));
        if (bodies >= ex.most_bodies) bodies = before.data.size() + 1;  // the last round
      }
      bodies = bodies < 2 ? bodies + 1 : bodies * 2;
    } while (has_failed && bodies <= before.data.size());
    if (!has_failed) {
      CHECK(failing >= calls);
      break;
    }
  }
}

// Both forms of an operator, out of place and in place.
template <class Throwing, class Attempted>
void check_failing_executor(const index_list& extents, const Throwing& throwing, const Attempted& attempted) {
  const tensors before = counting(extents);
  for (const bool in_place : {false, true}) {
    CAPTURE(in_place);
    check_failing_executor(before, in_place, throwing);
    check_failing_executor(before, in_place, [&](auto& ex, const auto& in, const auto& out) {
      const status outcome = attempted(ex, in, out);
      REQUIRE(outcome.ok());
    });
  }
}

std::vector<int> counting_updates(std::int64_t count) {
  std::vector<int> updates(static_cast<std::size_t>(count));
  for (std::size_t k = 0; k < updates.size(); ++k) updates[k] = 1'000'000 + static_cast<int>(k);
  return updates;
}

// Indices without order, with duplicates.
std::vector<std::int64_t> scattered_indices(std::int64_t count, std::int64_t extent) {
  std::vector<std::int64_t> indices;
  for (std::int64_t k = 0; k < count; ++k) indices.push_back(k * k * 7 % extent);
  return indices;
}

TEST_CASE("what an executor throws leaves slice_scatter, each element old or new") {
  const std::vector<int> updates = counting_updates(100);
  for (const slice_spec& slice :
       {slice_spec{.start = 0, .stop = 20, .step = 3}, slice_spec{.start = 4, .stop = 0, .step = -2, .axes = 1}}) {
    const index_list extents{20, 5};
    const tensor_view up{updates.data(), updates_extents(slice_scatter, extents, slice)};
    check_failing_executor(
        extents, [&](auto& ex, auto in, auto out) { slice_scatter(ex, in, up, slice, out); },
        [&](auto& ex, auto in, auto out) { return try_slice_scatter(ex, in, up, slice, out); });
  }
}

TEST_CASE("what an executor throws leaves scatter_update, before the first write or each element old or new") {
  const index_list extents{72, 11};
  const std::vector<int> updates = counting_updates(800);
  const std::vector<std::vector<std::int64_t>> all_indices{
      scattered_indices(72, 72), scattered_indices(9, 72), {1, 3, 5, 7, 9, 11}, {0, 1, 1, 2, 5, 71}};
  for (const auto& indices : all_indices) {
    const auto count = static_cast<std::int64_t>(indices.size());
    const tensor_view at{indices.data(), {count}};
    const tensor_view up{updates.data(), {count, 11}};
    check_failing_executor(
        extents, [&](auto& ex, auto in, auto out) { scatter_update(ex, in, at, up, 0, out); },
        [&](auto& ex, auto in, auto out) { return try_scatter_update(ex, in, at, up, 0, out); });
  }
}

// More rows than are listed on the stack: lists that stay in the output stay within one part.
TEST_CASE("what an executor throws from a scatter of many rows leaves each element old or new") {
  const index_list extents{15'000, 16};
  const std::vector<int> updates = counting_updates(240'000);
  const std::vector<std::int64_t> indices = scattered_indices(15'000, 15'000);
  const tensor_view at{indices.data(), {15'000}};
  const tensor_view up{updates.data(), {15'000, 16}};
  const tensors before = counting(extents);
  check_failing_executor(before, false, [&](auto& ex, auto in, auto out) { scatter_update(ex, in, at, up, 0, out); });
}

TEST_CASE("what an executor throws leaves the scatters of elements, before the first write or each old or new") {
  const index_list extents{72, 11};
  const std::vector<int> updates = counting_updates(792);
  std::vector<std::int64_t> indices = scattered_indices(792, 11);
  const tensor_view at{indices.data(), {72, 11}};
  const tensor_view up{updates.data(), {72, 11}};
  for (const int axis : {0, 1}) {
    check_failing_executor(
        extents, [&](auto& ex, auto in, auto out) { scatter_elements_update(ex, in, at, up, axis, out); },
        [&](auto& ex, auto in, auto out) { return try_scatter_elements_update(ex, in, at, up, axis, out); });
  }
  for (std::size_t k = 0; k < indices.size(); k += 3) indices[k] -= 11;
  for (const int axis : {0, 1}) {
    check_failing_executor(
        extents, [&](auto& ex, auto in, auto out) { onnx::scatter(ex, in, at, up, axis, out); },
        [&](auto& ex, auto in, auto out) { return onnx::try_scatter(ex, in, at, up, axis, out); });
  }
}

TEST_CASE("what an executor throws passes through a workspace around it") {
  std::vector<std::byte> memory(1000);
  const index_list extents{72, 11};
  const std::vector<int> updates = counting_updates(792);
  const std::vector<std::int64_t> indices = scattered_indices(792, 72);
  const tensor_view at{indices.data(), {72, 11}};
  const tensor_view up{updates.data(), {72, 11}};
  check_failing_executor(
      extents,
      [&](auto& ex, auto in, auto out) {
        scatter_elements_update(workspace{memory, ex}, in, at, up, 0, out);
      },
      [&](auto& ex, auto in, auto out) {
        return onnx::try_scatter(workspace{memory, ex}, in, at, up, 0, out);
      });
}

TEST_CASE("an executor may throw once its threads are done, and may be called again") {
  thread_pool pool{3};
  bool fails = true;
  const auto ex = [&](std::size_t n, const task& body) {
    pool(n, body);
    if (fails) throw executor_failed();
  };
  const std::vector<int> updates = counting_updates(1000);
  std::vector<int> data(1000);
  const tensor_view out{data.data(), {1000}};
  const tensor_view up{updates.data(), {1000}};
  const slice_spec all{.start = 0, .stop = 1000, .step = 1};
  CHECK_THROWS_AS(slice_scatter(ex, out, up, all), executor_failed);
  CHECK(data == updates);
  std::fill(data.begin(), data.end(), 0);
  CHECK_THROWS_AS(static_cast<void>(try_slice_scatter(ex, out, up, all)), executor_failed);
  fails = false;
  std::fill(data.begin(), data.end(), 0);
  slice_scatter(ex, out, up, all);
  CHECK(data == updates);
}

TEST_CASE("an executor that fails is not called where a call is refused or has nothing to do") {
  failing_executor ex{0};
  std::vector<int> data{0, 1, 2}, updates{7, 8};
  std::vector<int> indices{0, 3};
  const tensor_view out{data.data(), {3}};
  CHECK(try_scatter_update(ex, out, tensor_view{indices.data(), {2}}, tensor_view{updates.data(), {1}}, 0).code() ==
        errc::extent_mismatch);
  CHECK(try_slice_scatter(ex, out, tensor_view<int>{}, {.start = 0, .stop = 0, .step = 1}).ok());
  CHECK(ex.calls == 0);
  CHECK(data == std::vector<int>{0, 1, 2});
}

struct copy_failed : std::runtime_error {
  copy_failed() : std::runtime_error("no copy") {}
};

// Owns memory, knows how many of its kind live, can be moved, and throws at a copy assignment chosen by the test:
// before it changes anything, or when it has let go of its value.
class fragile {
 public:
  static inline std::int64_t living = 0;
  static inline std::int64_t copies_until_failure = -1;  // negative: never

  fragile() : fragile(0) {}
  explicit fragile(int value) : value_(std::make_unique<int>(value)) { ++living; }
  fragile(const fragile& other) : fragile(*other.value_) {}
  fragile(fragile&& other) noexcept : value_(std::move(other.value_)) { ++living; }
  fragile& operator=(const fragile& other) {
    if (copies_until_failure == 0) throw copy_failed();
    --copies_until_failure;
    value_ = std::make_unique<int>(*other.value_);
    return *this;
  }
  fragile& operator=(fragile&& other) noexcept {
    value_ = std::move(other.value_);
    return *this;
  }
  ~fragile() { --living; }

  [[nodiscard]] int value() const { return value_ == nullptr ? -1 : *value_; }  // -1: moved from

 private:
  std::unique_ptr<int> value_;
};

std::vector<fragile> fragile_from(int first, int count) {
  std::vector<fragile> result;
  for (int k = 0; k < count; ++k) result.emplace_back(first + k);
  return result;
}

std::vector<int> values_of(const std::vector<fragile>& elements) {
  std::vector<int> result;
  for (const fragile& element : elements) result.push_back(element.value());
  return result;
}

// Calls the operator again and again, the n-th copy failing, until none does.
template <class Call>
void check_with_failing_copies(bool in_place, const std::vector<int>& expected, const Call& call) {
  const std::int64_t living_before = fragile::living;
  int failures = 0;
  for (bool done = false; !done; ++failures) {
    std::vector<fragile> data = fragile_from(0, 6);
    std::vector<fragile> updates = fragile_from(100, 4);
    std::vector<fragile> output = fragile_from(200, 6);
    std::vector<fragile>& target = in_place ? data : output;
    const std::vector<int> data_before = values_of(data);
    const std::vector<int> target_before = values_of(target);
    const std::int64_t living_during = fragile::living;

    fragile::copies_until_failure = failures;
    try {
      call(tensor_view<fragile>{data.data(), {3, 2}}, tensor_view<fragile>{updates.data(), {2, 2}},
           tensor_view<fragile>{target.data(), {3, 2}});
      done = true;
    } catch (const copy_failed&) {
    }
    fragile::copies_until_failure = -1;

    REQUIRE(fragile::living == living_during);
    REQUIRE(values_of(updates) == std::vector<int>{100, 101, 102, 103});
    if (!in_place) REQUIRE(values_of(data) == data_before);
    const std::vector<int> after = values_of(target);
    if (done) REQUIRE(after == expected);
    for (std::size_t k = 0; k < after.size(); ++k) {
      REQUIRE((after[k] == target_before[k] || after[k] == data_before[k] || after[k] == expected[k]));
    }
  }
  CHECK(failures > 4);  // each of the four updates has failed once
  CHECK(fragile::living == living_before);
}

// On every executor, none of which is called: bodies throw nothing.
template <class Throwing, class Attempted>
void check_forms(const std::vector<int>& expected, const Throwing& throwing, const Attempted& attempted) {
  const auto on = [&](auto& ex) {
    for (const bool in_place : {false, true}) {
      check_with_failing_copies(in_place, expected,
                                [&](auto data, auto updates, auto output) { throwing(ex, data, updates, output); });
      check_with_failing_copies(in_place, expected, [&](auto data, auto updates, auto output) {
        const status outcome = attempted(ex, data, updates, output);
        REQUIRE(outcome.ok());
      });
    }
  };
  on(serial);
  failing_executor unused{0};
  on(unused);
  CHECK(unused.calls == 0);
  thread_pool pool{3};
  on(pool);
  std::byte memory[64];
  workspace lent{memory, unused};
  on(lent);
  CHECK(unused.calls == 0);
}

TEST_CASE("when a copy throws, every element holds its old or its new value and nothing leaks") {
  const std::vector<int> rows{2, 0};
  const std::vector<int> elements{2, 0, 0, 1};
  const tensor_view<const int> at_rows{rows.data(), {2}};
  const tensor_view<const int> at_elements{elements.data(), {2, 2}};
  const slice_spec slice{.start = 0, .stop = 3, .step = 2};
  const std::vector<int> elements_expected{102, 101, 2, 103, 100, 5};

  check_forms(
      {102, 103, 2, 3, 100, 101},
      [&](auto& ex, auto data, auto updates, auto output) { scatter_update(ex, data, at_rows, updates, 0, output); },
      [&](auto& ex, auto data, auto updates, auto output) {
        return try_scatter_update(ex, data, at_rows, updates, 0, output);
      });
  check_forms(
      elements_expected,
      [&](auto& ex, auto data, auto updates, auto output) {
        scatter_elements_update(ex, data, at_elements, updates, 0, output);
      },
      [&](auto& ex, auto data, auto updates, auto output) {
        return try_scatter_elements_update(ex, data, at_elements, updates, 0, output);
      });
  check_forms(
      elements_expected,
      [&](auto& ex, auto data, auto updates, auto output) { onnx::scatter(ex, data, at_elements, updates, 0, output); },
      [&](auto& ex, auto data, auto updates, auto output) {
        return onnx::try_scatter(ex, data, at_elements, updates, 0, output);
      });
  check_forms(
      {100, 101, 2, 3, 102, 103},
      [&](auto& ex, auto data, auto updates, auto output) { slice_scatter(ex, data, updates, slice, output); },
      [&](auto& ex, auto data, auto updates, auto output) {
        return try_slice_scatter(ex, data, updates, slice, output);
      });
}

// ---- noexcept

constexpr auto quiet_lambda = [](std::size_t n, const task& body) noexcept {
  for (std::size_t i = 0; i < n; ++i) body(i);
};
constexpr auto loud_lambda = [](std::size_t n, const task& body) {
  for (std::size_t i = 0; i < n; ++i) body(i);
};
using quiet_function = void (*)(std::size_t, task) noexcept;
using loud_function = void (*)(std::size_t, task);
// Calling it throws nothing, but making what it is called with may.
struct takes_another_body {
  struct body_of_its_own {
    body_of_its_own(const task&) noexcept(false) {}
  };
  void operator()(std::size_t, const body_of_its_own&) const noexcept {}
};
struct asked_in_vain {
  void operator()(std::size_t, const task&) const noexcept {}
};
struct without_memory {
  void operator()(std::size_t, const task&) const noexcept {}
};

struct loud_copy {
  loud_copy& operator=(const loud_copy&) { return *this; }
};
struct quiet_copy {  // and moves and constructors that may throw, none of which is called
  quiet_copy() noexcept(false) {}
  quiet_copy(const quiet_copy&) noexcept(false) {}
  quiet_copy& operator=(const quiet_copy&) noexcept { return *this; }
  quiet_copy& operator=(quiet_copy&&) noexcept(false) { return *this; }
  ~quiet_copy() = default;
};

}  // namespace
}  // namespace strew::test

template <>
struct strew::executor_traits<strew::test::asked_in_vain> {
  static std::size_t concurrency(const strew::test::asked_in_vain&) { throw strew::test::executor_failed(); }
  static std::span<std::byte> memory(const strew::test::asked_in_vain&) noexcept { return {}; }
};
template <>
struct strew::executor_traits<strew::test::without_memory> {
  static std::size_t concurrency(const strew::test::without_memory&) noexcept { return 2; }
  static std::span<std::byte> memory(const strew::test::without_memory&) { throw strew::test::executor_failed(); }
};

namespace strew::test {
namespace {

// Of the try_ forms with such an executor and such elements, how many are noexcept; and of the throwing ones.
template <class Ex, class T>
struct noexcept_forms {
  using view = tensor_view<T>;
  using indices = tensor_view<const int>;
  static Ex ex() noexcept;
  static const view& v() noexcept;
  static const indices& i() noexcept;
  static const slice_spec& slice() noexcept;

  static constexpr int attempted =
      noexcept(try_slice_scatter(ex(), v(), v(), slice(), v())) + noexcept(try_slice_scatter(ex(), v(), v(), slice())) +
      noexcept(try_scatter_update(ex(), v(), i(), v(), 0, v())) + noexcept(try_scatter_update(ex(), v(), i(), v(), 0)) +
      noexcept(try_scatter_elements_update(ex(), v(), i(), v(), 0, v())) +
      noexcept(try_scatter_elements_update(ex(), v(), i(), v(), 0)) +
      noexcept(onnx::try_scatter(ex(), v(), i(), v(), 0, v())) + noexcept(onnx::try_scatter(ex(), v(), i(), v(), v())) +
      noexcept(onnx::try_scatter(ex(), v(), i(), v(), 0)) + noexcept(onnx::try_scatter(ex(), v(), i(), v()));
  static constexpr int of_attempted = 10;
  static constexpr int throwing =
      noexcept(slice_scatter(ex(), v(), v(), slice(), v())) + noexcept(scatter_update(ex(), v(), i(), v(), 0, v())) +
      noexcept(scatter_elements_update(ex(), v(), i(), v(), 0)) + noexcept(onnx::scatter(ex(), v(), i(), v()));
};

template <class Ex, class T>
constexpr bool are_noexcept =
    noexcept_forms<Ex, T>::attempted == noexcept_forms<Ex, T>::of_attempted&& noexcept_forms<Ex, T>::throwing == 0;
template <class Ex, class T>
constexpr bool may_throw = noexcept_forms<Ex, T>::attempted == 0 && noexcept_forms<Ex, T>::throwing == 0;

TEST_CASE("the try_ forms are noexcept exactly where executor and assignment cannot throw") {
  STATIC_REQUIRE(are_noexcept<const serial_executor&, int>);
  STATIC_REQUIRE(are_noexcept<serial_executor, int>);
  STATIC_REQUIRE(are_noexcept<decltype(quiet_lambda)&, int>);
  STATIC_REQUIRE(are_noexcept<quiet_function, int>);
  STATIC_REQUIRE(are_noexcept<quiet_function&, int>);
  STATIC_REQUIRE(are_noexcept<thread_pool&, int>);
  STATIC_REQUIRE(may_throw<decltype(loud_lambda)&, int>);
  STATIC_REQUIRE(may_throw<loud_function, int>);
  STATIC_REQUIRE(may_throw<failing_executor&, int>);
  STATIC_REQUIRE(may_throw<takes_another_body, int>);
  STATIC_REQUIRE(may_throw<asked_in_vain&, int>);
  STATIC_REQUIRE(may_throw<without_memory&, int>);
}

TEST_CASE("a workspace around an executor throws where the executor does") {
  STATIC_REQUIRE(are_noexcept<workspace<>, int>);
  STATIC_REQUIRE(are_noexcept<const workspace<>&, int>);
  STATIC_REQUIRE(are_noexcept<workspace<workspace<>>&, int>);
  STATIC_REQUIRE(are_noexcept<workspace<decltype(quiet_lambda)>, int>);
  STATIC_REQUIRE(are_noexcept<workspace<thread_pool>&, int>);
  STATIC_REQUIRE(may_throw<workspace<decltype(loud_lambda)>, int>);
  STATIC_REQUIRE(may_throw<workspace<failing_executor>&, int>);
  STATIC_REQUIRE(may_throw<workspace<asked_in_vain>, int>);
}

TEST_CASE("of an element the copy assignment counts and nothing else") {
  STATIC_REQUIRE(are_noexcept<const serial_executor&, quiet_copy>);
  STATIC_REQUIRE(are_noexcept<thread_pool&, quiet_copy>);
  STATIC_REQUIRE(may_throw<const serial_executor&, loud_copy>);
  STATIC_REQUIRE(may_throw<decltype(quiet_lambda)&, loud_copy>);
  STATIC_REQUIRE(may_throw<thread_pool&, loud_copy>);
  STATIC_REQUIRE(may_throw<workspace<>, fragile>);
  STATIC_REQUIRE(may_throw<const serial_executor&, std::string>);
}

TEST_CASE("the forms without an executor are noexcept as those on the serial one") {
  const tensor_view<int> of_int;
  const tensor_view<fragile> of_fragile;
  const slice_spec slice;
  const index_list axis = 0;
  STATIC_REQUIRE(noexcept(try_slice_scatter(of_int, of_int, slice, of_int)));
  STATIC_REQUIRE(noexcept(try_slice_scatter(of_int, of_int, slice)));
  STATIC_REQUIRE(noexcept(try_scatter_update(of_int, of_int, of_int, axis, of_int)));
  STATIC_REQUIRE(noexcept(try_scatter_elements_update(of_int, of_int, of_int, axis)));
  STATIC_REQUIRE(noexcept(try_scatter_elements_update(of_int, of_int, of_int, {0})));
  STATIC_REQUIRE(noexcept(onnx::try_scatter(of_int, of_int, of_int, of_int)));
  STATIC_REQUIRE(noexcept(onnx::try_scatter(of_int, of_int, of_int)));
  STATIC_REQUIRE(!noexcept(try_slice_scatter(of_fragile, of_fragile, slice, of_fragile)));
  STATIC_REQUIRE(!noexcept(try_scatter_update(of_fragile, of_int, of_fragile, axis)));
  STATIC_REQUIRE(!noexcept(try_scatter_elements_update(of_fragile, of_int, of_fragile, axis, of_fragile)));
  STATIC_REQUIRE(!noexcept(onnx::try_scatter(of_fragile, of_int, of_fragile, axis)));
  STATIC_REQUIRE(!noexcept(scatter_update(of_int, of_int, of_int, axis)));
}

// ---- What a reduction returns

// Can be assigned from a const lvalue, and made by what a reduction returns. All else is forbidden or throws.
struct assigned_only {
  int value = 0;

  explicit assigned_only(int from) : value(from) {}
  assigned_only(const assigned_only&) { throw copy_failed(); }
  assigned_only& operator=(const assigned_only& other) noexcept {
    value = other.value;
    return *this;
  }
  assigned_only& operator=(assigned_only&) = delete;
  assigned_only& operator=(assigned_only&&) = delete;
  ~assigned_only() = default;

  friend assigned_only operator+(const assigned_only& a, const assigned_only& b) {
    return assigned_only(a.value + b.value);
  }
};
// As the type above, with an assignment from a temporary that throws.
struct throwing_move {
  int value = 0;

  explicit throwing_move(int from) : value(from) {}
  throwing_move(const throwing_move&) = default;
  throwing_move& operator=(const throwing_move& other) noexcept {
    value = other.value;
    return *this;
  }
  throwing_move& operator=(throwing_move&&) { throw copy_failed(); }
  ~throwing_move() = default;

  friend throwing_move operator+(const throwing_move& a, const throwing_move& b) {
    return throwing_move(a.value + b.value);
  }
};
// Made from an int, which may throw.
struct made_from_int {
  static inline int makings_until_failure = -1;  // negative: never
  int value = 0;

  made_from_int(int from) : value(from) {
    if (makings_until_failure == 0) throw copy_failed();
    --makings_until_failure;
  }
  made_from_int(const made_from_int&) noexcept = default;
  made_from_int& operator=(const made_from_int& other) noexcept {
    value = other.value;
    return *this;
  }
  ~made_from_int() = default;
};

struct last_one {  // a reference to one of its arguments
  template <class T>
  const T& operator()(const T&, const T& update) const noexcept {
    return update;
  }
};
struct sum_of_values {  // another type than the elements
  int operator()(const made_from_int& a, const made_from_int& b) const noexcept { return a.value + b.value; }
};

template <class T, class R>
std::vector<int> reduce_numbers(const R& reduce) {
  std::vector<T> data;
  std::vector<T> updates;
  data.reserve(3);
  updates.reserve(4);
  for (const int value : {1, 2, 3}) data.emplace_back(value);
  for (const int value : {10, 20, 30, 40}) updates.emplace_back(value);
  const std::vector<int> indices{2, 0, 2, 1};
  const tensor_view<T> to{data.data(), {3}};
  const status outcome = try_index_reduce(to, 0, tensor_view<const int>{indices.data(), {4}},
                                          tensor_view<const T>{updates.data(), {4}}, reduce);
  REQUIRE(outcome.ok());
  std::vector<int> result;
  for (const T& element : data) result.push_back(element.value);
  return result;
}

TEST_CASE("what a reduction returns is assigned from a const lvalue, and nothing else is done to elements") {
  CHECK(reduce_numbers<assigned_only>(reduction::sum) == std::vector<int>{21, 42, 43});
  CHECK(reduce_numbers<assigned_only>(reduction::without_init(reduction::sum)) == std::vector<int>{20, 40, 40});
  CHECK(reduce_numbers<assigned_only>(last_one{}) == std::vector<int>{20, 40, 30});
  CHECK(reduce_numbers<throwing_move>(reduction::sum) == std::vector<int>{21, 42, 43});
  CHECK(reduce_numbers<throwing_move>(last_one{}) == std::vector<int>{20, 40, 30});
}

// The callable is noexcept and the assignment too, but what is between them is not.
TEST_CASE("an element that cannot be made of what a callable returns is an exception, on the caller's thread") {
  std::vector<made_from_int> data{1, 2, 3};
  const std::vector<made_from_int> updates{10, 20, 30, 40};
  const std::vector<int> indices{2, 0, 2, 1};
  const tensor_view<made_from_int> to{data.data(), {3}};
  const tensor_view<const made_from_int> from{updates.data(), {4}};
  const tensor_view<const int> at{indices.data(), {4}};
  STATIC_REQUIRE_FALSE(noexcept(try_index_reduce(to, 0, at, from, sum_of_values{})));
  failing_executor unused{0};
  made_from_int::makings_until_failure = 2;
  CHECK_THROWS_AS(static_cast<void>(try_index_reduce(unused, to, 0, at, from, sum_of_values{})), copy_failed);
  made_from_int::makings_until_failure = -1;
  CHECK(unused.calls == 0);
  std::vector<int> after;
  for (const made_from_int& element : data) after.push_back(element.value);
  CHECK((after == std::vector<int>{21, 2, 13} || after == std::vector<int>{1, 42, 13}));
}

// Its sums may throw, its copies do not.
struct loud_sum {
  int value = 0;

  friend loud_sum operator+(const loud_sum& a, const loud_sum& b) { return {a.value + b.value}; }
  friend loud_sum operator*(const loud_sum& a, const loud_sum& b) { return {a.value * b.value}; }
};
struct loud_callable {
  int operator()(const int& a, const int& b) const { return a < b ? b : a; }
};
struct quiet_callable {
  int operator()(const int& a, const int& b) const noexcept { return a < b ? b : a; }
};
template <class T, class R>
using prepared_reduction = decltype(prepare<T, int>(
    index_reduce, {strided_layout(), strided_layout(), strided_layout()}, 0, std::declval<const R&>()));
template <class T>
using prepared_sum = decltype(prepare<T, int>(index_add, {strided_layout(), strided_layout(), strided_layout()}, 0));

template <class Prepared>
using bound_call =
    decltype(std::declval<const Prepared&>().bind(static_cast<const int*>(nullptr), std::span<std::byte>()));

// How many of these are noexcept: runs of such a prepared call, and of the bound one.
template <class Prepared, class T, class Ex>
constexpr int noexcept_runs =
    noexcept(std::declval<const Prepared&>().try_run(std::declval<Ex&>(), static_cast<T*>(nullptr),
                                                     static_cast<const int*>(nullptr),
                                                     static_cast<const T*>(nullptr))) +
    noexcept(std::declval<const bound_call<Prepared>&>().try_run(std::declval<Ex&>(), static_cast<T*>(nullptr),
                                                                 static_cast<const T*>(nullptr)));
template <class Prepared>
constexpr bool binds_without_throwing = noexcept(std::declval<const Prepared&>().try_bind(
    static_cast<const int*>(nullptr), std::span<std::byte>(), std::declval<bound_call<Prepared>&>()));

TEST_CASE("the try_ forms of reductions are noexcept where no sum and no callable can throw") {
  using numbers = tensor_view<int>;
  using sums = tensor_view<loud_sum>;
  const numbers at;
  STATIC_REQUIRE(noexcept(try_index_add(numbers(), 0, at, numbers())));
  STATIC_REQUIRE(noexcept(try_index_add(numbers(), 0, at, numbers(), scaled_by{2})));
  STATIC_REQUIRE(noexcept(try_scatter_add(numbers(), 0, at, numbers())));
  STATIC_REQUIRE(noexcept(try_index_copy(sums(), 0, at, sums())));
  STATIC_REQUIRE_FALSE(noexcept(try_index_add(sums(), 0, at, sums())));
  STATIC_REQUIRE_FALSE(noexcept(try_index_add(serial, sums(), 0, at, sums(), sums())));
  STATIC_REQUIRE_FALSE(noexcept(try_index_add(sums(), 0, at, sums(), scaled_by{loud_sum{2}})));
  STATIC_REQUIRE_FALSE(noexcept(try_scatter_add(sums(), 0, at, sums())));
  STATIC_REQUIRE_FALSE(noexcept(try_index_reduce(sums(), 0, at, sums(), reduction::sum)));
  loud_sum values[2]{{1}, {2}};
  const loud_sum update{5};
  const int row = 1;
  index_add(sums(values, {2}), 0, tensor_view<const int>(&row, {1}), tensor_view<const loud_sum>(&update, {1}),
            scaled_by{loud_sum{3}});
  CHECK((values[0].value == 1 && values[1].value == 17));
  STATIC_REQUIRE(noexcept_runs<prepared_sum<int>, int, const serial_executor> == 2);
  STATIC_REQUIRE(noexcept_runs<prepared_sum<loud_sum>, loud_sum, const serial_executor> == 0);
  STATIC_REQUIRE(noexcept_runs<prepared_reduction<int, reduction::max_type>, int, thread_pool> == 2);
  STATIC_REQUIRE(noexcept_runs<prepared_reduction<loud_sum, reduction::sum_type>, loud_sum, thread_pool> == 0);
  STATIC_REQUIRE(noexcept_runs<prepared_reduction<int, loud_callable>, int, const serial_executor> == 0);
  STATIC_REQUIRE(noexcept_runs<prepared_reduction<int, quiet_callable>, int, const serial_executor> == 2);
  STATIC_REQUIRE(noexcept_runs<prepared_reduction<int, quiet_callable>, int, failing_executor> == 0);
}

// A bound call keeps one value for all updates, whose copy may throw.
TEST_CASE("binding is noexcept where copies of the value cannot throw") {
  using layouts = strided_layout;
  using fill_of_int = decltype(prepare<int, int>(index_fill, {layouts(), layouts()}, 0, 7));
  using fill_of_fragile = decltype(prepare<fragile, int>(index_fill, {layouts(), layouts()}, 0, fragile()));
  STATIC_REQUIRE(binds_without_throwing<fill_of_int>);
  STATIC_REQUIRE_FALSE(binds_without_throwing<fill_of_fragile>);
  STATIC_REQUIRE(binds_without_throwing<prepared_sum<int>>);
  STATIC_REQUIRE(binds_without_throwing<prepared_sum<loud_sum>>);
}

// What the traits throw reaches the caller, before anything is done.
TEST_CASE("traits that throw leave the output as it is") {
  std::vector<int> data(100), updates(100, 7);
  const tensor_view out{data.data(), {100}};
  const tensor_view up{updates.data(), {100}};
  const slice_spec all{.start = 0, .stop = 100, .step = 1};
  CHECK_THROWS_AS(slice_scatter(asked_in_vain{}, out, up, all), executor_failed);
  CHECK_THROWS_AS(static_cast<void>(try_slice_scatter(without_memory{}, out, up, all)), executor_failed);
  CHECK(data == std::vector<int>(100));
}

}  // namespace
}  // namespace strew::test
