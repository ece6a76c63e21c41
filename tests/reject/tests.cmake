# SPDX-License-Identifier: Apache-2.0
# What must not compile: each file here is one program with one mistake, and names in a line `// g++ says:` and one
# `// clang says:` what the compiler is to answer. A file without such lines is a program that must compile; should the
# headers themselves be broken, those say so.
if(NOT CMAKE_CXX_COMPILER_ID MATCHES "GNU|Clang")
  message(STATUS "Not tested: what must not compile, since its messages are known for g++ and clang only")
  return()
endif()

file(GLOB files CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/*.cpp)
foreach(file IN LISTS files)
  cmake_path(GET file STEM name)
  string(REPLACE "_" " " sentence ${name})
  add_test(
    NAME "reject: ${sentence}"
    COMMAND ${CMAKE_COMMAND} -D compiler=${CMAKE_CXX_COMPILER} -D compiler_id=${CMAKE_CXX_COMPILER_ID} -D file=${file}
            -D include=${PROJECT_SOURCE_DIR}/include -P ${CMAKE_CURRENT_LIST_DIR}/compile.cmake
  )
endforeach()
