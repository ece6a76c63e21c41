// SPDX-License-Identifier: Apache-2.0
// Nor do fills.
// says first: strew: a floating-point value does not go into elements that are integers
#include <strew/strew.hpp>

#include <cstdint>

void f(strew::tensor_view<int> data, strew::tensor_view<const bool> mask) {
  strew::masked_fill(data, mask, 0.5);
}
