// SPDX-License-Identifier: Apache-2.0
// A step is an integer.
// g++ says: satisfaction of 'index_integer<Step>' [with Step = double]
// clang says: because 'double' does not satisfy 'index_integer'
#include <strew/strew.hpp>

strew::tensor_view<float> every_other(strew::tensor_view<float> view) {
  return strew::slice(view, 0, 0, 9, 2.0);
}
