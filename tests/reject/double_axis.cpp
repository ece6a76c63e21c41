// SPDX-License-Identifier: Apache-2.0
// An axis is an integer.
// g++ says: strew::tensor_view<const float>&, double)'
// clang says: no known conversion from 'double' to 'const strew::index_list'
#include <strew/strew.hpp>

void update(strew::tensor_view<float> data, strew::tensor_view<const int> indices,
            strew::tensor_view<const float> updates) {
  strew::scatter_update(data, indices, updates, 1.0);
}
