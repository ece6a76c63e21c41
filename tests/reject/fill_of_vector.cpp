// SPDX-License-Identifier: Apache-2.0
// A container is no view.
// says first: strew: the order is executor (if any), data, mask, value
#include <strew/strew.hpp>

#include <vector>

void f(const std::vector<float>& data, strew::tensor_view<const bool> mask, strew::tensor_view<const float> value) {
  strew::masked_fill(data, mask, value);
}
