// SPDX-License-Identifier: Apache-2.0
// An address is missing.
// says first: strew: a prepared call is run on an executor (if any) and the addresses of data
#include <strew/strew.hpp>

#include <cstdint>

void f(strew::tensor_view<float> data, strew::tensor_view<const int> indices) {
  strew::prepare<float, int>(strew::index_add, {data.layout(), indices.layout(), data.layout()}, 0).run(data.data());
}
