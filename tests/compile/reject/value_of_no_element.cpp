// SPDX-License-Identifier: Apache-2.0
// What does not convert to an element is no value.
// says first: strew: updates must be a strew::tensor_view: strew::tensor_view{pointer, {2, 3}}, or a tensor that
#include <strew/strew.hpp>

#include <cstdint>

void f(strew::tensor_view<float> data, strew::tensor_view<const int> indices) {
  strew::scatter_update(data, indices, nullptr, 0);
}
