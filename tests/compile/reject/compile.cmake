# SPDX-License-Identifier: Apache-2.0
# Compiles `file` and compares the outcome with what the file says: cmake -D compiler=.. -D compiler_id=.. -D file=..
# -D include=.. -D hidden_lines=.. [-D precompiled=OPTION;..] -P compile.cmake
#
#   // says first: TEXT           the first line with `error:`, in which a user reads what to do
#   // g++ says first: TEXT       the same where compilers differ; `clang` likewise
#   // g++ says: TEXT             somewhere in the answer
#   // flags: OPTION;..           of the compiler, besides
#   // with: OPTION                on several lines: one program for each, all with the mistake
#
# Where that line is one of strew's own (strew: ..) it is among the first eight that g++ prints, and the first five of
# clang, quoted source lines not counted, and no more than 2 KiB stand before it. `hidden_lines`: how many lines of
# include directives a precompiled header leaves out, which stand in the answer to a user.
if(compiler_id STREQUAL "GNU")
  set(speaker "g\\+\\+")
  set(most_lines 8)
  set(quoted "^ *[0-9]* \\|")
else()
  set(speaker "clang")
  set(most_lines 5)
  set(quoted "^( |static_assert|$)")
endif()
file(STRINGS ${file} answers REGEX "^// (g\\+\\+ |clang )?says( first)?: ")
file(STRINGS ${file} answer REGEX "^// (${speaker} )?says( first)?: ")
file(STRINGS ${file} flags REGEX "^// flags: ")
string(REPLACE "// flags: " "" flags "${flags}")
file(STRINGS ${file} programs REGEX "^// with: ")
string(REPLACE "// with: " "" programs "${programs}")

function(check_program)
  execute_process(
    COMMAND ${CMAKE_COMMAND} -E env LC_ALL=C ${compiler} -std=c++20 -fsyntax-only ${flags} ${ARGV} ${precompiled} -I ${include} ${file}
    RESULT_VARIABLE result
    OUTPUT_VARIABLE output
    ERROR_VARIABLE output
  )
  set(as_printed "${output}")

  # The inline namespaces are named after the version and the flags.
  string(REGEX REPLACE "v[0-9]+_[0-9]+r[0-9]+::" "" output "${output}")
  string(REGEX REPLACE "c[0-5][0-7][0-7][0-7]::" "" output "${output}")
  string(REGEX REPLACE "\\[abi:c[0-5][0-7][0-7][0-7]\\]" "" output "${output}")

  if(answers STREQUAL "")
    if(NOT result EQUAL 0)
      message(FATAL_ERROR "This must compile:\n${output}")
    endif()
    return()
  elseif(answer STREQUAL "")
    message(FATAL_ERROR "The file does not say what ${compiler_id} is to answer")
  elseif(result EQUAL 0)
    message(FATAL_ERROR "This must not compile, and does: ${ARGV}")
  endif()

  set(place "The compiler's answer")
  set(heard "${output}")
  set(is_first FALSE)
  if(answer MATCHES "^// [^:]*says first: ")
    set(is_first TRUE)
    set(place "The compiler's first line with an error")
    string(REGEX MATCH "[^\n]*error: [^\n]*" heard "${output}")
  endif()
  string(REGEX REPLACE "^// [^:]*says[^:]*: " "" answer "${answer}")
  string(REPLACE "\\;" ";" answer "${answer}")  # file(STRINGS) makes a list
  string(FIND "${heard}" "${answer}" position)
  if(position EQUAL -1)
    message(FATAL_ERROR "${place} lacks\n  ${answer}\nThe answer was\n${output}")
  endif()
  if(NOT is_first OR NOT answer MATCHES "^strew: ")
    return()
  endif()

  string(FIND "${as_printed}" "error: " before)
  if(before GREATER 2048)
    message(FATAL_ERROR "${before} bytes stand before the reason, at most 2048 may:\n${as_printed}")
  endif()
  string(SUBSTRING "${as_printed}" 0 ${before} lines)
  string(REPLACE ";" "," lines "${lines}")
  string(REPLACE "[" "(" lines "${lines}")
  string(REPLACE "]" ")" lines "${lines}")
  string(REPLACE "\n" ";" lines "${lines}")
  set(line ${hidden_lines})
  foreach(each IN LISTS lines)
    if(NOT each MATCHES "${quoted}")
      math(EXPR line "${line} + 1")
    endif()
  endforeach()
  if(line GREATER most_lines)
    message(FATAL_ERROR "The reason is line ${line}, at most ${most_lines} is wanted:\n${as_printed}")
  endif()
  message("The reason is line ${line}, behind ${before} bytes")
endfunction()
if(programs)
  foreach(program IN LISTS programs)
    check_program(${program})
  endforeach()
else()
  check_program()
endif()
