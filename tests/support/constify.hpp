// SPDX-License-Identifier: Apache-2.0
// Runs a test case twice: in constant evaluation, where undefined behaviour and a failed expectation stop the
// compilation, and then at run time, where the library may take other branches (std::is_constant_evaluated).
#ifndef STREW_TESTS_SUPPORT_CONSTIFY_HPP
#define STREW_TESTS_SUPPORT_CONSTIFY_HPP

#include "catch.hpp"

namespace strew::test {

// Takes the conditions of a case and keeps the line of the first that does not hold.
class expectations {
 public:
  constexpr void operator()(bool condition, int line = __builtin_LINE()) noexcept {
    if (!condition && first_failure_ == 0) first_failure_ = line;
  }
  [[nodiscard]] constexpr int first_failure() const noexcept { return first_failure_; }

 private:
  int first_failure_ = 0;
};

template <class Case>
[[nodiscard]] constexpr int line_that_fails(Case body) {
  expectations expect;
  body(expect);
  return expect.first_failure();
}

// constify([](auto& expect) { expect(1 + 1 == 2); }); The lambda captures nothing.
template <class Case>
void constify(Case body) {
  constexpr int in_constant_evaluation = line_that_fails(Case{});
  static_assert(in_constant_evaluation == 0, "an expectation does not hold: the one on this line");
  const int line_that_fails_at_run_time = line_that_fails(body);
  CHECK(line_that_fails_at_run_time == 0);
}

}  // namespace strew::test

#endif  // STREW_TESTS_SUPPORT_CONSTIFY_HPP
