// SPDX-License-Identifier: Apache-2.0
// A mask, and the positions of a cache, have no policy.
// says first: strew: drop, clip, wrap and assume_valid are for indices; a mask
// with: -DMASK
// with: -DCACHE
#include <strew/strew.hpp>

void f(strew::tensor_view<float> data, strew::tensor_view<const bool> mask, strew::tensor_view<const int> starts,
       strew::tensor_view<const float> update) {
#if defined(MASK)
  strew::masked_fill(data, strew::drop(mask), 1.0F);
#elif defined(CACHE)
  strew::onnx::tensor_scatter(data, update, strew::clip(starts), {});
#endif
  static_cast<void>(data);
  static_cast<void>(mask);
  static_cast<void>(starts);
  static_cast<void>(update);
}
