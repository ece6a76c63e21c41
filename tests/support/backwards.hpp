// SPDX-License-Identifier: Apache-2.0
#ifndef STREW_TESTS_SUPPORT_BACKWARDS_HPP
#define STREW_TESTS_SUPPORT_BACKWARDS_HPP

#include <strew/execution/executor.hpp>

#include <cstddef>
#include <span>

namespace strew::test {

// An executor whose threads finish in the worst order: the last part first.
struct backwards {
  template <class Body>
  void operator()(std::size_t n, const Body& body) const {
    while (n-- > 0) body(n);
  }
};

}  // namespace strew::test

template <>
struct strew::executor_traits<strew::test::backwards> {
  static constexpr std::size_t concurrency(const strew::test::backwards&) noexcept { return 3; }
  static constexpr std::span<std::byte> memory(const strew::test::backwards&) noexcept { return {}; }
};

#endif  // STREW_TESTS_SUPPORT_BACKWARDS_HPP
