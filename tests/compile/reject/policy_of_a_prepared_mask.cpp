// SPDX-License-Identifier: Apache-2.0
// A mask is true or false: no policy goes with it.
// says first: strew: drop, clip, wrap and assume_valid are for indices; a mask
#include <strew/strew.hpp>

auto f(strew::tensor_view<float> data, strew::tensor_view<const bool> mask) {
  return strew::prepare<float, bool>(strew::masked_fill, {data.layout(), strew::drop(mask.layout())}, 1.0F);
}
