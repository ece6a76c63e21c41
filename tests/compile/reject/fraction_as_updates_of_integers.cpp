// SPDX-License-Identifier: Apache-2.0
// Integers take no fraction.
// says first: strew: a floating-point value does not go into elements that are integers
#include <strew/strew.hpp>

#include <cstdint>

void f(strew::tensor_view<int> bins, strew::tensor_view<const int> samples) {
  strew::index_add(bins, 0, samples, 1.5);
}
