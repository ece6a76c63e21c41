# SPDX-License-Identifier: Apache-2.0
# For toolchains that link statically: CMake would find the shared library of OpenMP.
execute_process(
  COMMAND ${CMAKE_CXX_COMPILER} -print-file-name=libgomp.a OUTPUT_VARIABLE strew_libgomp OUTPUT_STRIP_TRAILING_WHITESPACE
)
set(OpenMP_gomp_LIBRARY ${strew_libgomp} CACHE FILEPATH "OpenMP's runtime library")
