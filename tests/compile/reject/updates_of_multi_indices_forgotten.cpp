// SPDX-License-Identifier: Apache-2.0
// Data and indices alone.
// says first: strew: the order is executor (if any), data, indices, updates, reduction (if any), output (if any)
#include <strew/strew.hpp>

void f(strew::tensor_view<float> data, strew::tensor_view<const int> indices) {
  strew::v15::scatter_nd_update(data, indices);
}
