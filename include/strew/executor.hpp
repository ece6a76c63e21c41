// SPDX-License-Identifier: Apache-2.0
// What may run the parts of one call: the concept of an executor, and the one that runs them one after the other.
#ifndef STREW_EXECUTOR_HPP
#define STREW_EXECUTOR_HPP

#include <strew/integer.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace strew {

namespace detail {

// Stands for every body that an operator may pass. The concept asks with one type for what must hold for all.
struct executor_body {
  constexpr void operator()(std::size_t) const noexcept {}
};

}  // namespace detail

// Satisfied by callables ex(n, body) that call body(i) exactly once for each i in [0, n), in any order and possibly at
// the same time, and return when all of these calls have ended. n is a std::size_t; it may be 0, and it may be larger
// than the number of threads. A lambda around a thread pool is enough:
//
//   const auto tasks = [](std::size_t n, auto&& body) { tbb::parallel_for(std::size_t{0}, n, body); };
//
// What was done before ex(n, body) must be visible in each body(i), and what body(i) did to the caller afterwards, as
// with a thread that is started and joined. `body` comes as a const lvalue that outlives the call; it is a few pointers
// to copy, takes a std::size_t, returns nothing, throws nothing and may be called on any thread.
//
// An executor may have a member concurrency(), an integer of any type: on how many threads the calls run, the caller's
// included. Operators cut their work into about as many parts, or a few times as many. What they write never
// depends on that number or on the order of the calls, since each part has elements of the output to itself.
template <class Ex>
concept executor = requires(Ex& ex, std::size_t n, const detail::executor_body& body) {
  ex(n, body);
};

// The default: the caller's thread, ascending, also in constant evaluation.
struct serial_executor {
  template <std::invocable<std::size_t> Body>
  constexpr void operator()(std::size_t n, Body&& body) const
      noexcept(std::is_nothrow_invocable_v<Body&, std::size_t>) {
    for (std::size_t i = 0; i < n; ++i) body(i);
  }
  [[nodiscard]] static constexpr unsigned concurrency() noexcept { return 1; }
};
inline constexpr serial_executor serial;

namespace detail {

// How many parts an executor can work on at once: its concurrency(), but at least 1 and at most 1024. One that does not
// say gets 8. Asking the machine would take <thread>, which every user would pay for; with fewer threads the parts are
// merely smaller than they need be, and with more a scatter seldom gains, being bound by memory.
template <executor Ex>
[[nodiscard]] constexpr std::size_t concurrency_of(Ex& ex) {
  if constexpr (requires { saturate(ex.concurrency()); }) {
    const std::int64_t threads = saturate(ex.concurrency());
    return threads < 1 ? 1 : threads > 1024 ? 1024 : static_cast<std::size_t>(threads);
  } else {
    return 8;
  }
}

}  // namespace detail
}  // namespace strew

#endif  // STREW_EXECUTOR_HPP
