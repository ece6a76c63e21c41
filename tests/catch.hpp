// SPDX-License-Identifier: Apache-2.0
// Catch2 under one name. Version 3 is a library of small headers, version 2 (Debian 12) a single one, and a matcher
// that the tests use was renamed in between. Nothing else in the tests knows which of the two it runs on.
#ifndef STREW_TESTS_CATCH_HPP
#define STREW_TESTS_CATCH_HPP

#if __has_include(<catch2/catch_test_macros.hpp>)

#include <catch2/catch_approx.hpp>
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators_all.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

namespace strew::test {

using Catch::Matchers::ContainsSubstring;

}  // namespace strew::test

#else

#include <catch2/catch.hpp>

#include <string>

namespace strew::test {

inline auto ContainsSubstring(const std::string& text) {
  return Catch::Matchers::Contains(text);
}

}  // namespace strew::test

#endif

namespace strew::test {

// Whether a test of 64-bit sizes or of passing floats around can run; says so where it cannot.
inline bool has_wide_addresses() {
  constexpr bool is_wide = sizeof(void*) >= 8;
  if (!is_wide) WARN("not run: it takes addresses of 64 bits for granted");
  return is_wide;
}
inline bool keeps_signalling_nans() {
#if defined(__i386__)
  WARN("not run: functions return floats in registers that make signalling NaNs quiet");
  return false;
#else
  return true;
#endif
}

}  // namespace strew::test

#endif  // STREW_TESTS_CATCH_HPP
