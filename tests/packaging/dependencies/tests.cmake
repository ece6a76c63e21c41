# SPDX-License-Identifier: Apache-2.0
# Configures the project beside this file, and builds nothing: strew brought by two dependencies, and exported from the
# tree in which it was built. What is installed where prefixes are absolute is found by the project in consumer.
set(dependencies_dir ${CMAKE_CURRENT_BINARY_DIR}/dependencies)
add_test(NAME "dependencies: start afresh" COMMAND ${CMAKE_COMMAND} -E rm -rf ${dependencies_dir})
set_tests_properties("dependencies: start afresh" PROPERTIES FIXTURES_SETUP dependencies_afresh)

# strew_configure(<name> <fixture> <sources> <option>...): in the directory <fixture>.
function(strew_configure name fixture sources)
  add_test(NAME "dependencies: ${name}"
           COMMAND ${CMAKE_COMMAND} -S ${sources} -B ${dependencies_dir}/${fixture} -G ${CMAKE_GENERATOR}
                   -D CMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER} ${ARGN})
  set_tests_properties("dependencies: ${name}" PROPERTIES FIXTURES_REQUIRED dependencies_afresh
                                                          FIXTURES_SETUP dependencies_${fixture})
endfunction()

set(project ${CMAKE_CURRENT_LIST_DIR})
strew_configure("two of them bring the same version" twice ${project}
                -DSTREW_FIRST=${PROJECT_SOURCE_DIR} -DSTREW_SECOND=${PROJECT_SOURCE_DIR} -DSTREW_INSTALL=ON)
strew_configure("what hands strew on is exported" exported ${project} -DSTREW_FIRST=${PROJECT_SOURCE_DIR})
strew_configure("the tree of a build is found" found ${consumer_source_dir} -DSTREW_FROM=find_package
                -DSTREW_VERSION=${PROJECT_VERSION} -Dstrew_DIR=${dependencies_dir}/exported/first)
set_property(TEST "dependencies: the tree of a build is found" APPEND PROPERTY FIXTURES_REQUIRED dependencies_exported)

# Another version: the same files but for the number.
set(other ${CMAKE_CURRENT_BINARY_DIR}/other_version)
math(EXPR other_patch "${PROJECT_VERSION_PATCH} + 1")
set(other_version ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}.${other_patch})
file(READ ${PROJECT_SOURCE_DIR}/include/strew/config.hpp text)
string(REPLACE "PATCH ${PROJECT_VERSION_PATCH}\n" "PATCH ${other_patch}\n" text "${text}")
file(CONFIGURE OUTPUT ${other}/include/strew/config.hpp CONTENT "${text}" @ONLY)
file(COPY ${PROJECT_SOURCE_DIR}/CMakeLists.txt ${PROJECT_SOURCE_DIR}/cmake DESTINATION ${other})
strew_configure("two of them bring different versions" versions ${project}
                -DSTREW_FIRST=${PROJECT_SOURCE_DIR} -DSTREW_SECOND=${other})
# CMake breaks lines at spaces.
set(s "[ \n]+")
set_tests_properties(
  "dependencies: two of them bring different versions"
  PROPERTIES PASS_REGULAR_EXPRESSION
             "strew${s}${other_version}${s}of${s}${other}${s}.*${s}strew${s}${PROJECT_VERSION}${s}of${s}${PROJECT_SOURCE_DIR}")
strew_configure("the second of them wants more" more ${project}
                -DSTREW_FIRST=${PROJECT_SOURCE_DIR} -DSTREW_SECOND=${PROJECT_SOURCE_DIR} -DSTREW_COMPILED_FOR_SECOND=ON)
set_tests_properties("dependencies: the second of them wants more" PROPERTIES PASS_REGULAR_EXPRESSION
                                                                              "STREW_BUILD_COMPILED${s}for${s}the${s}first")

# Where packages are divided, as by Nix and Guix, the headers have a prefix of their own.
strew_configure(
  "strew has an absolute directory of headers" absolute ${PROJECT_SOURCE_DIR} -DSTREW_BUILD_TESTS=OFF
  -DSTREW_BUILD_EXAMPLES=OFF -DCMAKE_INSTALL_PREFIX=${dependencies_dir}/prefix
  -DCMAKE_INSTALL_INCLUDEDIR=${dependencies_dir}/prefix/headers/include)
add_test(NAME "dependencies: that is installed" COMMAND ${CMAKE_COMMAND} --install ${dependencies_dir}/absolute)
set_tests_properties("dependencies: that is installed" PROPERTIES FIXTURES_REQUIRED dependencies_absolute
                                                                  FIXTURES_SETUP dependencies_installed)
strew_configure("and found" absolute_found ${consumer_source_dir} -DSTREW_FROM=find_package
                -DSTREW_VERSION=${PROJECT_VERSION} -DCMAKE_PREFIX_PATH=${dependencies_dir}/prefix)
set_property(TEST "dependencies: and found" APPEND PROPERTY FIXTURES_REQUIRED dependencies_installed)
