// SPDX-License-Identifier: Apache-2.0
// A view of volatile elements: they cannot be assigned by memcpy.
// g++ says: satisfaction of 'element<T>' [with T = volatile int]
// clang says: because 'volatile int' does not satisfy 'element'
#include <strew/strew.hpp>

void view(volatile int* data) {
  strew::tensor_view<volatile int>{data, {1}};
}
