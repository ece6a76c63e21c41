// SPDX-License-Identifier: Apache-2.0
// In place on a container that may not be written.
// says first: strew: without an output data is written, so its elements must not be const
#include <strew/strew.hpp>

#include <vector>

void f(const std::vector<float>& data, strew::tensor_view<const bool> mask) {
  strew::masked_fill(data, mask, 1.0F);
}
