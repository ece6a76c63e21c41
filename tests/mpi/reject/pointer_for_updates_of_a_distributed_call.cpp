// SPDX-License-Identifier: Apache-2.0
// The address of updates is no pointer to elements of the type.
// says: strew: the address of updates is a pointer to elements of the type
// with: -DRUN=prepared.run(data, other, data)
// with: -DRUN=static_cast<void>(prepared.try_begin(data, other, data))
// with: -DRUN=static_cast<void>(prepared.try_end(data, other, data))
// with: -DRUN=in_place.run(strew::serial, data, other)
// with: -DRUN=in_place.run(data, 0)
// with: -DRUN=in_place.run(data, &updates)
#include <strew/mpi/prepared_distributed_scatter.hpp>

#include <strew/mpi.hpp>

#include <cstdint>

void f(const strew::mpi::distributed_tensor_view<float>& table,
       const strew::mpi::distributed_tensor_view<const std::int64_t>& rows, float* data, const float* updates,
       const double* other) {
  auto in_place = strew::mpi::prepare<float, std::int64_t>(strew::mpi::index_add, table, 0, rows, table);
  auto prepared = strew::mpi::prepare<float, std::int64_t>(strew::mpi::index_add, table, 0, rows, table, table);
  RUN;
}
