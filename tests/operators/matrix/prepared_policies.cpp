// SPDX-License-Identifier: Apache-2.0
// Every operator with indices as a prepared call with each policy for bad ones, and with these indices bound.
#include "prepared_calls.hpp"

namespace strew::test::matrix {
namespace {

template <form Which, index_policy Policy>
struct prepared_policy_form {
  static constexpr wanted_cases wanted{.which = Which, .policy = Policy, .has_parts = true};
  static constexpr std::size_t first_types = static_cast<std::size_t>(Policy);
  static constexpr std::size_t types = 1;

  template <class Calls, class T, class Index, class R>
  static status run(const scatter_case& on, const circumstances_of_call& in, const R& reduce) {
    return run_prepared<Calls, Policy, T, Index>(on, in, in.threads % 2 == 0, reduce);
  }
};

TEST_CASE("matrix: every prepared and bound operator with indices drops bad ones") {
  walk<prepared_policy_form<form::drop, index_policy::drop>>();
}
TEST_CASE("matrix: every prepared and bound operator with indices clips bad ones") {
  walk<prepared_policy_form<form::clip, index_policy::clip>>();
}
TEST_CASE("matrix: every prepared and bound operator with indices wraps bad ones") {
  walk<prepared_policy_form<form::wrap, index_policy::wrap>>();
}
TEST_CASE("matrix: every prepared and bound operator with indices takes them as valid") {
  walk<prepared_policy_form<form::assume_valid, index_policy::assume_valid>>();
}

}  // namespace
}  // namespace strew::test::matrix
