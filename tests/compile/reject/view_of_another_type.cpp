// SPDX-License-Identifier: Apache-2.0
// A view does not become one of another element type.
// g++ says: could not convert 'from' from 'tensor_view<float>' to 'tensor_view<double>'
// clang says: no viable conversion from returned value of type 'tensor_view<float>'
#include <strew/strew.hpp>

strew::tensor_view<double> convert(strew::tensor_view<float> from) {
  return from;
}
