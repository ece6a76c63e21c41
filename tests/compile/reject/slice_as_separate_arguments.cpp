// SPDX-License-Identifier: Apache-2.0
// Start, stop, step and axis are one argument.
// says first: strew: a slice is missing; the order is executor (if any), data, updates, {.start
#include <strew/strew.hpp>

void update(strew::tensor_view<const float> data, strew::tensor_view<const float> updates,
            strew::tensor_view<float> output) {
  static_cast<void>(strew::try_slice_scatter(data, updates, 0, 2, 1, -1, output));
}
