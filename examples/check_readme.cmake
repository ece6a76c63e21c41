# SPDX-License-Identifier: Apache-2.0
# cmake -D README=<file> -D EXAMPLES=<directory> -D HOMEPAGE=<address> -P check_readme.cmake -- <program>...
# Tests that every C++ block of the README is in some example, up to indentation, and that the whole output of each
# program is a text block.
cmake_minimum_required(VERSION 3.23)

# The next block fenced as `language` from `position` on, and its end; an empty one if there is none.
function(next_block language position block end)
  string(SUBSTRING "${readme}" ${position} -1 rest)
  set(fence "\n```${language}\n")
  string(LENGTH "${fence}" fence_length)
  string(FIND "${rest}" "${fence}" begin)
  set(${block} "" PARENT_SCOPE)
  if(begin EQUAL -1)
    return()
  endif()
  math(EXPR begin "${begin} + ${fence_length}")
  string(SUBSTRING "${rest}" ${begin} -1 rest)
  string(FIND "${rest}" "```" length)
  string(SUBSTRING "${rest}" 0 ${length} found)
  set(${block} "${found}" PARENT_SCOPE)
  math(EXPR found_end "${position} + ${begin} + ${length}")
  set(${end} ${found_end} PARENT_SCOPE)
endfunction()

function(without_indentation text result)
  string(REGEX REPLACE "\n +" "\n" stripped "\n${text}")
  set(${result} "${stripped}" PARENT_SCOPE)
endfunction()

file(READ "${README}" readme)

# The address of the repository is that of project().
string(REGEX MATCH "GIT_REPOSITORY ([^ \n]+)" repository "${readme}")
if(repository AND NOT CMAKE_MATCH_1 STREQUAL HOMEPAGE)
  message(FATAL_ERROR "GIT_REPOSITORY is ${CMAKE_MATCH_1}, HOMEPAGE_URL of project() ${HOMEPAGE}")
endif()

set(sources "")
file(GLOB_RECURSE source_files "${EXAMPLES}/*.cpp")
foreach(source_file IN LISTS source_files)
  file(READ "${source_file}" source)
  without_indentation("${source}" source)
  string(APPEND sources "${source}")
endforeach()
set(position 0)
next_block(cpp ${position} block position)
while(NOT block STREQUAL "")
  without_indentation("${block}" stripped)
  string(FIND "${sources}" "${stripped}" found)
  if(found EQUAL -1)
    message(FATAL_ERROR "No example has this block:\n${block}")
  endif()
  next_block(cpp ${position} block position)
endwhile()

# The programs follow the --.
set(is_program FALSE)
foreach(i RANGE ${CMAKE_ARGC})
  if(is_program AND i LESS CMAKE_ARGC)
    execute_process(COMMAND "${CMAKE_ARGV${i}}" OUTPUT_VARIABLE output COMMAND_ERROR_IS_FATAL ANY)
    string(FIND "${readme}" "\n```text\n${output}```\n" found)
    if(found EQUAL -1)
      message(FATAL_ERROR "No text block is what ${CMAKE_ARGV${i}} prints:\n${output}")
    endif()
  elseif("${CMAKE_ARGV${i}}" STREQUAL "--")
    set(is_program TRUE)
  endif()
endforeach()
