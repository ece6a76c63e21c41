// SPDX-License-Identifier: Apache-2.0
// Data is no executor, though what follows it is a call.
// says first: strew: data, updates and output must have one element type
// with: -DPUT
// with: -DTUPLES
#include <strew/strew.hpp>

using strew::tensor_view;

void f(tensor_view<const double> data, tensor_view<int> indices, tensor_view<int> updates, tensor_view<int> output) {
#if defined(PUT)
  strew::put(data, indices, updates, output);
#elif defined(TUPLES)
  strew::v14::scatter_nd_update(data, indices, updates, output);
#endif
  static_cast<void>(data);
  static_cast<void>(indices);
  static_cast<void>(updates);
  static_cast<void>(output);
}
