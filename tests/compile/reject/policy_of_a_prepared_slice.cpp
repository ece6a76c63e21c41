// SPDX-License-Identifier: Apache-2.0
// A slice has no indices, so no policy for them.
// says first: strew: the layouts of a prepared call are those of data, indices
#include <strew/strew.hpp>

auto f(strew::tensor_view<float> data, strew::tensor_view<const float> updates) {
  return strew::prepare<float>(strew::slice_scatter, {data.layout(), strew::drop(updates.layout())},
                               strew::slice_spec{.start = 0, .stop = 1, .step = 1});
}
