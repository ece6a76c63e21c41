// SPDX-License-Identifier: Apache-2.0
// In place on a view of constant elements.
// g++ says: the expression '!(is_const_v<Output>) [with Output = const float]' evaluated to 'false'
// clang says: because 'scatters_into<const float, const float>' evaluated to false
#include <strew/strew.hpp>

void update(strew::tensor_view<const float> data, strew::tensor_view<const int> indices,
            strew::tensor_view<const float> updates) {
  strew::scatter_elements_update(data, indices, updates, 0);
}
