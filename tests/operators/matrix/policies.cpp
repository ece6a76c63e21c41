// SPDX-License-Identifier: Apache-2.0
// Every operator with indices under each policy for bad ones.
#include "support/with_policy.hpp"
#include "walk.hpp"

namespace strew::test::matrix {
namespace {

template <form Which, index_policy Policy>
struct policy_form {
  static constexpr wanted_cases wanted{.which = Which, .policy = Policy};
  static constexpr std::size_t first_types = static_cast<std::size_t>(Policy);
  static constexpr std::size_t types = 2;

  template <class Calls, class T, class Index, class R>
  static status run(const scatter_case& on, const circumstances_of_call&, const R& reduce) {
    return with_indices<Calls, Index>(on, [&](const auto& indices) {
      return Calls::arguments(
          on, view_of<const T>(*on.data), with_policy<Policy>(indices), view_of<T>(*on.updates), reduce,
          [&](const auto&... arguments) { return Calls::attempt(arguments..., view_of<T>(on.written())); });
    });
  }
};
const walked_form drop_is_here{form::drop};
const walked_form clip_is_here{form::clip};
const walked_form wrap_is_here{form::wrap};
const walked_form assume_valid_is_here{form::assume_valid};

TEST_CASE("matrix: every operator with indices drops bad ones") {
  walk<policy_form<form::drop, index_policy::drop>>();
}
TEST_CASE("matrix: every operator with indices clips bad ones") {
  walk<policy_form<form::clip, index_policy::clip>>();
}
TEST_CASE("matrix: every operator with indices wraps bad ones") {
  walk<policy_form<form::wrap, index_policy::wrap>>();
}
TEST_CASE("matrix: every operator with indices takes them as valid") {
  walk<policy_form<form::assume_valid, index_policy::assume_valid>>();
}

}  // namespace
}  // namespace strew::test::matrix
