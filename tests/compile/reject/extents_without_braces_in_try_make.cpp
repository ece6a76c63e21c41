// SPDX-License-Identifier: Apache-2.0
// Nor are they in the form without exceptions.
// says first: strew: extents stand in braces, strew::tensor_view{pointer, {3, 4}}
#include <strew/strew.hpp>

#include <cstdint>

bool f(float* data, strew::tensor_view<float>& view) {
  return strew::tensor_view<float>::try_make(data, 3, 4, view).ok();
}
