// SPDX-License-Identifier: Apache-2.0
// ScatterUpdate-3 against its oracle on random cases.
#include "property.hpp"

namespace strew::test {
namespace {

TEMPLATE_LIST_TEST_CASE("scatter_update does on any operands what its oracle says", "", element_and_index_types) {
  for_each_seed<TestType>(
      deviation_of_rows<scatter_update_operator, typename TestType::element, typename TestType::index>);
}

}  // namespace
}  // namespace strew::test
