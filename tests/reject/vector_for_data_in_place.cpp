// SPDX-License-Identifier: Apache-2.0
// A container has no shape, in place either.
// says first: strew: data must be a strew::tensor_view: strew::tensor_view{pointer, {2, 3}}
#include <strew/strew.hpp>

#include <vector>

void update(std::vector<float>& data, strew::tensor_view<const float> updates) {
  strew::slice_scatter(data, updates, {.start = 0, .stop = 1, .step = 1});
}
