# SPDX-License-Identifier: Apache-2.0
# Includes each public header as C++17, and <strew/strew.hpp> as C++11 and 14 too: the first error must say what to do, and
# little else may follow: cmake -D compiler=.. -D include=.. -P older_standards.cmake
#
# <strew/strew.hpp> is compiled, the others are preprocessed only, and without the standard library, which none may include
# before that error: clang++ reads on after it, in silence, for half a second each.
file(GLOB_RECURSE headers RELATIVE ${include} ${include}/*.hpp)
list(FILTER headers EXCLUDE REGEX "/detail/")
set(ENV{LC_ALL} C)
set(faults "")
foreach(header IN LISTS headers)
  set(how -E -nostdinc)
  set(standards 17)
  if(header STREQUAL "strew/strew.hpp")
    set(how -fsyntax-only)
    set(standards 11 14 17)
  endif()
  foreach(standard IN LISTS standards)
    execute_process(
      COMMAND ${compiler} -std=c++${standard} ${how} -I ${include} -include ${header} -x c++ /dev/null
      OUTPUT_QUIET
      ERROR_VARIABLE output
    )
    string(REGEX MATCH "[^\n]*error: [^\n]*" first "${output}")
    string(REGEX MATCHALL "\n" lines "${output}")
    list(LENGTH lines count)
    if(NOT first MATCHES "strew needs C\\+\\+20: add -std=c\\+\\+20 .*/std:c\\+\\+20" OR count GREATER 8)
      string(APPEND faults "\n${header} as C++${standard}, ${count} lines: ${first}")
    endif()
  endforeach()
endforeach()
list(LENGTH headers count)
if(NOT faults STREQUAL "" OR count EQUAL 0)
  message(FATAL_ERROR "Of ${count} headers these do not ask for C++20 within 8 lines:${faults}")
endif()
