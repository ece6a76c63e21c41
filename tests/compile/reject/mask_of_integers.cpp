// SPDX-License-Identifier: Apache-2.0
// A mask holds truth values, or bytes.
// says first: strew: a mask is a strew::tensor_view of bool
#include <strew/strew.hpp>

void f(strew::tensor_view<int> data) {
  strew::masked_scatter(data, data, data);
}
