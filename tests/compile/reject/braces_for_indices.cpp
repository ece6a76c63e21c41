// SPDX-License-Identifier: Apache-2.0
// A braced list of indices is no tensor.
// says first: strew: indices must be a strew::tensor_view: strew::tensor_view{pointer, {2, 3}}
#include <strew/strew.hpp>

void update(strew::tensor_view<float> data, strew::tensor_view<const float> updates) {
  strew::scatter_update(data, {2, 0, 1}, updates, 0);
}
