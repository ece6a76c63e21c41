// SPDX-License-Identifier: Apache-2.0
// The address of data is no pointer to elements of the type.
// says first: strew: the address of data is a pointer to elements of the type for which the call was prepared
// with: -DRUN=prepared.run(other, indices, updates, output)
// with: -DRUN=static_cast<void>(prepared.try_run(other, indices, updates, output))
// with: -DRUN=prepared.run(strew::serial, other, indices, updates, output)
// with: -DRUN=prepared.run(12345, indices, updates, output)
// with: -DRUN=prepared.run(strew::tensor_view{data, {4}}, indices, updates, output)
// with: -DRUN=prepared.run(&output, indices, updates, output)
// with: -DRUN=prepared.run(static_cast<const void*>(data), indices, updates, output)
// with: -DRUN=bound.run(other, updates, output)
// with: -DRUN=static_cast<void>(bound.try_run(other, updates, output))
// with: -DRUN=bound.run(strew::serial, other, updates, output)
#include <strew/strew.hpp>

#include <cstdint>

using call = strew::prepared<float, std::int64_t, strew::index_add, std::int64_t>;

void f(const call& prepared, const strew::bound<float, std::int64_t, strew::index_add, std::int64_t>& bound,
       const float* data, const std::int64_t* indices, const float* updates, float* output, const double* other) {
  RUN;
}
