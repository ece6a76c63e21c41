// SPDX-License-Identifier: Apache-2.0
// How many elements a source needs follows from nothing.
// says first: strew: updates must be a strew::tensor_view: strew::tensor_view{pointer, {2, 3}}, or a tensor that
#include <strew/strew.hpp>

#include <cstdint>

void f(strew::tensor_view<float> data, strew::tensor_view<const bool> mask) {
  strew::masked_scatter(data, mask, 1.0F);
}
