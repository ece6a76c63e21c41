# SPDX-License-Identifier: Apache-2.0
# How debuggers show the types of strew: what gdb and lldb print, and that strew.natvis names what there is.
find_package(Python3 COMPONENTS Interpreter QUIET)
if(NOT Python3_FOUND OR CMAKE_CXX_FLAGS MATCHES "-fsanitize")
  message(STATUS "Not tested: what debuggers show, for want of Python or because of sanitizers")
  return()
endif()

set(natvis ${PROJECT_SOURCE_DIR}/packaging/natvis/strew.natvis)
set(check ${CMAKE_CURRENT_SOURCE_DIR}/packaging/debuggers/check_natvis.py)
set(natvis_source ${CMAKE_CURRENT_BINARY_DIR}/natvis.cpp)
add_custom_command(OUTPUT ${natvis_source} COMMAND ${Python3_EXECUTABLE} -B ${check} ${natvis} ${natvis_source}
                   DEPENDS ${natvis} ${check} VERBATIM)
add_executable(strew_natvis_test ${natvis_source})
target_link_libraries(strew_natvis_test PRIVATE strew::strew)
target_compile_options(strew_natvis_test PRIVATE -O0 -w)  # it makes private members public
add_test(NAME "debuggers: strew.natvis names what there is" COMMAND strew_natvis_test)

add_executable(strew_debugger_values EXCLUDE_FROM_ALL packaging/debuggers/values.cpp)
target_link_libraries(strew_debugger_values PRIVATE strew::strew)
target_compile_options(strew_debugger_values PRIVATE -g -O0)
find_program(STREW_GDB gdb)
find_program(STREW_LLDB NAMES lldb lldb-14)
foreach(debugger IN ITEMS gdb lldb)
  string(TOUPPER "STREW_${debugger}" program)
  if(NOT ${program})
    message(STATUS "Not tested: what ${debugger} shows, it is not installed (Debian: apt-get install ${debugger})")
    continue()
  endif()
  set_target_properties(strew_debugger_values PROPERTIES EXCLUDE_FROM_ALL FALSE)
  set(name "debuggers: ${debugger} shows views, lists and statuses")
  add_test(NAME ${name}
           COMMAND ${Python3_EXECUTABLE} -B ${CMAKE_CURRENT_SOURCE_DIR}/packaging/debuggers/check_${debugger}.py ${${program}}
                   ${PROJECT_SOURCE_DIR}/packaging/${debugger}/strew_${debugger}.py $<TARGET_FILE:strew_debugger_values>)
  set_tests_properties(${name} PROPERTIES SKIP_REGULAR_EXPRESSION "${debugger} test skipped")
endforeach()
