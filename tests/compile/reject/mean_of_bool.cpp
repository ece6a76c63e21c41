// SPDX-License-Identifier: Apache-2.0
// The mean of truth values.
// says first: strew: this element type lacks the operation of this reduction
#include <strew/strew.hpp>

#include <cstdint>

void f(strew::tensor_view<bool> data, strew::tensor_view<const std::int64_t> indices) {
  strew::v12::scatter_elements_update(data, indices, data, 0, strew::reduction::mean);
}
