// SPDX-License-Identifier: Apache-2.0
// An axis is an integer, for the transforms of views too.
// g++ says: satisfaction of 'index_integer<
// clang says: because 'double' does not satisfy 'index_integer'
#include <strew/strew.hpp>

strew::tensor_view<float> backwards(strew::tensor_view<float> view) {
  return strew::reverse(view, 1.5);
}
