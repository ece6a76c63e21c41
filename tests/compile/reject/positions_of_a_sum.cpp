// SPDX-License-Identifier: Apache-2.0
// Of a sum no element holds one of the updates.
// says first: strew: with_positions is for none, min and max
#include <strew/strew.hpp>

#include <cstdint>

void f(strew::tensor_view<float> data, strew::tensor_view<const int> index, strew::tensor_view<const float> source,
       strew::tensor_view<std::int64_t> numbers) {
  strew::scatter_reduce(data, 0, index, source, strew::reduction::with_positions(strew::reduction::sum, numbers));
}
