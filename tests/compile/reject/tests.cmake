# SPDX-License-Identifier: Apache-2.0
# What must not compile: each file here is one program with one mistake, and names in a comment what the compiler is to
# answer (see compile.cmake). A file without such a line is a program that must compile; should the headers themselves
# be broken, those say so. The compiler of the build is asked: g++ by most presets, clang++ by clang and asan.
if(NOT CMAKE_CXX_COMPILER_ID MATCHES "^(GNU|Clang)$")
  message(STATUS "Not tested: what must not compile, since its messages are known for g++ and clang only")
  return()
endif()

add_test(NAME "reject: older standards, by each header"
         COMMAND ${CMAKE_COMMAND} -D compiler=${CMAKE_CXX_COMPILER} -D include=${strew_include}
                 -P ${CMAKE_CURRENT_LIST_DIR}/older_standards.cmake)

# The headers take most of the time of each, so they are precompiled.
set(directory ${CMAKE_CURRENT_BINARY_DIR}/reject)
file(MAKE_DIRECTORY ${directory}/strew)
set(header ${strew_include}/strew/strew.hpp)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  set(output ${directory}/strew/strew.hpp.gch)
  set(precompiled -I ${directory})
  set(hidden_lines 1)  # the include directive of the program
else()
  set(output ${directory}/strew.pch)
  set(precompiled -include-pch ${output})
  set(hidden_lines 0)
endif()
add_test(NAME "reject: the headers are precompiled"
         COMMAND ${CMAKE_CXX_COMPILER} -std=c++20 -I ${strew_include} -x c++-header ${header} -o ${output})
set_tests_properties("reject: the headers are precompiled" PROPERTIES FIXTURES_SETUP strew_reject)

include(${CMAKE_CURRENT_LIST_DIR}/programs.cmake)
strew_add_rejected_programs(${CMAKE_CURRENT_LIST_DIR} ${strew_include} ${hidden_lines} ${precompiled})
set_tests_properties(${strew_rejected_programs} PROPERTIES FIXTURES_REQUIRED strew_reject)
