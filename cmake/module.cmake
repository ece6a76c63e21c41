# SPDX-License-Identifier: Apache-2.0
# strew::module: the C++20 module `strew`, for those who write `import strew;`. It is a static library with next to nothing
# in it; what is imported is built anew by each project, from src/strew.cppm.
if(CMAKE_VERSION VERSION_LESS 3.28 OR NOT CMAKE_GENERATOR MATCHES "Ninja")
  message(FATAL_ERROR "STREW_BUILD_MODULE needs CMake 3.28 and Ninja; "
                      "these are ${CMAKE_VERSION} and ${CMAKE_GENERATOR}")
endif()
# Tried with Clang 19 and 21. The loops have attributes of optimisation and of the target: GCC 14.2 stops with an internal
# error at these, and 16.2 leaves them out.
if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang" OR CMAKE_CXX_COMPILER_VERSION VERSION_LESS 17)
  message(FATAL_ERROR "STREW_BUILD_MODULE needs Clang 17 or newer with clang-scan-deps, since GCC's modules hold no functions "
                      "with attributes of the target; this is ${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}")
endif()
add_library(strew_module STATIC)
add_library(strew::module ALIAS strew_module)
set_target_properties(strew_module PROPERTIES EXPORT_NAME module)
target_sources(strew_module PUBLIC FILE_SET CXX_MODULES BASE_DIRS src FILES src/strew.cppm)
target_link_libraries(strew_module PUBLIC strew::strew)
list(APPEND strew_targets strew_module)
set(strew_module_files CXX_MODULES_DIRECTORY module)
