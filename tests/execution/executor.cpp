// SPDX-License-Identifier: Apache-2.0
// Executors: what is one and what is none, what operators ask of one, the serial one, and a workspace around one.
#include "support/catch.hpp"
#include "support/constify.hpp"

#include <strew/strew.hpp>
#include <strew/threads.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <type_traits>
#include <vector>

using strew::executor;
using strew::executor_traits;
using strew::serial;
using strew::task;
using strew::test::constify;

namespace {

constexpr auto by_forwarding_reference = [](std::size_t n, auto&& body) {
  for (std::size_t i = 0; i < n; ++i) body(i);
};
constexpr auto by_reference = [](std::size_t n, const auto& body) { by_forwarding_reference(n, body); };
constexpr auto by_deduced_reference = [](std::size_t n, auto& body) { by_forwarding_reference(n, body); };
constexpr auto by_value = [](std::size_t n, auto body) { by_forwarding_reference(n, body); };
constexpr auto of_tasks = [](std::size_t n, task body) { by_forwarding_reference(n, body); };
constexpr auto by_function = [](std::size_t n, const std::function<void(std::size_t)>& body) {
  by_forwarding_reference(n, body);
};
void as_function(std::size_t n, task body) {
  by_forwarding_reference(n, body);
}

struct with_state {
  int calls = 0;

  void operator()(std::size_t n, const auto& body) {
    ++calls;
    by_forwarding_reference(n, body);
  }
};

struct interface {
  virtual void operator()(std::size_t n, const task& body) = 0;

 protected:
  ~interface() = default;
};
struct implementation final : interface {
  void operator()(std::size_t n, const task& body) override { by_forwarding_reference(n, body); }
};

struct of_pointers {
  void operator()(const char*, const auto&) const {}
};
struct of_one_argument {
  void operator()(std::size_t) const {}
};
struct without_body {
  void operator()(std::size_t, int) const {}
};

// What other libraries call with two coordinates. Their call operators take anything: they are not constrained.
struct dense_matrix {
  float* data() const { return nullptr; }
  std::ptrdiff_t rows() const { return 0; }
  std::ptrdiff_t cols() const { return 0; }
  float operator()(std::size_t, std::size_t) const { return 0; }
};
struct sliceable_matrix {
  float* data() const { return nullptr; }
  std::ptrdiff_t rows() const { return 0; }
  std::ptrdiff_t cols() const { return 0; }
  template <class Row, class Column>
  float operator()(const Row&, const Column&) const {
    return 0;
  }
};
struct matrix_expression {
  std::ptrdiff_t rows() const { return 0; }
  std::ptrdiff_t cols() const { return 0; }
  float operator()(const auto&, const auto&) const { return 0; }
};
struct container {
  float* data() { return nullptr; }
  const std::vector<std::size_t>& shape() const;
  template <class... Index>
  float& operator()(Index... index);
};
struct lazy_expression {
  const std::vector<std::size_t>& shape() const;
  std::size_t dimension() const;
  template <class... Index>
  float operator()(Index... index) const;
};
struct multidimensional_span {
  float* data_handle() const;
  std::array<int, 2> extents() const;
  template <class... Index>
  float& operator()(Index... index) const;
};
struct tensor_of_static_rank {
  float* data() const;
  std::array<int, 2> dimensions() const;
  template <class... Index>
  float operator()(std::ptrdiff_t first, Index... index) const;
};

// What operators take an executor's threads and memory to be.
template <class Ex>
std::int64_t threads_of(Ex& ex) {
  return strew::detail::refer_to(ex).threads;
}
template <class Ex>
std::size_t memory_of(Ex& ex) {
  return strew::detail::refer_to(ex).memory.size();
}

// An executor whose traits say so many threads, in any integer type.
template <class Integer>
struct with_threads {
  Integer threads;
  std::span<std::byte> lent;

  void operator()(std::size_t n, const task& body) const { by_forwarding_reference(n, body); }
};

}  // namespace

template <class Integer>
struct strew::executor_traits<with_threads<Integer>> {
  static Integer concurrency(const with_threads<Integer>& ex) { return ex.threads; }
  static std::span<std::byte> memory(const with_threads<Integer>& ex) { return ex.lent; }
};

