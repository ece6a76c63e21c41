# SPDX-License-Identifier: Apache-2.0
# Builds with one of Debian's cross compilers, and runs under qemu what this machine cannot:
# cmake -D CMAKE_TOOLCHAIN_FILE=cmake/cross.cmake -D STREW_PROCESSOR=<i686, s390x or aarch64>
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES STREW_PROCESSOR)
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR ${STREW_PROCESSOR})
set(CMAKE_CXX_COMPILER ${STREW_PROCESSOR}-linux-gnu-g++)
# So that no library of the target has to be there when the programs run.
set(CMAKE_EXE_LINKER_FLAGS_INIT -static)
include(${CMAKE_CURRENT_LIST_DIR}/static_openmp.cmake)
# x86-64 runs i686 itself.
if(NOT STREW_PROCESSOR STREQUAL "i686")
  set(CMAKE_CROSSCOMPILING_EMULATOR qemu-${STREW_PROCESSOR}-static)
endif()
