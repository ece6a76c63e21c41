// SPDX-License-Identifier: Apache-2.0
// ScatterElementsUpdate-3 and ONNX Scatter against their oracle on random cases.
#include "property.hpp"

namespace strew::test {
namespace {

TEMPLATE_LIST_TEST_CASE("scatter_elements_update does on any operands what its oracle says", "",
                        element_and_index_types) {
  for_each_seed<TestType>(
      deviation_of_elements<scatter_elements_update_operator, typename TestType::element, typename TestType::index>);
}

TEMPLATE_LIST_TEST_CASE("onnx::scatter does on any operands what its oracle says", "", element_and_index_types) {
  for_each_seed<TestType>(
      deviation_of_elements<onnx_scatter_operator, typename TestType::element, typename TestType::index>);
}

}  // namespace
}  // namespace strew::test
