// SPDX-License-Identifier: Apache-2.0
// Numbers of updates are integers.
// says first: strew: the numbers of with_positions are a writable strew::tensor_view of integers
#include <strew/strew.hpp>

void f(strew::tensor_view<float> data, strew::tensor_view<const int> index, strew::tensor_view<const float> source,
       strew::tensor_view<float> numbers) {
  strew::index_copy(data, 0, index, source, strew::reduction::with_positions(strew::reduction::none, numbers));
}
