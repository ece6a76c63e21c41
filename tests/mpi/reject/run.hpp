// SPDX-License-Identifier: Apache-2.0
// The program of each file here that says what RUN is: a run of a prepared distributed call.
#include <strew/mpi/prepared_distributed_scatter.hpp>

#include <strew/mpi.hpp>

#include <cstdint>

void f(const strew::mpi::distributed_tensor_view<float>& table,
       const strew::mpi::distributed_tensor_view<const std::int64_t>& rows, float* data, const float* updates,
       const double* other, const strew::mpi::distributed_tensor_view<const double>& others) {
  auto in_place = strew::mpi::prepare<float, std::int64_t>(strew::mpi::index_add, table, 0, rows, table);
  auto prepared = strew::mpi::prepare<float, std::int64_t>(strew::mpi::index_add, table, 0, rows, table, table);
  auto converted =
      strew::mpi::prepare<float, std::int64_t>(strew::mpi::index_add, table, 0, rows, strew::converted(others));
  RUN;
}
