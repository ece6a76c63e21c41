// SPDX-License-Identifier: Apache-2.0
// The error of a call is its status.
// flags: -Werror
// says first: strew: a status says whether the call succeeded
#include <strew/strew.hpp>

#include <cstdint>

void f(strew::tensor_view<float> data, strew::tensor_view<const int> indices) {
  strew::try_scatter_update(data, indices, 1, 0);
}
