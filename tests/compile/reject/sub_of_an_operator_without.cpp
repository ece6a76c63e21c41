// SPDX-License-Identifier: Apache-2.0
// ScatterElementsUpdate-12 has no sub.
// says first: strew: this operator's specification does not have this reduction
#include <strew/strew.hpp>

#include <cstdint>

void f(strew::tensor_view<float> data, strew::tensor_view<const std::int64_t> indices) {
  strew::v12::scatter_elements_update(data, indices, data, 0, strew::reduction::sub);
}
