// SPDX-License-Identifier: Apache-2.0
// Reductions are objects there too.
// says first: strew: a reduction is an object, as strew::reduction::sum, or a callable f(current, update)
#include <strew/strew.hpp>

#include <cstdint>

auto f(strew::tensor_view<float> data, strew::tensor_view<const int> indices) {
  return strew::prepare<float, int>(strew::index_reduce, {data.layout(), indices.layout(), data.layout()}, 0, "max");
}
