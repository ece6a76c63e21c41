// SPDX-License-Identifier: Apache-2.0
// These would be an extent and a stride.
// says first: strew: extents stand in braces, strew::tensor_view{pointer, {3, 4}}
#include <strew/strew.hpp>

#include <cstdint>

strew::tensor_view<float> f(float* data) {
  return strew::tensor_view<float>(data, 3, 4);
}
