// SPDX-License-Identifier: Apache-2.0
// The index type is missing.
// says first: strew: behind the layouts stands what a call has beside its tensors: axis
#include <strew/strew.hpp>

#include <cstdint>

auto f(strew::tensor_view<float> data, strew::tensor_view<const int> indices) {
  return strew::prepare<float>(strew::index_add, {data.layout(), indices.layout(), data.layout()}, 0);
}
