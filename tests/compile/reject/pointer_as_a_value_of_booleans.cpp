// SPDX-License-Identifier: Apache-2.0
// A pointer converts to bool, and is no value.
// says first: strew: updates must be a strew::tensor_view: strew::tensor_view{pointer, {2, 3}}, or a tensor that
#include <strew/strew.hpp>

#include <cstdint>

void f(strew::tensor_view<bool> data, strew::tensor_view<const int> indices, const bool* updates) {
  strew::scatter_update(data, indices, updates, 0);
}
