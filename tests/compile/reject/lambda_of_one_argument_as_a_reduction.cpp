// SPDX-License-Identifier: Apache-2.0
// A reduction has two arguments.
// says first: strew: this element type lacks the operation of this reduction
#include <strew/strew.hpp>

#include <cstdint>

void f(strew::tensor_view<float> data, strew::tensor_view<const int> index, strew::tensor_view<const float> source) {
  strew::index_reduce(data, 0, index, source, [](float update) { return update; });
}
