// SPDX-License-Identifier: Apache-2.0
// The output is the last argument.
// says first: strew: a reduction stands before the output, which is the last argument
#include <strew/strew.hpp>

#include <cstdint>

void f(strew::tensor_view<float> data, strew::tensor_view<const int> index, strew::tensor_view<const float> source,
       strew::tensor_view<float> output) {
  strew::scatter_reduce(data, 0, index, source, output, strew::reduction::max);
}
