// SPDX-License-Identifier: Apache-2.0
#include "property_reductions.hpp"

namespace strew::test {
namespace {

TEMPLATE_LIST_TEST_CASE("tuples with reductions and policies equal their oracle", "", reduced_types) {
  for_each_reduced_case(1, deviation_of_tuples_reduced<typename TestType::element, typename TestType::index>);
}

}  // namespace
}  // namespace strew::test
