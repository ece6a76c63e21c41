// SPDX-License-Identifier: Apache-2.0
// Offsets are legal, or the call is an error.
// says first: strew: segments take no policy: drop, clip, wrap and assume_valid are for indices
// with: -DDROP
// with: -DASSUME_VALID
#include <strew/strew.hpp>

void f(strew::tensor_view<float> data, strew::tensor_view<const int> offsets, strew::tensor_view<const float> updates) {
#if defined(DROP)
  strew::index_add(data, 0, strew::drop(strew::segments(offsets)), updates);
#elif defined(ASSUME_VALID)
  strew::scatter_update(data, strew::assume_valid(strew::segments(offsets)), updates, 0);
#endif
  static_cast<void>(data);
  static_cast<void>(offsets);
  static_cast<void>(updates);
}
