// SPDX-License-Identifier: Apache-2.0
// Data alone.
// says first: strew: the order is executor (if any), data, indices, updates, axis, output (if any)
#include <strew/strew.hpp>

void update(strew::tensor_view<float> data) {
  strew::scatter_update(data, 0);
}
