// SPDX-License-Identifier: Apache-2.0
// A coordinate is made of integers.
// g++ says: the expression '(... && index_integer<Index>) [with Index = {double}]' evaluated to 'false'
// clang says: because 'double' does not satisfy 'index_integer'
#include <strew/strew.hpp>

float element(strew::tensor_view<float> view) {
  return view(1.0);
}
