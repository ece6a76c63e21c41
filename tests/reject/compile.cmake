# SPDX-License-Identifier: Apache-2.0
# Compiles `file` and compares the outcome with what the file says: cmake -D compiler=.. -D compiler_id=.. -D file=..
# -D include=.. -P compile.cmake
if(compiler_id STREQUAL "GNU")
  set(speaker "g\\+\\+")
else()
  set(speaker "clang")
endif()
file(STRINGS ${file} answers REGEX "^// (g\\+\\+|clang) says: ")
file(STRINGS ${file} answer REGEX "^// ${speaker} says: ")
string(REGEX REPLACE "^// ${speaker} says: " "" answer "${answer}")

execute_process(
  COMMAND ${CMAKE_COMMAND} -E env LC_ALL=C ${compiler} -std=c++20 -fsyntax-only -I ${include} ${file}
  RESULT_VARIABLE result
  OUTPUT_VARIABLE output
  ERROR_VARIABLE output
)

if(answers STREQUAL "")
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "This must compile:\n${output}")
  endif()
elseif(answer STREQUAL "")
  message(FATAL_ERROR "The file does not say what ${compiler_id} is to answer")
elseif(result EQUAL 0)
  message(FATAL_ERROR "This must not compile, and does")
else()
  string(FIND "${output}" "${answer}" position)
  if(position EQUAL -1)
    message(FATAL_ERROR "The compiler's answer lacks\n  ${answer}\nIt was\n${output}")
  endif()
endif()
