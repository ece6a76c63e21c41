// SPDX-License-Identifier: Apache-2.0
// An operator that assigns has no maximum.
// says first: strew: this operator assigns: what may follow its operands is with_positions of none
#include <strew/strew.hpp>

#include <cstdint>

void f(strew::tensor_view<float> data, strew::tensor_view<const int> index, strew::tensor_view<const float> source,
       strew::tensor_view<std::int64_t> numbers) {
  strew::scatter_update(data, index, source, 0, strew::reduction::with_positions(strew::reduction::max, numbers));
}
