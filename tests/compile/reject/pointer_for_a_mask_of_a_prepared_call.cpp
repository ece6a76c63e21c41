// SPDX-License-Identifier: Apache-2.0
// The address of a mask is no pointer to its elements.
// says first: strew: the address of a mask is a pointer to elements of the type for which the call was prepared
// with: -DRUN=prepared.run(data, other, data)
// with: -DRUN=static_cast<void>(prepared.try_run(data, other, data))
// with: -DRUN=prepared.run(strew::serial, data, other, data, data)
// with: -DRUN=prepared.run(data, data, data)
// with: -DRUN=prepared.run(data, reinterpret_cast<const char*>(mask), data)
// with: -DRUN=prepared.run(data, 1, data)
// with: -DRUN=prepared.run(data, true, data)
// with: -DRUN=static_cast<void>(prepared.bind(other, {}))
// with: -DRUN=static_cast<void>(prepared.try_bind(other, {}, made))
#include <strew/strew.hpp>

using call = strew::prepared<float, bool, strew::masked_scatter>;
using bound_call = strew::bound<float, bool, strew::masked_scatter>;

void f(const call& prepared, bound_call& made, float* data, const bool* mask, const int* other) {
  RUN;
}
