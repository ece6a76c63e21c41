// SPDX-License-Identifier: Apache-2.0
// The type of indices is named, with a policy too.
// says first: strew: a call is prepared for types: strew::prepare<float, std::int64_t>(..)
#include <strew/strew.hpp>

auto f(strew::tensor_view<float> data, strew::tensor_view<const int> indices, strew::tensor_view<const float> updates) {
  return strew::prepare<float>(strew::index_add, {data.layout(), strew::drop(indices.layout()), updates.layout()}, 0);
}
