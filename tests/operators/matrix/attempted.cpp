// SPDX-License-Identifier: Apache-2.0
// Every operator in its try_ form, with all types of indices.
#include "walk.hpp"

namespace strew::test::matrix {
namespace {

struct attempted_form {
  static constexpr wanted_cases wanted{form::attempted};
  static constexpr std::size_t first_types = 0;
  static constexpr std::size_t types = pairs_of_types;

  template <class Calls, class T, class Index, class R>
  static status run(const scatter_case& on, const circumstances_of_call&, const R& reduce) {
    return with_arguments<Calls, T, Index>(on, reduce,
                                           [](const auto&... arguments) { return Calls::attempt(arguments...); });
  }
};
const walked_form here{form::attempted};

TEST_CASE("matrix: every operator in its try_ form equals naive loops") {
  walk<attempted_form>();
}

}  // namespace
}  // namespace strew::test::matrix