namespace {

template <class Integer>
std::int64_t threads_for(Integer threads) {
  const with_threads<Integer> ex{threads, {}};
  return threads_of(ex);
}

}  // namespace

TEST_CASE("callables that take a count and a task are executors", "[executor]") {
  STATIC_REQUIRE(executor<decltype(by_forwarding_reference)>);
  STATIC_REQUIRE(executor<decltype(by_reference)>);
  STATIC_REQUIRE(executor<decltype(by_deduced_reference)>);
  STATIC_REQUIRE(executor<decltype(by_value)>);
  STATIC_REQUIRE(executor<decltype(of_tasks)>);
  STATIC_REQUIRE(executor<decltype(by_function)>);
  STATIC_REQUIRE(executor<decltype(as_function)>);
  STATIC_REQUIRE(executor<decltype(&as_function)>);
  STATIC_REQUIRE(executor<std::function<void(std::size_t, task)>>);
  STATIC_REQUIRE(executor<interface>);
  STATIC_REQUIRE(executor<strew::serial_executor>);
  STATIC_REQUIRE(executor<decltype(serial)>);
  STATIC_REQUIRE(executor<strew::thread_pool>);
  STATIC_REQUIRE(executor<strew::workspace<>>);
  STATIC_REQUIRE(executor<strew::workspace<strew::thread_pool>>);
}

TEST_CASE("an executor may be passed as a reference, const if it is callable so", "[executor]") {
  STATIC_REQUIRE(executor<decltype(serial)&>);
  STATIC_REQUIRE(executor<strew::serial_executor&&>);
  STATIC_REQUIRE(executor<decltype(by_value)&>);
  STATIC_REQUIRE(executor<with_state>);
  STATIC_REQUIRE(executor<with_state&>);
  STATIC_REQUIRE_FALSE(executor<const with_state>);
  STATIC_REQUIRE_FALSE(executor<const with_state&>);
}

TEMPLATE_TEST_CASE("what an operator takes otherwise is no executor", "[executor]", bool, int, std::int64_t,
                   std::size_t, float, void*, std::vector<int>, strew::index_list, strew::axes_list, strew::slice_spec,
                   strew::status, strew::strided_layout, strew::tensor_view<int>, strew::tensor_view<const float>,
                   strew::tensor_view<std::size_t>, of_pointers, of_one_argument, without_body, void (*)(std::size_t)) {
  STATIC_REQUIRE_FALSE(executor<TestType>);
  STATIC_REQUIRE_FALSE(executor<TestType&>);
  STATIC_REQUIRE_FALSE(executor<const TestType&>);
}

TEMPLATE_TEST_CASE("a tensor of another library is no executor, though it is called with two arguments", "[executor]",
                   dense_matrix, sliceable_matrix, matrix_expression, container, lazy_expression, multidimensional_span,
                   tensor_of_static_rank) {
  STATIC_REQUIRE_FALSE(executor<TestType>);
  STATIC_REQUIRE_FALSE(executor<TestType&>);
  STATIC_REQUIRE_FALSE(executor<const TestType&>);
}

TEST_CASE("serial runs each index once, in order, also in constant evaluation", "[executor]") {
  constify([](auto& expect) {
    for (const std::size_t n : {0u, 1u, 2u, 7u}) {
      std::array<std::size_t, 8> seen{};
      std::size_t count = 0;
      serial(n, [&](std::size_t i) noexcept { seen[count++] = i; });
      expect(count == n);
      for (std::size_t i = 0; i < count; ++i) expect(seen[i] == i);
    }
    expect(executor_traits<strew::serial_executor>::concurrency(serial) == 1);
    expect(executor_traits<strew::serial_executor>::memory(serial).empty());
  });
  const auto quiet = [](std::size_t) noexcept {};
  const auto loud = [](std::size_t) {};
  STATIC_REQUIRE(noexcept(serial(1, quiet)));
  STATIC_REQUIRE_FALSE(noexcept(serial(1, loud)));
}

