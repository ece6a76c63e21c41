# SPDX-License-Identifier: Apache-2.0
# cmake -D MESSAGE=<regular expression> -P expect_refusal.cmake -- <program> <argument>...
# Succeeds if the program exits with 2 and its error output matches.
cmake_minimum_required(VERSION 3.23)

set(command "")
set(after_dashes FALSE)
math(EXPR last "${CMAKE_ARGC} - 1")
foreach(i RANGE ${last})
  if(after_dashes)
    list(APPEND command "${CMAKE_ARGV${i}}")
  elseif(CMAKE_ARGV${i} STREQUAL "--")
    set(after_dashes TRUE)
  endif()
endforeach()

execute_process(COMMAND ${command} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE error)
if(NOT result EQUAL 2 OR NOT error MATCHES "${MESSAGE}")
  message(FATAL_ERROR "expected exit code 2 and an error like '${MESSAGE}', got ${result} and:\n${output}${error}")
endif()
