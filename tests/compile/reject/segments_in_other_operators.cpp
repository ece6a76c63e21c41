// SPDX-License-Identifier: Apache-2.0
// Segments are rows whose updates are consecutive: no elements, no multi-indices, no masks, and no fill.
// says first: strew: only index_add, index_copy, index_reduce and scatter_update take strew::segments
// with: -DFILL
// with: -DELEMENTS
// with: -DMULTI_INDICES
// with: -DNUMBERS
// with: -DMASK
// with: -DPREPARED
#include <strew/strew.hpp>

void f(strew::tensor_view<float> data, strew::tensor_view<const int> offsets, strew::tensor_view<const float> updates) {
#if defined(FILL)
  strew::index_fill(data, 0, strew::segments(offsets), 1.0F);
#elif defined(ELEMENTS)
  strew::scatter_add(data, 0, strew::segments(offsets), updates);
#elif defined(MULTI_INDICES)
  strew::onnx::scatter_nd(data, strew::segments(offsets), updates);
#elif defined(NUMBERS)
  strew::put(data, strew::segments(offsets), updates);
#elif defined(MASK)
  strew::masked_scatter(data, strew::segments(offsets), updates);
#elif defined(PREPARED)
  static_cast<void>(strew::prepare<float, int>(
      strew::scatter_add, {data.layout(), strew::segments(offsets.layout()), updates.layout()}, 0));
#endif
  static_cast<void>(data);
  static_cast<void>(offsets);
  static_cast<void>(updates);
}
