// SPDX-License-Identifier: Apache-2.0
// Indices are integers.
// says first: strew: indices must be integers of 8 to 64 bits, signed or unsigned
#include <strew/strew.hpp>

#include <cstdint>

auto f(strew::tensor_view<float> data, strew::tensor_view<const float> indices) {
  return strew::prepare<float, float>(strew::index_add, {data.layout(), indices.layout(), data.layout()}, 0);
}
