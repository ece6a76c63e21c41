// SPDX-License-Identifier: Apache-2.0
// What is written dies with the temporary.
// says first: strew: without an output data is written, so its elements must not be const, nor be owned by a temporary
#include <strew/strew.hpp>

#include <vector>

void update(strew::tensor_view<const float> updates) {
  strew::slice_scatter(std::vector<float>(4), updates, {.start = 0, .stop = 1, .step = 1});
}
