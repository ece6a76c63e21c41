# SPDX-License-Identifier: Apache-2.0
# The CMake package: find_package(strew) gives strew::strew, strew::compiled and strew::module if they were built, and
# strew::mpi if an MPI library is found.
include(${CMAKE_CURRENT_LIST_DIR}/strew-targets.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/mpi.cmake)
