// SPDX-License-Identifier: Apache-2.0
// Offsets are integers, as indices are.
// says first: strew: indices must be integers of 8 to 64 bits, signed or unsigned: not bool, char or floating point
#include <strew/strew.hpp>

void f(strew::tensor_view<float> data, strew::tensor_view<const double> offsets,
       strew::tensor_view<const float> updates) {
  strew::index_add(data, 0, strew::segments(offsets), updates);
}
