# SPDX-License-Identifier: Apache-2.0
# A CMake package in the tree where strew is built. Who exports a target that hands strew on, with export(), needs it: it
# has the targets that CMake looks for then, and find_package(strew) finds it where strew_DIR names this directory.
include(CMakePackageConfigHelpers)
export(TARGETS ${strew_targets} NAMESPACE strew:: FILE ${PROJECT_BINARY_DIR}/strew-targets.cmake ${strew_module_files})
# strew::mpi is besides the targets, where there is an MPI library.
set(strew_package_files ${CMAKE_CURRENT_LIST_DIR}/strew-config.cmake ${CMAKE_CURRENT_LIST_DIR}/mpi.cmake)
file(COPY ${strew_package_files} DESTINATION ${PROJECT_BINARY_DIR})

# Headers alone do not depend on the architecture.
if(strew_targets STREQUAL "strew")
  set(strew_any_architecture ARCH_INDEPENDENT)
endif()
# Before 1.0 a new minor version may break its users, a new patch version may not.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/strew-config-version.cmake
                                 COMPATIBILITY SameMinorVersion ${strew_any_architecture})
