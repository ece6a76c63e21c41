// SPDX-License-Identifier: Apache-2.0
// What the examples on distributed tensors share: a program that every rank runs, and an outcome of all of them.
#ifndef STREW_EXAMPLES_MPI_EVERY_RANK_HPP
#define STREW_EXAMPLES_MPI_EVERY_RANK_HPP

#include "../help.hpp"

#include <mpi.h>

#include <cstdio>

struct rank_of_all {
  int rank = 0;
  int ranks = 1;

  rank_of_all() {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  }
  // Prints whether every rank has what one rank alone would have; the exit status.
  [[nodiscard]] int finish(const char* job, bool is_equal) const {
    int differs = is_equal ? 0 : 1;
    MPI_Allreduce(MPI_IN_PLACE, &differs, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    if (rank == 0) {
      std::printf("%d ranks, %s: %s\n", ranks, job, differs == 0 ? "the bits of one rank" : "OTHER bits than one rank");
    }
    return differs;
  }
};

// The program: run(rank_of_all) returns the exit status.
template <class Run>
int run_on_every_rank(int argc, char** argv, const example_help& help, const Run& run) {
  if (const auto status = answer_arguments(argc, argv, help)) return *status;
  MPI_Init(&argc, &argv);
  const int status = run(rank_of_all());
  MPI_Finalize();
  return status;
}

#endif  // STREW_EXAMPLES_MPI_EVERY_RANK_HPP
