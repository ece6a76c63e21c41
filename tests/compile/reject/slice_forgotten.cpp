// SPDX-License-Identifier: Apache-2.0
// A slice is given by name.
// says first: strew: a slice is missing; the order is executor (if any), data, updates, {.start
#include <strew/strew.hpp>

void update(strew::tensor_view<const float> data, strew::tensor_view<const float> updates,
            strew::tensor_view<float> output) {
  strew::slice_scatter(data, updates, output);
}
