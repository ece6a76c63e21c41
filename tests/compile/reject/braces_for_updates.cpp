// SPDX-License-Identifier: Apache-2.0
// Braces of a pointer, extents and strides are no tensor.
// says first: strew: updates must be a strew::tensor_view: strew::tensor_view{pointer, {2, 3}}
#include <strew/strew.hpp>

void update(strew::tensor_view<float> data, const float* updates) {
  strew::slice_scatter(data, {updates, {2, 3}, {1, 2}}, {.start = 0, .stop = 1, .step = 1});
}
