// SPDX-License-Identifier: Apache-2.0
// A mask selects each element once.
// says first: strew: this operator takes no reduction: what follows its operands is the output
#include <strew/strew.hpp>

#include <cstdint>

void f(strew::tensor_view<float> data, strew::tensor_view<const bool> mask, strew::tensor_view<std::int64_t> numbers) {
  strew::masked_scatter(data, mask, data, strew::reduction::with_positions(strew::reduction::none, numbers));
}
