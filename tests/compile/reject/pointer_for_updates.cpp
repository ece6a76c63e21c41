// SPDX-License-Identifier: Apache-2.0
// A pointer has no shape.
// says first: strew: updates must be a strew::tensor_view: strew::tensor_view{pointer, {2, 3}}
#include <strew/strew.hpp>

void update(strew::tensor_view<float> data, const float* updates) {
  strew::slice_scatter(data, updates, {.start = 0, .stop = 1, .step = 1});
}
