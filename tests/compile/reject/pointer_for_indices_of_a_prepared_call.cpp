// SPDX-License-Identifier: Apache-2.0
// The address of the indices is no pointer to integers of their type.
// says first: strew: the address of indices is a pointer to integers of the type for which the call was prepared
// with: -DRUN=prepared.run(data, narrow, updates, output)
// with: -DRUN=static_cast<void>(prepared.try_run(data, narrow, updates, output))
// with: -DRUN=static_cast<void>(prepared.try_run(strew::serial, data, narrow, updates, output))
// with: -DRUN=prepared.run(data, positive, updates, output)
// with: -DRUN=prepared.run(output, updates, updates)
// with: -DRUN=prepared.run(data, 12345, updates, output)
// with: -DRUN=prepared.run(data, 0, updates, output)
// with: -DRUN=prepared.run(data, &indices, updates, output)
// with: -DRUN=prepared.run(data, *indices, updates, output)
// with: -DRUN=prepared.run(data, static_cast<const void*>(indices), updates, output)
// with: -DRUN=static_cast<void>(prepared.bind(narrow, {}))
// with: -DRUN=static_cast<void>(prepared.bind(12345, {}))
// with: -DRUN=static_cast<void>(prepared.bind(updates, {}))
// with: -DRUN=static_cast<void>(prepared.try_bind(narrow, {}, made))
// with: -DRUN=static_cast<void>(prepared.try_bind(&indices, {}, made))
#include <strew/strew.hpp>

#include <cstdint>

using call = strew::prepared<float, std::int64_t, strew::index_add, std::int64_t>;

void f(const call& prepared, strew::bound<float, std::int64_t, strew::index_add, std::int64_t>& made, const float* data,
       const std::int64_t* indices, const std::int32_t* narrow, const std::uint64_t* positive, const float* updates,
       float* output) {
  RUN;
}
