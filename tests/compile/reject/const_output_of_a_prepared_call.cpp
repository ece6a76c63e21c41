// SPDX-License-Identifier: Apache-2.0
// The output of a prepared call is const.
// says first: strew: output is written, so its elements must not be const
// with: -DRUN=prepared.run(data, indices, updates, data)
// with: -DRUN=static_cast<void>(prepared.try_run(data, indices, updates, data))
// with: -DRUN=bound.run(data, updates, data)
// with: -DRUN=static_cast<void>(bound.try_run(strew::serial, data, updates, data))
#include <strew/strew.hpp>

#include <cstdint>

using call = strew::prepared<float, std::int64_t, strew::index_add, std::int64_t>;

void f(const call& prepared, const strew::bound<float, std::int64_t, strew::index_add, std::int64_t>& bound,
       const float* data, const std::int64_t* indices, const float* updates, float* output, const double* other) {
  RUN;
}
