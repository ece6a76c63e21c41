// SPDX-License-Identifier: Apache-2.0
// Catch2 under one name. Version 3 is a library of small headers, version 2 (Debian 12) a single one, and a matcher
// that the tests use was renamed in between. Nothing else in the tests knows which of the two it runs on.
#ifndef STREW_TESTS_SUPPORT_CATCH_HPP
#define STREW_TESTS_SUPPORT_CATCH_HPP

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

#endif  // STREW_TESTS_SUPPORT_CATCH_HPP
