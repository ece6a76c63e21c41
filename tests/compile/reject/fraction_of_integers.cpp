// SPDX-License-Identifier: Apache-2.0
// Half of an integer.
// says first: strew: the factor of index_add has the element type: integers take no fraction
#include <strew/strew.hpp>

#include <cstdint>

void f(strew::tensor_view<int> data, strew::tensor_view<const std::int64_t> index) {
  strew::index_add(data, 0, index, data, strew::scaled_by{0.5});
}
