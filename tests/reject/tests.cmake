# SPDX-License-Identifier: Apache-2.0
# What must not compile: each file here is one program with one mistake, and names in a comment what the compiler is to
# answer (see compile.cmake). A file without such a line is a program that must compile; should the headers themselves
# be broken, those say so. Both g++ and clang++ are asked, where they are installed.
if(NOT CMAKE_CXX_COMPILER_ID MATCHES "^(GNU|Clang)$")
  message(STATUS "Not tested: what must not compile, since its messages are known for g++ and clang only")
  return()
endif()

set(reject_ids ${CMAKE_CXX_COMPILER_ID})
set(reject_compiler_${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER})
find_program(STREW_GNU_COMPILER g++)
find_program(STREW_CLANG_COMPILER clang++)
mark_as_advanced(STREW_GNU_COMPILER STREW_CLANG_COMPILER)
if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND STREW_GNU_COMPILER)
  list(APPEND reject_ids GNU)
  set(reject_compiler_GNU ${STREW_GNU_COMPILER})
elseif(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND STREW_CLANG_COMPILER)
  list(APPEND reject_ids Clang)
  set(reject_compiler_Clang ${STREW_CLANG_COMPILER})
endif()

file(GLOB files CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/*.cpp)
foreach(file IN LISTS files)
  cmake_path(GET file STEM name)
  string(REPLACE "_" " " sentence ${name})
  foreach(id IN LISTS reject_ids)
    add_test(
      NAME "reject: ${sentence} (${id})"
      COMMAND ${CMAKE_COMMAND} -D compiler=${reject_compiler_${id}} -D compiler_id=${id} -D file=${file}
              -D include=${PROJECT_SOURCE_DIR}/include -P ${CMAKE_CURRENT_LIST_DIR}/compile.cmake
    )
  endforeach()
endforeach()
