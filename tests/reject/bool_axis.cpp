// SPDX-License-Identifier: Apache-2.0
// An axis is not a truth value.
// g++ says: strew::tensor_view<const float>&, bool)'
// clang says: no known conversion from 'bool' to 'const strew::index_list'
#include <strew/strew.hpp>

void update(strew::tensor_view<float> data, strew::tensor_view<const int> indices,
            strew::tensor_view<const float> updates) {
  strew::scatter_update(data, indices, updates, true);
}
