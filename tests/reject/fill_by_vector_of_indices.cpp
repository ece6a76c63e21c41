// SPDX-License-Identifier: Apache-2.0
// Neither are indices.
// says first: strew: indices must be a strew::tensor_view
#include <strew/strew.hpp>

#include <vector>

void f(strew::tensor_view<float> data, const std::vector<long>& at, strew::tensor_view<const float> value) {
  strew::index_fill(data, 0, at, value);
}
