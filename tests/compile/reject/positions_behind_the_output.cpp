// SPDX-License-Identifier: Apache-2.0
// The output is the last argument.
// says first: strew: the order is executor (if any), data, axis (an integer), index, source
#include <strew/strew.hpp>

#include <cstdint>

void f(strew::tensor_view<float> data, strew::tensor_view<const int> index, strew::tensor_view<const float> source,
       strew::tensor_view<std::int64_t> numbers, strew::tensor_view<float> output) {
  strew::index_copy(data, 0, index, source, output, strew::reduction::with_positions(strew::reduction::none, numbers));
}
