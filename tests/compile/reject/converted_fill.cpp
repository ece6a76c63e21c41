// SPDX-License-Identifier: Apache-2.0
// An operator whose updates are one value takes no converted tensor.
// says first: strew: the value must convert to the element type
#include <strew/strew.hpp>

void f(strew::tensor_view<float> data, strew::tensor_view<const bool> mask, strew::tensor_view<const double> updates) {
  strew::masked_fill(data, mask, strew::converted(updates));
}
