// SPDX-License-Identifier: Apache-2.0
// A mask says where, not how.
// says first: strew: this operator takes no reduction: what follows its operands is the output
#include <strew/strew.hpp>

void f(strew::tensor_view<float> data, strew::tensor_view<const bool> mask) {
  strew::masked_scatter(data, mask, data, strew::reduction::sum);
}
