// SPDX-License-Identifier: Apache-2.0
// The addresses that prepared distributed calls take, right: this one compiles.
#include <strew/mpi/prepared_distributed_scatter.hpp>

#include <strew/mpi.hpp>

#include <cstdint>

void f(const strew::mpi::distributed_tensor_view<float>& table,
       const strew::mpi::distributed_tensor_view<const std::int64_t>& rows, float* data, const float* updates,
       const strew::mpi::distributed_tensor_view<const double>& others) {
  auto in_place = strew::mpi::prepare<float, std::int64_t>(strew::mpi::index_add, table, 0, rows, table);
  auto prepared = strew::mpi::prepare<float, std::int64_t>(strew::mpi::index_add, table, 0, rows, table, table);
  float array[4] = {};
  prepared.run(updates, updates, data);
  prepared.run(strew::serial, array, updates, array);
  prepared.begin(nullptr, nullptr, nullptr);
  prepared.end(nullptr, nullptr, nullptr);
  in_place.run(array, array);
  in_place.run(strew::serial, data, updates);
  auto converted =
      strew::mpi::prepare<float, std::int64_t>(strew::mpi::index_add, table, 0, rows, strew::converted(others));
  const double doubles[4] = {};
  converted.run(data, doubles);
}
