// SPDX-License-Identifier: Apache-2.0
// The output of a prepared distributed call is const.
// says: strew: output is written, so its elements must not be const
// with: -DRUN=prepared.run(data, updates, updates)
// with: -DRUN=static_cast<void>(prepared.try_begin(strew::serial, data, updates, updates))
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
