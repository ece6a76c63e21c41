// SPDX-License-Identifier: Apache-2.0
// Distributed calls do not store which update won.
// says: strew: calls on distributed tensors do not store which update won
#include <strew/mpi.hpp>
#include <strew/operators/with_positions.hpp>

#include <cstdint>

void f(const strew::mpi::distributed_tensor_view<float>& table,
       const strew::mpi::distributed_tensor_view<const std::int64_t>& rows, strew::tensor_view<std::int64_t> numbers) {
  namespace red = strew::reduction;
  strew::mpi::index_copy(table, 0, rows, table, red::with_positions(red::none, numbers));
}
