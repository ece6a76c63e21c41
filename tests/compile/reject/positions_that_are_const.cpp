// SPDX-License-Identifier: Apache-2.0
// Numbers of updates are written.
// says first: strew: the numbers of with_positions are a writable strew::tensor_view of integers
#include <strew/strew.hpp>

#include <cstdint>

void f(strew::tensor_view<float> data, strew::tensor_view<const int> index, strew::tensor_view<const float> source,
       strew::tensor_view<const std::int64_t> numbers) {
  strew::index_reduce(data, 0, index, source, strew::reduction::with_positions(strew::reduction::min, numbers));
}
