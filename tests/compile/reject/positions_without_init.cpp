// SPDX-License-Identifier: Apache-2.0
// Which update won against data is not asked where data is left out.
// says first: strew: with_positions is for none, min and max
#include <strew/strew.hpp>

#include <cstdint>

void f(strew::tensor_view<float> data, strew::tensor_view<const int> index, strew::tensor_view<const float> source,
       strew::tensor_view<std::int64_t> numbers) {
  namespace red = strew::reduction;
  strew::scatter_reduce(data, 0, index, source, red::with_positions(red::without_init(red::max), numbers));
}
