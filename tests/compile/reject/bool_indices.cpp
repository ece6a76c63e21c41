// SPDX-License-Identifier: Apache-2.0
// A mask is no tensor of indices.
// says first: strew: indices must be integers of 8 to 64 bits, signed or unsigned: not bool, char or floating point
#include <strew/strew.hpp>

void update(strew::tensor_view<float> data, strew::tensor_view<const bool> indices,
            strew::tensor_view<const float> updates) {
  strew::scatter_update(data, indices, updates, 0);
}
