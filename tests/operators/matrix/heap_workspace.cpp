// SPDX-License-Identifier: Apache-2.0
// Every operator with memory that a heap_workspace holds.
#include "list.hpp"

#include "walk.hpp"

#include <strew/heap_workspace.hpp>

namespace strew::test::matrix {
namespace {

struct heap_workspace_form {
  static constexpr wanted_cases wanted{.which = form::heap_workspace, .has_parts = true};
  static constexpr std::size_t first_types = 1;
  static constexpr std::size_t types = 2;

  template <class Calls, class T, class Index, class R>
  static status run(const scatter_case& on, const circumstances_of_call& in, const R& reduce) {
    const circumstances_of_call alone = without_memory(in);
    const chosen_threads ex{alone};
    strew::heap_workspace held(ex);
    return with_arguments<Calls, T, Index>(
        on, reduce, [&](const auto&... arguments) { return Calls::attempt(held, arguments...); });
  }
};
const walked_form heap_workspace_is_here{form::heap_workspace};

TEST_CASE("matrix: every operator with a heap workspace equals naive loops") {
  walk<heap_workspace_form>();
}

}  // namespace
}  // namespace strew::test::matrix
