// SPDX-License-Identifier: Apache-2.0
#include <strew/strew.hpp>

#include <cstdint>

void reduce_elements(strew::tensor_view<const float> data, strew::tensor_view<const std::int64_t> indices,
                     strew::tensor_view<const float> updates, strew::tensor_view<float> output) {
  strew::v12::scatter_elements_update(data, indices, updates, 0, strew::reduction::sum, output);
}
