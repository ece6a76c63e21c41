// SPDX-License-Identifier: Apache-2.0
// Updates of another element type, which are not wrapped.
// says first: strew: data, updates and output must have one element type: strew::converted(updates) converts updates
#include <strew/strew.hpp>

void update(strew::tensor_view<float> data, strew::tensor_view<const double> updates) {
  strew::slice_scatter(data, updates, {.start = 0, .stop = 1, .step = 1});
}
