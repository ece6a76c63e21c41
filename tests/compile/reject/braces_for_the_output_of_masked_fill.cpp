// SPDX-License-Identifier: Apache-2.0
// Braces have no type, of an output.
// says first: strew: braces have no type: a tensor is a strew::tensor_view{pointer, {2, 3}}
#include <strew/strew.hpp>

#include <cstdint>

void f(strew::tensor_view<float> data, strew::tensor_view<const bool> mask, float* output) {
  strew::masked_fill(data, mask, 1.0F, {output, {2, 3}});
}
