// SPDX-License-Identifier: Apache-2.0
// Data and a slice alone.
// g++ says first: no match for call to
// clang says first: no matching function for call to object of type
#include <strew/strew.hpp>

void f(strew::tensor_view<float> data, const strew::slice_spec& slice) {
  strew::slice_scatter(data, slice);
}
