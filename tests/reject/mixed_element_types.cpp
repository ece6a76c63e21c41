// SPDX-License-Identifier: Apache-2.0
// Updates of another element type: no operator converts.
// g++ says: satisfaction of 'scatters_into<T, U>' [with T = float
// clang says: because 'scatters_into<float, const double>' evaluated to false
#include <strew/strew.hpp>

void update(strew::tensor_view<float> data, strew::tensor_view<const double> updates) {
  strew::slice_scatter(data, updates, {.start = 0, .stop = 1, .step = 1});
}
