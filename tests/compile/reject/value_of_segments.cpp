// SPDX-License-Identifier: Apache-2.0
// One value says not how many updates there are.
// says first: strew: segments need a tensor of updates: one value in their place says not how many there are
// with: -DVALUE
// with: -DPREPARED
#include <strew/strew.hpp>

void f(strew::tensor_view<float> data, strew::tensor_view<const int> offsets) {
#if defined(VALUE)
  strew::index_add(data, 0, strew::segments(offsets), 1);
#elif defined(PREPARED)
  const auto call = strew::prepare<float, int>(strew::index_add,
                                               {data.layout(), strew::segments(offsets.layout()), data.layout()}, 0, 1);
  static_cast<void>(call);
#endif
  static_cast<void>(data);
  static_cast<void>(offsets);
}
