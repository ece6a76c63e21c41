// SPDX-License-Identifier: Apache-2.0
// Data of another element type than the output: no operator converts.
// says first: strew: data, updates and output must have one element type: strew::converted(updates) converts updates
#include <strew/strew.hpp>

void update(strew::tensor_view<const double> data, strew::tensor_view<const int> indices,
            strew::tensor_view<const float> updates, strew::tensor_view<float> output) {
  strew::scatter_update(data, indices, updates, 0, output);
}
