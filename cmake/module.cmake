# SPDX-License-Identifier: Apache-2.0
# strew::module: the C++20 module `strew`, for those who write `import strew;`. It is a static library with next to nothing
# in it; what is imported is built anew by each project, from src/strew.cppm.
if(CMAKE_VERSION VERSION_LESS 3.28 OR NOT CMAKE_GENERATOR MATCHES "Ninja|Visual Studio")
  message(FATAL_ERROR "STREW_BUILD_MODULE needs CMake 3.28 and a generator that knows modules, such as Ninja; "
                      "these are ${CMAKE_VERSION} and ${CMAKE_GENERATOR}")
endif()
if((CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 14) OR
   (CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 17) OR
   NOT CMAKE_CXX_COMPILER_ID MATCHES "^(GNU|Clang)$")
  message(FATAL_ERROR "STREW_BUILD_MODULE needs GCC 14 or Clang 17 with clang-scan-deps; "
                      "this is ${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}")
endif()
add_library(strew_module STATIC)
add_library(strew::module ALIAS strew_module)
set_target_properties(strew_module PROPERTIES EXPORT_NAME module)
target_sources(strew_module PUBLIC FILE_SET CXX_MODULES BASE_DIRS src FILES src/strew.cppm)
target_link_libraries(strew_module PUBLIC strew::strew)
