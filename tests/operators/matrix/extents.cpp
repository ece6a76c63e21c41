// SPDX-License-Identifier: Apache-2.0
// The extents of updates and the bytes of a workspace of every operator: the extents are those of the updates of random
// cases, and with so much memory, and with a byte less, the output is right.
#include "list.hpp"

#include "walk.hpp"

#include <strew/operators/extents.hpp>

#include <algorithm>
#include <cstddef>
#include <span>
#include <type_traits>
#include <vector>

namespace strew::test::matrix {
namespace {

struct updates_extents_form {
  static constexpr wanted_cases wanted{form::updates_extents};
  static constexpr std::size_t first_types = 4;
  static constexpr std::size_t types = 1;

  // Makes the call on updates of these extents: where they are others, its status is an error.
  template <class Calls, class T, class Index, class R>
  static status run(const scatter_case& on, const circumstances_of_call&, const R& reduce) {
    const index_list found =
        Calls::extents(on, [](const auto&... given) { return updates_extents(Calls::throwing, given...); });
    return with_indices<Calls, Index>(on, [&](const auto& indices) {
      const tensor_view<const T> updates(view_of<const T>(*on.updates).data(), found, on.updates->strides());
      return Calls::arguments(on, view_of<const T>(*on.data), indices, updates, reduce, [&](const auto&... arguments) {
        return Calls::attempt(arguments..., view_of<T>(on.written()));
      });
    });
  }
};
const walked_form extents_are_here{form::updates_extents};

TEST_CASE("matrix: every operator says the extents of its updates") {
  walk<updates_extents_form>();
}

struct workspace_bytes_form {
  static constexpr wanted_cases wanted{.which = form::workspace_bytes, .has_parts = true};
  static constexpr std::size_t first_types = 5;
  static constexpr std::size_t types = 1;

  template <class Calls, class T, class Index, class R>
  static status run(const scatter_case& on, const circumstances_of_call& in, const R& reduce) {
    const std::size_t bytes = Calls::memory(on, [&](const auto&... given) {
      if constexpr (std::is_same_v<R, unnamed>) {
        return workspace_bytes<T>(Calls::throwing, given..., in.threads);
      } else {
        return workspace_bytes<T>(Calls::throwing, given..., reduce, in.threads);
      }
    });
    // Of small tensors as much as is wanted, whatever that is; now and then a little less.
    std::vector<std::byte> memory(std::min<std::size_t>(bytes, 1 << 22));
    const std::size_t lacking = memory.size() % 3 == 1 ? 1 : 0;
    const circumstances_of_call alone = without_memory(in);
    const chosen_threads ex{alone};
    const std::span<std::byte> all(memory);
    const strew::workspace lent(all.subspan(lacking), ex);
    return with_arguments<Calls, T, Index>(
        on, reduce, [&](const auto&... arguments) { return Calls::attempt(lent, arguments...); });
  }
};
const walked_form bytes_are_here{form::workspace_bytes};

TEST_CASE("matrix: every operator says the bytes that it wants") {
  walk<workspace_bytes_form>();
}

}  // namespace
}  // namespace strew::test::matrix
