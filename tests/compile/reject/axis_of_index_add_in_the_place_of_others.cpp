// SPDX-License-Identifier: Apache-2.0
// The axis stands where OpenVINO's operators have it.
// says first: strew: the order is executor (if any), data, axis (an integer), index, source
#include <strew/strew.hpp>

#include <cstdint>

void f(strew::tensor_view<int> data, strew::tensor_view<const std::int64_t> index) {
  strew::index_add(data, index, data, 0);
}
