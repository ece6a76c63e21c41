# SPDX-License-Identifier: Apache-2.0
# That the operators of strew-npy are those that have a tick in the list; the tests of strew-npy run each operator of its
# help. PROGRAM is strew-npy, LIST the program that prints the list.
cmake_minimum_required(VERSION 3.25)
execute_process(COMMAND ${PROGRAM} --help OUTPUT_VARIABLE help COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${LIST} OUTPUT_VARIABLE list COMMAND_ERROR_IS_FATAL ANY)

string(REGEX REPLACE "^.*\nSubcommands:[^\n]*\n" "" help "${help}")
string(REGEX REPLACE "\n\n.*$" "" help "${help}")
string(REGEX MATCHALL "(^|\n)  [a-z_]+ " offered "${help}")
list(TRANSFORM offered STRIP)
string(REGEX MATCHALL "(^|\n)npy\t[a-z_]+" ticked "${list}")
list(TRANSFORM ticked REPLACE "\n?npy\t" "")
list(REMOVE_DUPLICATES ticked)

list(LENGTH offered count)
if(count EQUAL 0)
  message(FATAL_ERROR "strew-npy --help names no operator")
endif()
foreach(name IN LISTS offered)
  if(NOT name IN_LIST ticked)
    message(SEND_ERROR "strew-npy, ${name}: has no tick in the list")
  endif()
endforeach()
foreach(name IN LISTS ticked)
  if(NOT name IN_LIST offered)
    message(SEND_ERROR "strew-npy, ${name}: has a tick in the list, but strew-npy does not offer it")
  endif()
endforeach()
