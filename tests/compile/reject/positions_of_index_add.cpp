// SPDX-License-Identifier: Apache-2.0
// A sum is none of the updates.
// says first: strew: the order is executor (if any), data, axis (an integer), index, source, strew::scaled_by{alpha}
#include <strew/strew.hpp>

#include <cstdint>

void f(strew::tensor_view<float> data, strew::tensor_view<const int> index, strew::tensor_view<const float> source,
       strew::tensor_view<std::int64_t> numbers) {
  strew::index_add(data, 0, index, source, strew::reduction::with_positions(strew::reduction::none, numbers));
}
