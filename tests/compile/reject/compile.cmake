# SPDX-License-Identifier: Apache-2.0
# Compiles `file` and compares the outcome with what the file says: cmake -D compiler=.. -D compiler_id=.. -D file=..
# -D include=.. [-D precompiled=OPTION;..] -P compile.cmake
#
#   // says first: TEXT           the first line with `error:`, in which a user reads what to do
#   // g++ says first: TEXT       the same where compilers differ; `clang` likewise
#   // g++ says: TEXT             somewhere in the answer
if(compiler_id STREQUAL "GNU")
  set(speaker "g\\+\\+")
else()
  set(speaker "clang")
endif()
file(STRINGS ${file} answers REGEX "^// (g\\+\\+ |clang )?says( first)?: ")
file(STRINGS ${file} answer REGEX "^// (${speaker} )?says( first)?: ")

execute_process(
  COMMAND ${CMAKE_COMMAND} -E env LC_ALL=C ${compiler} -std=c++20 -fsyntax-only ${precompiled} -I ${include} ${file}
  RESULT_VARIABLE result
  OUTPUT_VARIABLE output
  ERROR_VARIABLE output
)

# The inline namespaces are named after the version and the flags.
string(REGEX REPLACE "v[0-9]+_[0-9]+r[0-9]+::" "" output "${output}")
string(REGEX REPLACE "c[0-4][0-7][0-7]::" "" output "${output}")
string(REGEX REPLACE "\\[abi:c[0-4][0-7][0-7]\\]" "" output "${output}")

if(answers STREQUAL "")
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "This must compile:\n${output}")
  endif()
elseif(answer STREQUAL "")
  message(FATAL_ERROR "The file does not say what ${compiler_id} is to answer")
elseif(result EQUAL 0)
  message(FATAL_ERROR "This must not compile, and does")
else()
  set(place "The compiler's answer")
  set(heard "${output}")
  if(answer MATCHES "^// [^:]*says first: ")
    set(place "The compiler's first line with an error")
    string(REGEX MATCH "[^\n]*error: [^\n]*" heard "${output}")
  endif()
  string(REGEX REPLACE "^// [^:]*says[^:]*: " "" answer "${answer}")
  string(REPLACE "\\;" ";" answer "${answer}")  # file(STRINGS) makes a list
  string(FIND "${heard}" "${answer}" position)
  if(position EQUAL -1)
    message(FATAL_ERROR "${place} lacks\n  ${answer}\nThe answer was\n${output}")
  endif()
endif()
