// SPDX-License-Identifier: Apache-2.0
// The calls of MPI that a test makes, by MPI's profiling interface: counted, delayed by random times, made to fail,
// or waited for without keeping the processor.
#ifndef STREW_TESTS_MPI_INTERCEPTED_HPP
#define STREW_TESTS_MPI_INTERCEPTED_HPP

#include <cstdint>

namespace strew::mpi_test {

struct intercepted {
  std::int64_t collectives = 0;
  std::int64_t bytes = 0;      // sent to other ranks by MPI_Alltoallv and MPI_Ialltoallv
  std::int64_t messages = 0;   // of at least one byte to another rank, by MPI_Alltoallv and MPI_Ialltoallv
  std::int64_t fails_at = -1;  // the number of the collective call that fails, from 0 on
  bool delays = false;         // ranks wait for up to 2 ms before each call
  bool yields = false;         // ranks that wait in a call give others their processor, as MPICH does not
};
extern intercepted calls;

}  // namespace strew::mpi_test

#endif  // STREW_TESTS_MPI_INTERCEPTED_HPP
