# SPDX-License-Identifier: Apache-2.0
# cmake -D PROGRAM=<file> -D DIRECTORY=<empty directory> -P expect_help.cmake
# Succeeds if the program prints a help with its name for --help and -h, exits with code 2 and one line for an unknown
# option, and writes no file.
cmake_minimum_required(VERSION 3.23)
cmake_path(GET PROGRAM FILENAME name)
file(REMOVE_RECURSE ${DIRECTORY})
file(MAKE_DIRECTORY ${DIRECTORY})

foreach(option IN ITEMS --help -h --no-such-option)
  execute_process(
    COMMAND ${PROGRAM} ${option}
    WORKING_DIRECTORY ${DIRECTORY} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE error)
  if(option STREQUAL "--no-such-option")
    if(NOT result EQUAL 2 OR NOT output STREQUAL "" OR NOT error MATCHES "^${name}: [^\n]*${option}[^\n]*\n$")
      message(SEND_ERROR "${name} ${option}: expected exit code 2 and one line, got ${result} and:\n${output}${error}")
    endif()
  elseif(NOT result EQUAL 0 OR NOT output MATCHES "${name}.*\n.*[a-z].*\n" OR NOT error STREQUAL "")
    message(SEND_ERROR "${name} ${option}: expected a text that names it, got ${result} and:\n${output}${error}")
  endif()
endforeach()

file(GLOB written ${DIRECTORY}/*)
if(written)
  message(SEND_ERROR "${name}: has written ${written}")
endif()
