// SPDX-License-Identifier: Apache-2.0
// The address of the output is no pointer to elements of the type.
// says first: strew: the address of output is a pointer to elements of the type for which the call was prepared
// with: -DRUN=prepared.run(data, indices, updates, const_cast<double*>(other))
// with: -DRUN=static_cast<void>(prepared.try_run(data, indices, updates, const_cast<double*>(other)))
// with: -DRUN=prepared.run(strew::serial, data, indices, updates, const_cast<double*>(other))
// with: -DRUN=prepared.run(data, indices, updates, 12345)
// with: -DRUN=prepared.run(data, indices, updates, other)
// with: -DRUN=prepared.run(data, indices, updates, static_cast<void*>(output))
// with: -DRUN=bound.run(data, updates, const_cast<double*>(other))
// with: -DRUN=static_cast<void>(bound.try_run(data, updates, const_cast<double*>(other)))
#include <strew/strew.hpp>

#include <cstdint>

using call = strew::prepared<float, std::int64_t, strew::index_add, std::int64_t>;

void f(const call& prepared, const strew::bound<float, std::int64_t, strew::index_add, std::int64_t>& bound,
       const float* data, const std::int64_t* indices, const float* updates, float* output, const double* other) {
  RUN;
}
