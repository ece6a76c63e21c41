// SPDX-License-Identifier: Apache-2.0
// The address of updates is no pointer to elements of the type.
// says first: strew: the address of updates is a pointer to elements of the type for which the call was prepared
// with: -DRUN=prepared.run(data, indices, other, output)
// with: -DRUN=static_cast<void>(prepared.try_run(data, indices, other, output))
// with: -DRUN=prepared.run(strew::serial, data, indices, other, output)
// with: -DRUN=prepared.run(output, indices, 12345)
// with: -DRUN=prepared.run(data, indices, indices, output)
// with: -DRUN=prepared.run(output, indices, 0.5F)
// with: -DRUN=bound.run(data, other, output)
// with: -DRUN=static_cast<void>(bound.try_run(data, other, output))
// with: -DRUN=bound.run(output, 0)
#include <strew/strew.hpp>

#include <cstdint>

using call = strew::prepared<float, std::int64_t, strew::index_add, std::int64_t>;

void f(const call& prepared, const strew::bound<float, std::int64_t, strew::index_add, std::int64_t>& bound,
       const float* data, const std::int64_t* indices, const float* updates, float* output, const double* other) {
  RUN;
}
