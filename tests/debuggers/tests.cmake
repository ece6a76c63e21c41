# SPDX-License-Identifier: Apache-2.0
# How debuggers show the types of strew: what gdb prints, and that strew.natvis names what there is.
find_package(Python3 COMPONENTS Interpreter QUIET)
if(NOT Python3_FOUND OR CMAKE_CXX_FLAGS MATCHES "-fsanitize")
  message(STATUS "Not tested: what debuggers show, for want of Python or because of sanitizers")
  return()
endif()

set(natvis ${PROJECT_SOURCE_DIR}/packaging/natvis/strew.natvis)
set(check ${CMAKE_CURRENT_SOURCE_DIR}/debuggers/check_natvis.py)
set(natvis_source ${CMAKE_CURRENT_BINARY_DIR}/natvis.cpp)
add_custom_command(OUTPUT ${natvis_source} COMMAND ${Python3_EXECUTABLE} -B ${check} ${natvis} ${natvis_source}
                   DEPENDS ${natvis} ${check} VERBATIM)
add_executable(strew_natvis_test ${natvis_source})
target_link_libraries(strew_natvis_test PRIVATE strew::strew)
target_compile_options(strew_natvis_test PRIVATE -O0 -w)  # it makes private members public
add_test(NAME "debuggers: strew.natvis names what there is" COMMAND strew_natvis_test)

find_program(STREW_GDB gdb)
if(NOT STREW_GDB)
  message(STATUS "Not tested: what gdb shows, gdb is not installed (Debian: apt-get install gdb)")
  return()
endif()
add_executable(strew_debugger_values debuggers/values.cpp)
target_link_libraries(strew_debugger_values PRIVATE strew::strew)
target_compile_options(strew_debugger_values PRIVATE -g -O0)
add_test(NAME "debuggers: gdb shows views, lists and statuses"
         COMMAND ${Python3_EXECUTABLE} -B ${CMAKE_CURRENT_SOURCE_DIR}/debuggers/check_gdb.py ${STREW_GDB}
                 ${PROJECT_SOURCE_DIR}/packaging/gdb/strew_gdb.py $<TARGET_FILE:strew_debugger_values>)
set_tests_properties("debuggers: gdb shows views, lists and statuses"
                     PROPERTIES SKIP_REGULAR_EXPRESSION "gdb test skipped")
