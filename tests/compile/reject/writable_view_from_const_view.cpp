// SPDX-License-Identifier: Apache-2.0
// A view of const elements does not become one that writes.
// g++ says: operand types are 'strew::tensor_view<float>' and 'strew::tensor_view<const float>'
// clang says: no known conversion from 'tensor_view<const float>' to 'const tensor_view<float>'
#include <strew/strew.hpp>

void assign(strew::tensor_view<float> to, strew::tensor_view<const float> from) {
  to = from;
}
