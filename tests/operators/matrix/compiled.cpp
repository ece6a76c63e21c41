// SPDX-License-Identifier: Apache-2.0
// Every operator with the compiled library. Built with it, all other forms run by it, too; this one is here so that the
// column has a test of its own. With the headers alone there is nothing to test.
#include "walk.hpp"

namespace strew::test::matrix {
namespace {

const walked_form here{form::compiled};

#if STREW_COMPILED
struct compiled_form {
  static constexpr wanted_cases wanted{.which = form::compiled, .has_parts = true};
  static constexpr std::size_t first_types = 0;
  static constexpr std::size_t types = 2;

  template <class Calls, class T, class Index, class R>
  static status run(const scatter_case& on, const circumstances_of_call& in, const R& reduce) {
    const chosen_threads ex{in};
    return with_arguments<Calls, T, Index>(on, reduce,
                                           [&](const auto&... arguments) { return Calls::attempt(ex, arguments...); });
  }
};

TEST_CASE("matrix: every operator with the compiled library equals naive loops") {
  walk<compiled_form>();
}
#else
TEST_CASE("matrix: every operator with the compiled library equals naive loops") {
  SUCCEED("built with the headers alone: the preset dev runs this form");
}
#endif

}  // namespace
}  // namespace strew::test::matrix