TEST_CASE("the number of threads is taken as the traits say it, within 1 to 1024", "[executor]") {
  CHECK(threads_of(serial) == 1);
  CHECK(threads_for(1) == 1);
  CHECK(threads_for(2u) == 2);
  CHECK(threads_for(std::size_t{64}) == 64);
  CHECK(threads_for(std::int8_t{127}) == 127);
  CHECK(threads_for(1024) == 1024);
  CHECK(threads_for(1025) == 1024);
  CHECK(threads_for(0) == 1);
  CHECK(threads_for(-1) == 1);
  CHECK(threads_for(std::numeric_limits<int>::min()) == 1);
  CHECK(threads_for(std::numeric_limits<std::uint64_t>::max()) == 1024);
  CHECK(threads_for(std::numeric_limits<std::int64_t>::max()) == 1024);
}

TEST_CASE("an executor without traits of its own counts as 8 threads and lends no memory", "[executor]") {
  with_state stateful;
  CHECK(threads_of(by_value) == 8);
  CHECK(threads_of(by_function) == 8);
  CHECK(threads_of(stateful) == 8);
  CHECK(threads_of(as_function) == 8);
  CHECK(memory_of(by_value) == 0);
  CHECK(memory_of(stateful) == 0);
  CHECK(memory_of(as_function) == 0);
}

TEST_CASE("a pool has the threads that it says, and so has a workspace around it", "[executor]") {
  strew::thread_pool pool{3};
  std::array<std::byte, 16> memory{};
  const strew::workspace lent{memory, pool};
  CHECK(threads_of(pool) == static_cast<std::int64_t>(pool.concurrency()));
  CHECK(threads_of(lent) == static_cast<std::int64_t>(pool.concurrency()));
  CHECK(memory_of(pool) == 0);
  CHECK(memory_of(lent) == 16);
}

namespace {

// Members that happen to have the names of the traits, and another meaning.
struct with_functions : with_state {
  int* memory() { return nullptr; }
  const char* concurrency(int) { return "none"; }
};
struct with_data : with_state {
  double memory = 0.5;
  bool concurrency = false;
};
class with_secrets : public with_state {
  std::span<std::byte> memory();
  std::size_t concurrency();
};
struct with_deleted : with_state {
  std::span<std::byte> memory() const = delete;
  std::size_t concurrency() const = delete;
};
struct with_types : with_state {
  struct memory {};
  enum class concurrency { none };
};
struct with_templates : with_state {
  template <class T>
  T memory() const {
    static_assert(sizeof(T) == 0, "nobody asks for this");
    return {};
  }
  template <class T>
  void concurrency() {}
};

}  // namespace

TEMPLATE_TEST_CASE("members that are called as the traits are, but mean something else, are left alone", "[executor]",
                   with_functions, with_data, with_secrets, with_deleted, with_types, with_templates) {
  TestType ex;
  CHECK(threads_of(ex) == 8);
  CHECK(memory_of(ex) == 0);
  std::vector<int> data(100), updates(100, 7);
  const strew::tensor_view out{data.data(), {100}};
  strew::slice_scatter(ex, out, strew::tensor_view{updates.data(), {100}}, {.start = 0, .stop = 100, .step = 1});
  CHECK(ex.calls == 1);
  CHECK(data == updates);

  std::array<std::byte, 16> memory{};
  strew::workspace lent{memory, ex};
  CHECK(threads_of(lent) == 8);
  CHECK(memory_of(lent) == 16);
}

TEST_CASE("an executor may be a function, an object of an abstract class or a std::function", "[executor]") {
  std::vector<int> data(100);
  std::vector<int> updates(100);
  const strew::tensor_view out{data.data(), {100}};
  const strew::tensor_view up{updates.data(), {100}};
  int value = 0;
  const auto scatter_on = [&](auto&& ex) {
    for (int& update : updates) update = ++value;
    strew::slice_scatter(ex, out, up, {.start = 0, .stop = 100, .step = 1});
    CHECK(data == updates);
  };
  implementation made;
  interface& abstract = made;
  scatter_on(as_function);
  scatter_on(&as_function);
  scatter_on(abstract);
  scatter_on(std::function<void(std::size_t, task)>(by_value));
  std::array<std::byte, 16> memory{};
  scatter_on(strew::workspace{memory, as_function});
  scatter_on(strew::workspace{memory, abstract});
}

