# SPDX-License-Identifier: Apache-2.0
# strew_can_fetch(<result> <name> <repository>): whether FetchContent would get the sources. Where it cannot, it ends the
# configuration; what the rest can do without asks first.
include_guard()
function(strew_can_fetch result name repository)
  string(TOUPPER ${name} upper_name)
  if(NOT FETCHCONTENT_SOURCE_DIR_${upper_name} AND NOT STREW_FETCHED_${upper_name})
    find_package(Git QUIET)
    set(failure no-git)
    if(GIT_FOUND)
      execute_process(
        COMMAND ${CMAKE_COMMAND} -E env GIT_TERMINAL_PROMPT=0 ${GIT_EXECUTABLE} ls-remote --quiet ${repository} HEAD
        TIMEOUT 20 RESULT_VARIABLE failure OUTPUT_QUIET ERROR_QUIET)
    endif()
    if(NOT failure EQUAL 0)
      set(${result} FALSE PARENT_SCOPE)
      return()
    endif()
    # What was fetched stays there, and is used without a network too.
    set(STREW_FETCHED_${upper_name} TRUE CACHE INTERNAL "")
  endif()
  set(${result} TRUE PARENT_SCOPE)
endfunction()
