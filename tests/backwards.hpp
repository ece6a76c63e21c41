// SPDX-License-Identifier: Apache-2.0
#ifndef STREW_TESTS_BACKWARDS_HPP
#define STREW_TESTS_BACKWARDS_HPP

#include <cstddef>

namespace strew::test {

// An executor whose threads finish in the worst order: the last part first.
struct backwards {
  template <class Body>
  void operator()(std::size_t n, const Body& body) const {
    while (n-- > 0) body(n);
  }
  static int concurrency() { return 3; }
};

}  // namespace strew::test

#endif  // STREW_TESTS_BACKWARDS_HPP
