// SPDX-License-Identifier: Apache-2.0
// A fill takes a value.
// says first: strew: the value must convert to the element type, or be a view of one element, of rank 0
#include <strew/strew.hpp>

#include <cstdint>

void f(strew::tensor_view<float> data, strew::tensor_view<const int> indices) {
  strew::index_fill(data, 0, indices, nullptr);
}
