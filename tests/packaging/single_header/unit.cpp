// SPDX-License-Identifier: Apache-2.0
#include "unit.hpp"

#if defined(STREW_THREADS_HPP) || defined(STREW_DYNAMIC_HPP) || defined(STREW_RUNTIMES_HPP)
#error "The single header has more than was asked for"
#endif

namespace strew::test {

void set_rows(const tensor_view<int>& rows, const tensor_view<const std::int64_t>& indices) {
  const int one = 1;
  scatter_update(rows, indices, broadcast(tensor_view{&one, {}}, {2, 2}), 0);
}

}  // namespace strew::test
