// SPDX-License-Identifier: Apache-2.0
// says first: strew: output must be a strew::tensor_view
#include <strew/strew.hpp>

#include <vector>

void f(strew::tensor_view<float> data, strew::tensor_view<const bool> mask, std::vector<float>& output) {
  strew::masked_fill(data, mask, 1.0F, output);
}
