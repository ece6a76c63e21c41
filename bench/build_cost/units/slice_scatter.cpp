// SPDX-License-Identifier: Apache-2.0
#include <strew/strew.hpp>

void slice_scatter(strew::tensor_view<const float> data, strew::tensor_view<const float> updates,
                   const strew::slice_spec& slice, strew::tensor_view<float> output) {
  strew::slice_scatter(data, updates, slice, output);
}
