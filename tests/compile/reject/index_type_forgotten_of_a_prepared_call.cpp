// SPDX-License-Identifier: Apache-2.0
// The index type is missing.
// says first: strew: a call is prepared for types: strew::prepare<float, std::int64_t>(..)
#include <strew/strew.hpp>

#include <cstdint>

auto f(strew::tensor_view<float> data, strew::tensor_view<const int> indices) {
  return strew::prepare<float>(strew::index_add, {data.layout(), indices.layout(), data.layout()}, 0);
}
