// SPDX-License-Identifier: Apache-2.0
// Data and indices alone are no call.
// says first: strew: the layouts of a prepared call are those of data, indices
#include <strew/strew.hpp>

#include <cstdint>

auto f(strew::tensor_view<float> data, strew::tensor_view<const int> indices) {
  return strew::prepare<float, int>(strew::scatter_update, {data.layout(), indices.layout()}, 0);
}
