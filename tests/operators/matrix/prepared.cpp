// SPDX-License-Identifier: Apache-2.0
// Every operator as a prepared call, and with its indices or its mask bound.
#include "prepared_calls.hpp"

namespace strew::test::matrix {
namespace {

template <form Which>
struct prepared_form {
  static constexpr wanted_cases wanted{.which = Which, .has_parts = true};
  static constexpr std::size_t first_types = 0;
  static constexpr std::size_t types = 2;

  template <class Calls, class T, class Index, class R>
  static status run(const scatter_case& on, const circumstances_of_call& in, const R& reduce) {
    return run_prepared<Calls, index_policy::error, T, Index>(on, in, Which == form::bound, reduce);
  }
};
const walked_form prepared_is_here{form::prepared};
const walked_form bound_is_here{form::bound};

TEST_CASE("matrix: every operator prepared equals naive loops") {
  walk<prepared_form<form::prepared>>();
}
TEST_CASE("matrix: every operator with bound indices equals naive loops") {
  walk<prepared_form<form::bound>>();
}

}  // namespace
}  // namespace strew::test::matrix
