// SPDX-License-Identifier: Apache-2.0
// ScatterElementsUpdate-3 and ONNX Scatter against their oracle on random cases.
#include "property.hpp"

#include <algorithm>

namespace strew::test {
namespace {

template <class Operator, class T, class I>
std::string deviation_of_random_case(random_source& random) {
  const form how = random.pick(all_forms);
  const std::int64_t rank = random.between(1, 7);
  const shape data = draw_shape(random, rank);
  const std::int64_t axis = draw_axis(random, rank);
  const std::size_t a = oracle::axis_of(axis, data.size());
  shape indices;
  for (std::size_t k = 0; k < data.size(); ++k) {
    const std::int64_t most = k == a && Operator::indices_may_exceed_axis ? 2 * data[k] : data[k];
    indices.push_back(random.one_in(15) ? 0 : most - random.below(std::min<std::int64_t>(most, 2) + 1));
  }
  operands<T, I> on = draw_operands<T, I>(random, how, data, indices, indices);
  draw_indices(random, on.indices, data[a], Operator::negatives_allowed);
  return deviation_of_indexed_call<Operator>(how, on, axis, data[a], oracle::scatter_elements<I>);
}

TEMPLATE_LIST_TEST_CASE("scatter_elements_update does on any operands what its oracle says", "",
                        element_and_index_types) {
  for_each_seed<TestType>(
      deviation_of_random_case<scatter_elements_update_operator, typename TestType::element, typename TestType::index>);
}

TEMPLATE_LIST_TEST_CASE("onnx::scatter does on any operands what its oracle says", "", element_and_index_types) {
  for_each_seed<TestType>(
      deviation_of_random_case<onnx_scatter_operator, typename TestType::element, typename TestType::index>);
}

}  // namespace
}  // namespace strew::test
