// SPDX-License-Identifier: Apache-2.0
// The addresses of several tensors of indices are pointers to another type.
// says first: strew: the addresses of several tensors of indices are a std::span of pointers to integers of the type
// with: -DRUN=prepared.run(data, other, data)
// with: -DRUN=static_cast<void>(prepared.try_run(data, other, data))
// with: -DRUN=prepared.run(strew::serial, data, other, data, data)
// with: -DRUN=prepared.run(data, indices, data)
// with: -DRUN=prepared.run(data, std::span<const float* const>(), data)
// with: -DRUN=prepared.run(data, 12345, data)
// with: -DRUN=prepared.run(data, nullptr, data)
// with: -DRUN=prepared.run(data, std::vector<const float*>(), data)
// with: -DRUN=static_cast<void>(prepared.bind(other, {}))
// with: -DRUN=static_cast<void>(prepared.try_bind(other, {}, made))
// with: -DRUN=static_cast<void>(prepared.bind(indices, {}))
#include <strew/strew.hpp>

#include <array>
#include <cstdint>
#include <span>
#include <vector>

using call = strew::prepared<float, std::int64_t, strew::index_put>;
using bound_call = strew::bound<float, std::int64_t, strew::index_put>;

void f(const call& prepared, bound_call& made, float* data, const std::array<const std::int32_t*, 2>& other,
       const std::int64_t* indices) {
  RUN;
}
