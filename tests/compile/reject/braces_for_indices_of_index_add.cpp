// SPDX-License-Identifier: Apache-2.0
// Braces have no type, of no argument.
// says first: strew: braces have no type: a tensor is a strew::tensor_view{pointer, {2, 3}}
#include <strew/strew.hpp>

#include <cstdint>

void f(strew::tensor_view<float> data, strew::tensor_view<const float> source) {
  strew::index_add(data, 0, {}, source);
}
