# SPDX-License-Identifier: Apache-2.0
# strew::mpi: strew::strew with the MPI library that <strew/mpi.hpp> needs, over MPI's interface for C alone. Where no
# MPI library is found there is no such target, which is no error.
if(NOT TARGET strew::mpi)
  set(MPI_CXX_SKIP_MPICXX ON)
  find_package(MPI QUIET COMPONENTS CXX)
  if(MPI_CXX_FOUND)
    add_library(strew::mpi INTERFACE IMPORTED GLOBAL)
    target_link_libraries(strew::mpi INTERFACE strew::strew MPI::MPI_CXX)
  endif()
endif()
