// SPDX-License-Identifier: Apache-2.0
// Every operator that can store which update each element holds, with none, min and max.
#include "walk.hpp"

namespace strew::test::matrix {
namespace {

struct positions_form {
  static constexpr wanted_cases wanted{.which = form::positions, .has_parts = true};

  template <class Calls, class T, class Index, class R>
  static status run(const scatter_case& on, const circumstances_of_call& in, const R& reduce) {
    const circumstances_of_call alone = without_memory(in);
    const chosen_threads ex{alone};
    const auto call = [&](const auto& named) {
      const auto won = reduction::with_positions(named, view_of<std::int64_t>(*on.numbers));
      return with_arguments<Calls, T, Index>(
          on, won, [&](const auto&... arguments) { return Calls::attempt(ex, arguments...); });
    };
    if constexpr (Calls::how == combining::named) {
      return call(reduce);
    } else {
      return call(reduction::none);
    }
  }
};
const walked_form here{form::positions};

template <std::size_t Row, class Types>
void check_offered() {
  using calls_of_row = std::tuple_element_t<Row, all_calls>;
  if constexpr (calls_of_row::how == combining::named && offers(calls_of_row::drawn_as, Types::kind, true)) {
    check_pair<positions_form, Row, Types>(static_cast<std::size_t>(Types::kind));
  }
}

TEST_CASE("matrix: every operator with positions equals naive loops") {
  for_each_row_with<form::positions>([]<std::size_t Row>() {
    check_pair<positions_form, Row, types<std::uint16_t, std::int32_t, block<12>, reduction_kind::none>>(0);
    check_offered<Row, types<float, std::int64_t, float, reduction_kind::min>>();
    check_offered<Row, types<bfloat16, std::uint8_t, bfloat16, reduction_kind::max>>();
  });
}

}  // namespace
}  // namespace strew::test::matrix
