// SPDX-License-Identifier: Apache-2.0
// A coordinate is made of integers.
// g++ says: the expression '(... && index_integer<I>) [with I = {double}]' evaluated to 'false'
// clang says: because 'double' does not satisfy 'index_integer'
#include <strew/strew.hpp>

float element(strew::tensor_view<float> view) {
  return view(1.0);
}
