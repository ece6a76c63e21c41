// SPDX-License-Identifier: Apache-2.0
#include "mpi/intercepted.hpp"

#include <mpi.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <thread>
#include <type_traits>

namespace strew::mpi_test {

intercepted calls{.delays = std::getenv("STREW_TEST_DELAYS") != nullptr,
                  .yields = std::getenv("STREW_TEST_YIELDS") != nullptr};

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

// Makes a collective call of one of these two functions, whose nonblocking form has a request more.
template <class... A>
int collective(int (*blocking)(A...), std::type_identity_t<int (*)(A..., MPI_Request*)> nonblocking,
               std::type_identity_t<A>... arguments) {
  if (!enter()) return MPI_ERR_OTHER;
  if (!calls.yields) return blocking(arguments...);
  MPI_Request request = MPI_REQUEST_NULL;
  int result = nonblocking(arguments..., &request);
  for (int done = 0; result == MPI_SUCCESS && done == 0;) {
    result = PMPI_Test(&request, &done, MPI_STATUS_IGNORE);
    if (done == 0) std::this_thread::yield();
  }
  return result;
}

// Counts what is sent to other ranks. If both buffers have one address, as empty ones may, Open MPI takes
// MPI_Ialltoallv for a call in place, and sends what nobody receives.
void count_messages(const void* sent, const int* counts, MPI_Datatype type, const void* received, MPI_Comm comm) {
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
  if (sent == received) {
    std::fprintf(stderr, "rank %d: what is sent and what is received have one address\n", rank);
    PMPI_Abort(MPI_COMM_WORLD, 1);
  }
}

}  // namespace
}  // namespace strew::mpi_test

using strew::mpi_test::calls;
using strew::mpi_test::collective;
using strew::mpi_test::count_messages;
using strew::mpi_test::enter;

extern "C" {

int MPI_Allreduce(const void* sent, void* received, int count, MPI_Datatype type, MPI_Op operation, MPI_Comm comm) {
  return collective(PMPI_Allreduce, PMPI_Iallreduce, sent, received, count, type, operation, comm);
}
int MPI_Bcast(void* values, int count, MPI_Datatype type, int root, MPI_Comm comm) {
  return collective(PMPI_Bcast, PMPI_Ibcast, values, count, type, root, comm);
}
int MPI_Alltoall(const void* sent, int count, MPI_Datatype type, void* received, int received_count,
                 MPI_Datatype received_type, MPI_Comm comm) {
  return collective(PMPI_Alltoall, PMPI_Ialltoall, sent, count, type, received, received_count, received_type, comm);
}
int MPI_Alltoallv(const void* sent, const int* counts, const int* begins, MPI_Datatype type, void* received,
                  const int* received_counts, const int* received_begins, MPI_Datatype received_type, MPI_Comm comm) {
  count_messages(sent, counts, type, received, comm);
  return collective(PMPI_Alltoallv, PMPI_Ialltoallv, sent, counts, begins, type, received, received_counts,
                    received_begins, received_type, comm);
}
int MPI_Ialltoallv(const void* sent, const int* counts, const int* begins, MPI_Datatype type, void* received,
                   const int* received_counts, const int* received_begins, MPI_Datatype received_type, MPI_Comm comm,
                   MPI_Request* request) {
  count_messages(sent, counts, type, received, comm);
  if (!enter()) return MPI_ERR_OTHER;
  return PMPI_Ialltoallv(sent, counts, begins, type, received, received_counts, received_begins, received_type, comm,
                         request);
}

}  // extern "C"
