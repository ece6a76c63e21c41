// SPDX-License-Identifier: Apache-2.0
// Two extensions that one call does not take.
// says first: strew: one call takes one of strew::converted, strew::segments and strew::reduction::with_positions
// with: -DPOSITIONS
// with: -DSEGMENTS
#include <strew/strew.hpp>

namespace red = strew::reduction;

void f(strew::tensor_view<float> data, strew::tensor_view<const int> indices, strew::tensor_view<const double> updates,
       strew::tensor_view<const float> rows, strew::tensor_view<int> numbers) {
#if defined(POSITIONS)
  strew::index_reduce(data, 0, indices, strew::converted(updates), red::with_positions(red::max, numbers));
#elif defined(SEGMENTS)
  strew::index_reduce(data, 0, strew::segments(indices), rows, red::with_positions(red::max, numbers));
#else
  strew::index_add(data, 0, strew::segments(indices), strew::converted(updates));
#endif
  static_cast<void>(rows);
  static_cast<void>(updates);
  static_cast<void>(numbers);
}
