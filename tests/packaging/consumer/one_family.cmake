# SPDX-License-Identifier: Apache-2.0
# Links one_family.cpp with the static library, runs it, and looks for functions of other families in it.
#
#   cmake -D compiler=g++ -D nm=nm -D prefix=<where strew::compiled is> -D program=<to be made> -P one_family.cmake
cmake_minimum_required(VERSION 3.23)
file(GLOB_RECURSE library ${prefix}/libstrew.a)
execute_process(
  COMMAND ${compiler} -std=c++20 -DSTREW_COMPILED=1 -I ${prefix}/include ${CMAKE_CURRENT_LIST_DIR}/one_family.cpp
          ${library} -o ${program} COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${program} COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${nm} -C ${program} OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "erased::(scatter_by<[^>]*>|[a-z_]*scatter|[a-z_]*schedule)\\(strew" families "${symbols}")
list(LENGTH families count)
message("${families}")
if(NOT count EQUAL 1)
  message(FATAL_ERROR "${count} families of operators are linked, expected that of index_add alone")
endif()
