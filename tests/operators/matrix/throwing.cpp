// SPDX-License-Identifier: Apache-2.0
// Every operator in the form that throws, and in place.
#include "walk.hpp"

#include <string>

namespace strew::test::matrix {
namespace {

struct throwing_form {
  static constexpr wanted_cases wanted{form::throwing};
  static constexpr std::size_t first_types = 1;
  static constexpr std::size_t types = 2;

  template <class Calls, class T, class Index, class R>
  static status run(const scatter_case& on, const circumstances_of_call&, const R& reduce) {
    return with_arguments<Calls, T, Index>(
        on, reduce, [](const auto&... arguments) { return status_of([&] { Calls::call(arguments...); }); });
  }
};
const walked_form throwing_is_here{form::throwing};

TEST_CASE("matrix: every operator that throws equals naive loops") {
  walk<throwing_form>();
}

// Without an output. Views of T and of const T take turns, as do both kinds of errors.
struct in_place_form {
  static constexpr wanted_cases wanted{.which = form::in_place, .in_place = true};
  static constexpr std::size_t first_types = 2;
  static constexpr std::size_t types = 2;

  template <class Calls, class T, class Index, class R>
  static status run(const scatter_case& on, const circumstances_of_call&, const R& reduce) {
    return with_indices<Calls, Index>(on, [&](const auto& indices) {
      return Calls::arguments(
          on, view_of<T>(*on.data), indices, view_of<T>(*on.updates), reduce, [&](const auto&... arguments) {
            return on.names_output ? Calls::attempt(arguments...) : status_of([&] { Calls::call(arguments...); });
          });
    });
  }
};
const walked_form in_place_is_here{form::in_place};

TEST_CASE("matrix: every operator in place equals naive loops") {
  walk<in_place_form>();
}

}  // namespace
}  // namespace strew::test::matrix
