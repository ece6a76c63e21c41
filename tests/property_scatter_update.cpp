// SPDX-License-Identifier: Apache-2.0
// ScatterUpdate-3 against its oracle on random cases.
#include "property.hpp"

namespace strew::test {
namespace {

template <class T, class I>
std::string deviation_of_random_case(random_source& random) {
  const form how = random.pick(all_forms);
  const std::int64_t rank = random.between(1, 7);
  const shape data = draw_shape(random, rank);
  const std::int64_t axis = draw_axis(random, rank);
  shape indices;
  for (std::int64_t q = random.below(4); q > 0; --q) indices.push_back(random.one_in(15) ? 0 : random.between(1, 3));
  operands<T, I> on =
      draw_operands<T, I>(random, how, data, indices, oracle::scatter_update_updates(data, indices, axis));
  const std::int64_t extent = data[oracle::axis_of(axis, data.size())];
  draw_indices(random, on.indices, extent, false);
  return deviation_of_indexed_call<scatter_update_operator>(how, on, axis, extent, oracle::scatter_update<I>);
}

TEMPLATE_LIST_TEST_CASE("scatter_update does on any operands what its oracle says", "", element_and_index_types) {
  for_each_seed<TestType>(deviation_of_random_case<typename TestType::element, typename TestType::index>);
}

}  // namespace
}  // namespace strew::test