// An address-of operator of an executor's own is not asked.
TEST_CASE("an executor is found where it lies, whatever its & says", "[executor]") {
  struct elusive : with_state {
    void operator&() const {}
  } ex;
  std::vector<int> data(100), updates(100, 7);
  strew::slice_scatter(ex, strew::tensor_view{data.data(), {100}}, strew::tensor_view{updates.data(), {100}},
                       {.start = 0, .stop = 100, .step = 1});
  CHECK(data == updates);
  CHECK(ex.calls == 1);
}

TEST_CASE("an executor is called with one body that it may copy", "[executor]") {
  with_state ex;
  std::vector<std::size_t> seen;
  const auto body = [&](std::size_t i) noexcept { seen.push_back(i); };
  ex(3, body);
  by_value(2, body);
  by_function(1, body);
  CHECK(ex.calls == 1);
  CHECK(seen == std::vector<std::size_t>{0, 1, 2, 0, 1, 0});
}

TEST_CASE("a task is two pointers, and calling it throws nothing", "[executor]") {
  STATIC_REQUIRE(sizeof(task) == 2 * sizeof(void*));
  STATIC_REQUIRE(std::is_trivially_copyable_v<task>);
  STATIC_REQUIRE(std::is_nothrow_invocable_r_v<void, const task&, std::size_t>);
  struct context {
    std::size_t& last;
  };
  std::size_t last = 0;
  const context all{last};
  const task remember([](const void* it, std::size_t i) noexcept { static_cast<const context*>(it)->last = i; }, &all);
  remember(5);
  CHECK(last == 5);
}

// Operators hand executors a task and nothing else, and ask for parts only where there is more than one.
TEST_CASE("an operator calls an executor with two or more bodies, each a task", "[executor]") {
  std::vector<std::size_t> counts;
  const auto strict = [&](std::same_as<std::size_t> auto n, const auto& body) {
    STATIC_REQUIRE(std::is_same_v<decltype(body), const task&>);
    counts.push_back(n);
    by_forwarding_reference(n, body);
  };
  std::vector<int> data(1000), updates(1000, 7), indices(1000);
  for (std::size_t i = 0; i < indices.size(); ++i) indices[i] = static_cast<int>((i * 7) % 1000);
  const strew::tensor_view out{data.data(), {1000}};
  const strew::tensor_view up{updates.data(), {1000}};
  const strew::tensor_view at{indices.data(), {1000}};
  strew::slice_scatter(strict, out, up, {.start = 0, .stop = 1000, .step = 1});
  CHECK(counts.size() == 1);
  strew::scatter_update(strict, out, at, up, 0);
  strew::scatter_elements_update(strict, out, at, up, 0);
  strew::onnx::scatter(strict, out, at, up);
  for (const std::size_t n : counts) CHECK(n >= 2);
  CHECK(data == updates);
}

TEST_CASE("a workspace lends its memory, and an inner one's is not used", "[executor]") {
  std::array<std::byte, 16> small{};
  std::array<std::byte, 64> large{};
  const strew::workspace inner{small};
  const strew::workspace outer{large, inner};
  CHECK(threads_of(inner) == 1);
  CHECK(threads_of(outer) == 1);
  CHECK(memory_of(inner) == 16);
  CHECK(memory_of(outer) == 64);
  STATIC_REQUIRE(strew::detail::is_serial<std::remove_const_t<decltype(inner)>>);
  STATIC_REQUIRE(strew::detail::is_serial<std::remove_const_t<decltype(outer)>>);
  const strew::workspace around_lambda{large, by_value};
  STATIC_REQUIRE_FALSE(strew::detail::is_serial<std::remove_const_t<decltype(around_lambda)>>);
}

TEST_CASE("the memory that traits name reaches the operators", "[executor]") {
  std::vector<std::byte> memory(48);
  const with_threads<int> ex{2, memory};
  CHECK(memory_of(ex) == 48);
  const strew::workspace lent{std::span(memory).first(8), ex};
  CHECK(memory_of(lent) == 8);
  CHECK(threads_of(lent) == 2);
}
