// SPDX-License-Identifier: Apache-2.0
// Reductions are objects.
// says first: strew: a reduction is an object, as strew::reduction::sum, or a callable f(current, update)
#include <strew/strew.hpp>

#include <cstdint>

void f(strew::tensor_view<float> data, strew::tensor_view<const int> index, strew::tensor_view<const float> source) {
  strew::index_reduce(data, 0, index, source, "sum");
}
