// SPDX-License-Identifier: Apache-2.0
// Every operator on an executor, whose threads, parts and thresholds are drawn anew for each case, and with memory
// that is lent.
#include "walk.hpp"

#include <strew/execution/workspace.hpp>

namespace strew::test::matrix {
namespace {

struct executor_form {
  static constexpr wanted_cases wanted{.which = form::executor, .has_parts = true};
  static constexpr std::size_t first_types = 3;
  static constexpr std::size_t types = 2;

  template <class Calls, class T, class Index, class R>
  static status run(const scatter_case& on, const circumstances_of_call& in, const R& reduce) {
    const circumstances_of_call alone = without_memory(in);
    const chosen_threads ex{alone};
    return with_arguments<Calls, T, Index>(on, reduce,
                                           [&](const auto&... arguments) { return Calls::attempt(ex, arguments...); });
  }
};
const walked_form executor_is_here{form::executor};

TEST_CASE("matrix: every operator on an executor equals naive loops") {
  walk<executor_form>();
}

struct workspace_form {
  static constexpr wanted_cases wanted{.which = form::workspace, .has_parts = true};
  static constexpr std::size_t first_types = 0;
  static constexpr std::size_t types = 2;

  template <class Calls, class T, class Index, class R>
  static status run(const scatter_case& on, const circumstances_of_call& in, const R& reduce) {
    const circumstances_of_call alone = without_memory(in);
    const chosen_threads ex{alone};
    const strew::workspace lent(in.memory, ex);
    return with_arguments<Calls, T, Index>(
        on, reduce, [&](const auto&... arguments) { return Calls::attempt(lent, arguments...); });
  }
};
const walked_form workspace_is_here{form::workspace};

TEST_CASE("matrix: every operator with lent memory equals naive loops") {
  walk<workspace_form>();
}

}  // namespace
}  // namespace strew::test::matrix
