// SPDX-License-Identifier: Apache-2.0
#include "mpi/intercepted.hpp"

#include <mpi.h>

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <random>
#include <thread>

namespace strew::mpi_test {

intercepted calls{.delays = std::getenv("STREW_TEST_DELAYS") != nullptr};

namespace {

// Whether the call is made.
bool enter() {
  if (calls.delays) {
    int rank = 0;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    static std::mt19937 random(static_cast<unsigned>(rank) * 7919U + 1U);
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 4 == 0 ? random() % 2000 : 0));
  }
  return calls.collectives++ != calls.fails_at;
}

}  // namespace
}  // namespace strew::mpi_test

using strew::mpi_test::calls;
using strew::mpi_test::enter;

extern "C" {

int MPI_Allreduce(const void* sent, void* received, int count, MPI_Datatype type, MPI_Op operation, MPI_Comm comm) {
  return enter() ? PMPI_Allreduce(sent, received, count, type, operation, comm) : MPI_ERR_OTHER;
}
int MPI_Bcast(void* values, int count, MPI_Datatype type, int root, MPI_Comm comm) {
  return enter() ? PMPI_Bcast(values, count, type, root, comm) : MPI_ERR_OTHER;
}
int MPI_Alltoall(const void* sent, int count, MPI_Datatype type, void* received, int received_count,
                 MPI_Datatype received_type, MPI_Comm comm) {
  return enter() ? PMPI_Alltoall(sent, count, type, received, received_count, received_type, comm) : MPI_ERR_OTHER;
}
int MPI_Alltoallv(const void* sent, const int* counts, const int* begins, MPI_Datatype type, void* received,
                  const int* received_counts, const int* received_begins, MPI_Datatype received_type, MPI_Comm comm) {
  if (!enter()) return MPI_ERR_OTHER;
  int ranks = 0;
  int rank = 0;
  int size = 0;
  PMPI_Comm_size(comm, &ranks);
  PMPI_Comm_rank(comm, &rank);
  PMPI_Type_size(type, &size);
  for (int r = 0; r < ranks; ++r) {
    if (r == rank || counts[r] == 0) continue;
    calls.bytes += std::int64_t{counts[r]} * size;
    calls.messages += 1;
  }
  return PMPI_Alltoallv(sent, counts, begins, type, received, received_counts, received_begins, received_type, comm);
}

}  // extern "C"
