// SPDX-License-Identifier: Apache-2.0
// One value in the place of updates is converted without a wrapper.
// says first: strew: strew::converted takes a tensor of updates
#include <strew/strew.hpp>

void f(strew::tensor_view<float> data, strew::tensor_view<const int> indices) {
  strew::index_add(data, 0, indices, strew::converted(1));
}
