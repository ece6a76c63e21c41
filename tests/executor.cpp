// SPDX-License-Identifier: Apache-2.0
// Executors: what is one and what is none, the serial one, and into how many parts work is cut for one.
#include "catch.hpp"
#include "constify.hpp"

#include <strew/strew.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <type_traits>
#include <vector>

using strew::executor;
using strew::serial;
using strew::detail::concurrency_of;
using strew::test::constify;

namespace {

constexpr auto by_forwarding_reference = [](std::size_t n, auto&& body) {
  for (std::size_t i = 0; i < n; ++i) body(i);
};
constexpr auto by_reference = [](std::size_t n, const auto& body) { by_forwarding_reference(n, body); };
constexpr auto by_deduced_reference = [](std::size_t n, auto& body) { by_forwarding_reference(n, body); };
constexpr auto by_value = [](std::size_t n, auto body) { by_forwarding_reference(n, body); };
constexpr auto by_function = [](std::size_t n, const std::function<void(std::size_t)>& body) {
  by_forwarding_reference(n, body);
};

template <class Integer>
struct with_concurrency {
  Integer threads;

  void operator()(std::size_t, const auto&) const {}
  constexpr Integer concurrency() const { return threads; }
};

struct with_state {
  int calls = 0;

  void operator()(std::size_t n, const auto& body) {
    ++calls;
    by_forwarding_reference(n, body);
  }
  int concurrency() { return 5; }
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

template <class Integer>
constexpr std::size_t parts_for(Integer threads) {
  const with_concurrency<Integer> ex{threads};
  return concurrency_of(ex);
}

}  // namespace

TEST_CASE("callables that take a count and a body are executors", "[executor]") {
  STATIC_REQUIRE(executor<decltype(by_forwarding_reference)>);
  STATIC_REQUIRE(executor<decltype(by_reference)>);
  STATIC_REQUIRE(executor<decltype(by_deduced_reference)>);
  STATIC_REQUIRE(executor<decltype(by_value)>);
  STATIC_REQUIRE(executor<decltype(by_function)>);
  STATIC_REQUIRE(executor<strew::serial_executor>);
  STATIC_REQUIRE(executor<decltype(serial)>);
  STATIC_REQUIRE(executor<with_concurrency<int>>);
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

TEST_CASE("serial runs each index once, in order, also in constant evaluation", "[executor]") {
  constify([](auto& expect) {
    for (const std::size_t n : {0u, 1u, 2u, 7u}) {
      std::array<std::size_t, 8> seen{};
      std::size_t count = 0;
      serial(n, [&](std::size_t i) noexcept { seen[count++] = i; });
      expect(count == n);
      for (std::size_t i = 0; i < count; ++i) expect(seen[i] == i);
    }
    expect(serial.concurrency() == 1);
  });
  const auto quiet = [](std::size_t) noexcept {};
  const auto loud = [](std::size_t) {};
  STATIC_REQUIRE(noexcept(serial(1, quiet)));
  STATIC_REQUIRE_FALSE(noexcept(serial(1, loud)));
}

TEST_CASE("the number of threads is taken as the executor says it, within 1 to 1024", "[executor]") {
  constify([](auto& expect) {
    expect(concurrency_of(serial) == 1);
    expect(parts_for(1) == 1 && parts_for(2u) == 2 && parts_for(std::size_t{64}) == 64);
    expect(parts_for(std::int8_t{127}) == 127 && parts_for(1024) == 1024 && parts_for(1025) == 1024);
    expect(parts_for(0) == 1 && parts_for(-1) == 1 && parts_for(std::numeric_limits<int>::min()) == 1);
    expect(parts_for(std::numeric_limits<std::uint64_t>::max()) == 1024);
    expect(parts_for(std::numeric_limits<std::int64_t>::max()) == 1024);
  });
  with_state ex;
  CHECK(concurrency_of(ex) == 5);
}

TEST_CASE("an executor that does not say how many threads it has counts as 8", "[executor]") {
  constify([](auto& expect) {
    expect(concurrency_of(by_value) == 8);
    expect(concurrency_of(by_function) == 8);
  });
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
