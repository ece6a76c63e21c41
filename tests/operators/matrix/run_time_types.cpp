// SPDX-License-Identifier: Apache-2.0
// Every operator on tensors whose types are known at run time only: of all sizes where elements are moved, of all types
// where they are combined, with indices of all types. The calls are those of the random cases.
#include "support/random_source.hpp"
#include "walk.hpp"

#include <cstdint>

namespace strew::test::matrix {
namespace {

const walked_form here{form::run_time_types};

TEST_CASE("matrix: every operator on run-time types equals naive loops") {
  constexpr int ways = 12;
  [&]<std::size_t... Row>(std::index_sequence<Row...>) {
    const auto check_row = [](std::size_t row, operation which) {
      if (!has_cell(row, form::run_time_types)) return;
      for (int number = 0; number < ways; ++number) {
        random_source random(static_cast<std::uint64_t>(number) + 100 * row);
        case_kind kind;
        kind.form = call_form::run_time;
        kind.which = which;
        kind.integers = static_cast<index_type>(number % 8);
        draw_reduction(random, kind);
        if (kind.reduce == reduction_kind::none && number % 2 == 0) {
          kind.type = {dynamic::element_kind::opaque, random.pick<std::int64_t>({3, 12, 20, 24, 300})};
        }
        check_way(row, {.which = form::run_time_types, .has_parts = true, .count = 15},
                  static_cast<std::size_t>(number), {kind, run_dynamic_case});
      }
    };
    (check_row(Row, std::tuple_element_t<Row, all_calls>::drawn_as), ...);
  }
  (std::make_index_sequence<std::size(operators)>());
}

}  // namespace
}  // namespace strew::test::matrix
