// SPDX-License-Identifier: Apache-2.0
// A slice in place on a view of constant elements.
// says first: strew: without an output data is written, so its elements must not be const, nor be owned by a
#include <strew/strew.hpp>

void update(strew::tensor_view<const float> data, strew::tensor_view<const float> updates) {
  strew::slice_scatter(data, updates, {.start = 0, .stop = 1, .step = 1});
}
