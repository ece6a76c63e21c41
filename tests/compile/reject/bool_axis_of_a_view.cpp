// SPDX-License-Identifier: Apache-2.0
// An axis is not a truth value, for the transforms of views either.
// g++ says: satisfaction of 'index_integer<
// clang says: because 'bool' does not satisfy 'index_integer'
#include <strew/strew.hpp>

strew::tensor_view<float> backwards(strew::tensor_view<float> view) {
  return strew::reverse(view, true);
}
