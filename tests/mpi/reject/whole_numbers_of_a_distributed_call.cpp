// SPDX-License-Identifier: Apache-2.0
// The numbers of a distributed call are no distributed tensor, or those of another call are one.
// says: strew: the numbers of with_positions are a distributed tensor if data is one, and not otherwise
// with: -DWHOLE
#include <strew/mpi.hpp>

#include <cstdint>

void f(const strew::mpi::distributed_tensor_view<float>& table,
       const strew::mpi::distributed_tensor_view<const std::int64_t>& rows, strew::tensor_view<std::int64_t> numbers,
       const strew::mpi::distributed_tensor_view<std::int64_t>& parts) {
  namespace red = strew::reduction;
#if defined(WHOLE)
  strew::index_copy(table.local(), 0, rows.local(), table.local(), red::with_positions(red::none, parts));
#else
  static_cast<void>(parts);
  strew::mpi::index_copy(table, 0, rows, table, red::with_positions(red::none, numbers));
#endif
}
