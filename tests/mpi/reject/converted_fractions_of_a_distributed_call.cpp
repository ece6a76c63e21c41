// SPDX-License-Identifier: Apache-2.0
// Distributed updates that have no conversion to the elements of data.
// says first: strew: these updates become no elements of data
// with: -DPREPARED
#include <strew/mpi.hpp>

#include <cstdint>

void f(const strew::mpi::distributed_tensor_view<int>& table,
       const strew::mpi::distributed_tensor_view<const std::int64_t>& rows,
       const strew::mpi::distributed_tensor_view<const float>& updates) {
#if defined(PREPARED)
  int* const data = nullptr;
  auto prepared =
      strew::mpi::prepare<int, std::int64_t>(strew::mpi::index_add, table, 0, rows, strew::converted(updates));
  prepared.run(data, updates.local().data());
#else
  strew::mpi::index_add(table, 0, rows, strew::converted(updates));
#endif
}
