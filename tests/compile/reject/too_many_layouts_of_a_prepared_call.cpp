// SPDX-License-Identifier: Apache-2.0
// A slice has no indices.
// says first: strew: the layouts of a prepared call are those of data, indices
#include <strew/strew.hpp>

#include <cstdint>

auto f(strew::tensor_view<float> data, strew::tensor_view<const float> updates) {
  return strew::prepare<float>(strew::slice_scatter, {data.layout(), updates.layout(), data.layout(), data.layout()},
                               {.start = 1});
}
