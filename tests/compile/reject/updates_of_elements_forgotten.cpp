// SPDX-License-Identifier: Apache-2.0
// Between indices and axis updates are missing.
// says first: strew: no axis in its place; the order is executor (if any), data, indices, updates, axis, output (if
#include <strew/strew.hpp>

void f(strew::tensor_view<float> data, strew::tensor_view<const int> indices) {
  strew::scatter_elements_update(data, indices, 0);
}
