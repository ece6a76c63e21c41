// SPDX-License-Identifier: Apache-2.0
// index_add of elements that have no operator +.
// says first: strew: this element type lacks the operation of this reduction
#include <strew/strew.hpp>

#include <cstdint>

struct point {
  int x;
};

void f(strew::tensor_view<point> data, strew::tensor_view<const std::int64_t> indices) {
  strew::index_add(data, 0, indices, data);
}
