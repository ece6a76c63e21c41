// SPDX-License-Identifier: Apache-2.0
// The element type is found, the extents are not.
// says first: strew: extents stand in braces, strew::tensor_view{pointer, {3, 4}}
#include <strew/strew.hpp>

#include <cstdint>

void f(float* data, int rows, std::int64_t columns) {
  const strew::tensor_view matrix{data, rows, columns, 1};
}
