// SPDX-License-Identifier: Apache-2.0
// One tensor of indices without a tuple around it.
// says first: strew: the indices of index_put are a std::tuple of strew::tensor_view of integers
#include <strew/strew.hpp>

#include <cstdint>

void f(strew::tensor_view<int> data, strew::tensor_view<const std::int64_t> index) {
  strew::index_put(data, index, data);
}
