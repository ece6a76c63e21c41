// SPDX-License-Identifier: Apache-2.0
// No hole: each form of the list has a test, and the calls stand in the order of the rows.
#include "walk.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

namespace strew::test::matrix {
namespace {

// Forms that other programs walk.
constexpr form walked_elsewhere[] = {form::strew_npy};

std::string_view without_namespace(std::string_view name) {
  const std::size_t colon = name.rfind(':');
  return colon == std::string_view::npos ? name : name.substr(colon + 1);
}

TEST_CASE("matrix: each form is walked by one test") {
  for (const form_column& column : forms) {
    INFO(column.name);
    const auto walks = std::count(walked_forms().begin(), walked_forms().end(), column.which) +
                       std::count(std::begin(walked_elsewhere), std::end(walked_elsewhere), column.which);
    CHECK(walks == 1);
  }
}

TEST_CASE("matrix: each row has its own calls") {
  [&]<std::size_t... Row>(std::index_sequence<Row...>) {
    const auto check_row = [](const operator_row& row, operation drawn_as, combining how) {
      INFO(row.name);
      CHECK(without_namespace(row.name) == without_namespace(name_of(drawn_as)));
      const bool fills = drawn_as == operation::index_fill || drawn_as == operation::masked_fill;
      CHECK(row.takes_value == fills);
      CHECK(row.how == how);
    };
    (check_row(operators[Row], std::tuple_element_t<Row, all_calls>::drawn_as,
               std::tuple_element_t<Row, all_calls>::how),
     ...);
  }
  (std::make_index_sequence<std::size(operators)>());
}

TEST_CASE("matrix: every operator that random cases draw is in the list") {
  std::vector<operation> listed;
  [&]<std::size_t... Row>(std::index_sequence<Row...>) {
    (listed.push_back(std::tuple_element_t<Row, all_calls>::drawn_as), ...);
  }
  (std::make_index_sequence<std::size(operators)>());
  for (int k = 0; k < operations; ++k) {
    INFO(name_of(static_cast<operation>(k)));
    CHECK(std::count(listed.begin(), listed.end(), static_cast<operation>(k)) > 0);
  }
}

}  // namespace
}  // namespace strew::test::matrix
