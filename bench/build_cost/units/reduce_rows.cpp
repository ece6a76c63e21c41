// SPDX-License-Identifier: Apache-2.0
#include <strew/strew.hpp>

#include <cstdint>

void reduce_rows(strew::tensor_view<const float> data, strew::tensor_view<const std::int64_t> indices,
                 strew::tensor_view<const float> updates, strew::tensor_view<float> output) {
  strew::index_reduce(data, 0, indices, updates, strew::reduction::mean, output);
}
