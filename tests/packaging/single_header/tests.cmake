# SPDX-License-Identifier: Apache-2.0
# Puts the single header in the place of all others: a folder is made in which each header of strew is a line that
# includes it, and all that is built here finds that folder first. Left as they are: what is installed, and the projects
# of tests/packaging/consumer, which see the sources.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
set(script ${PROJECT_SOURCE_DIR}/scripts/single-header)
set(strew_include ${PROJECT_BINARY_DIR}/single_header)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${script} ${strew_headers} ${strew_mpi_headers})
execute_process(COMMAND ${Python3_EXECUTABLE} -B ${script} --include-tree ${strew_include} COMMAND_ERROR_IS_FATAL ANY)
target_include_directories(strew BEFORE INTERFACE $<BUILD_INTERFACE:${strew_include}>)

# As its users include it: by itself, in two units that ask for different things.
find_package(Threads REQUIRED)
add_executable(strew_single_header_test packaging/single_header/main.cpp packaging/single_header/unit.cpp)
target_compile_features(strew_single_header_test PRIVATE cxx_std_20)
target_include_directories(strew_single_header_test PRIVATE ${strew_include})
target_link_libraries(strew_single_header_test PRIVATE Threads::Threads)
add_test(NAME "single header: units that ask for different things link and run" COMMAND strew_single_header_test)

add_test(NAME "single header: a fresh one is told"
         COMMAND ${Python3_EXECUTABLE} -B ${script} --check ${strew_include}/strew.hpp)
file(CONFIGURE OUTPUT stale.hpp CONTENT "// of yesterday\n")
add_test(NAME "single header: another one is told"
         COMMAND ${Python3_EXECUTABLE} -B ${script} --check ${CMAKE_CURRENT_BINARY_DIR}/stale.hpp)
set_tests_properties("single header: another one is told"
                     PROPERTIES PASS_REGULAR_EXPRESSION "stale.hpp is not what scripts/single-header makes now")

