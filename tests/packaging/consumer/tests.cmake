# SPDX-License-Identifier: Apache-2.0
# Builds and runs the project beside this file in every way in which a user gets strew.
set(consumer_source_dir ${CMAKE_CURRENT_SOURCE_DIR}/packaging/consumer)
set(consumer_binary_dir ${CMAKE_CURRENT_BINARY_DIR}/consumer)
set(consumer_prefix ${consumer_binary_dir}/prefix)
set(consumer_options -DCMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER} -DCMAKE_PREFIX_PATH=${consumer_prefix})

# What is left of an earlier run would hide a changed default: CMake keeps options.
add_test(NAME "consumer: starts afresh" COMMAND ${CMAKE_COMMAND} -E rm -rf ${consumer_binary_dir})
set_tests_properties("consumer: starts afresh" PROPERTIES FIXTURES_SETUP consumer_afresh)

find_package(PkgConfig QUIET)
if(NOT PKG_CONFIG_FOUND)
  message(STATUS "Not tested: strew through pkg-config, which is not installed")
endif()

# strew_add_consumer_test(<name> <way> <option>...): configures, builds and runs the project.
function(strew_add_consumer_test name way)
  add_test(
    NAME "consumer: builds with ${name}"
    COMMAND ${CMAKE_CTEST_COMMAND} --build-and-test ${consumer_source_dir} ${consumer_binary_dir}/${name}
            --build-generator ${CMAKE_GENERATOR} --build-options ${consumer_options} -DSTREW_FROM=${way} ${ARGN}
            --test-command consumer
  )
endfunction()

strew_add_consumer_test(add_subdirectory add_subdirectory -DSTREW_CHECKOUT=${PROJECT_SOURCE_DIR})
strew_add_consumer_test(FetchContent FetchContent -DSTREW_CHECKOUT=${PROJECT_SOURCE_DIR})
set_tests_properties("consumer: builds with FetchContent" PROPERTIES FIXTURES_REQUIRED consumer_afresh)
set_tests_properties("consumer: builds with add_subdirectory"
                     PROPERTIES FIXTURES_REQUIRED consumer_afresh FIXTURES_SETUP consumer_subproject)

add_test(NAME "consumer: installs nothing of a subproject"
         COMMAND ${CMAKE_COMMAND} --install ${consumer_binary_dir}/add_subdirectory
                 --prefix ${consumer_binary_dir}/stays-empty)
set_tests_properties("consumer: installs nothing of a subproject"
                     PROPERTIES FIXTURES_REQUIRED consumer_subproject FAIL_REGULAR_EXPRESSION "Installing:|Up-to-date:")

if(STREW_INSTALL)
  add_test(NAME "consumer: installs strew"
           COMMAND ${CMAKE_COMMAND} --install ${PROJECT_BINARY_DIR} --prefix ${consumer_prefix})
  set_tests_properties("consumer: installs strew"
                       PROPERTIES FIXTURES_REQUIRED consumer_afresh FIXTURES_SETUP consumer_installed)

  strew_add_consumer_test(find_package find_package -DSTREW_VERSION=${PROJECT_VERSION})
  set_tests_properties("consumer: builds with find_package" PROPERTIES FIXTURES_REQUIRED consumer_installed)

  find_program(strew_mpicxx mpicxx)
  if(strew_mpicxx)
    strew_add_consumer_test(find_package-mpi find_package -DSTREW_VERSION=${PROJECT_VERSION} -DSTREW_TARGET=strew::mpi)
    set_tests_properties("consumer: builds with find_package-mpi" PROPERTIES FIXTURES_REQUIRED consumer_installed)
  else()
    message(STATUS "Not tested: strew::mpi of an installed strew, since there is no MPI library")
  endif()

  math(EXPR next_major "${PROJECT_VERSION_MAJOR} + 1")
  math(EXPR next_minor "${PROJECT_VERSION_MINOR} + 1")
  math(EXPR previous_minor "${PROJECT_VERSION_MINOR} - 1")
  foreach(version IN ITEMS ${next_major}.0 ${PROJECT_VERSION_MAJOR}.${next_minor}
                           ${PROJECT_VERSION_MAJOR}.${previous_minor})
    add_test(
      NAME "consumer: find_package refuses version ${version}"
      COMMAND ${CMAKE_COMMAND} -S ${consumer_source_dir} -B ${consumer_binary_dir}/${version} -G ${CMAKE_GENERATOR}
              ${consumer_options} -DSTREW_FROM=find_package -DSTREW_VERSION=${version}
    )
    # CMake lists what it looked at and would not take.
    set_tests_properties(
      "consumer: find_package refuses version ${version}"
      PROPERTIES FIXTURES_REQUIRED consumer_installed
                 PASS_REGULAR_EXPRESSION "prefix/${strew_package_dir}/strew-config.cmake, version: ${PROJECT_VERSION}"
    )
  endforeach()

  if(PKG_CONFIG_FOUND)
    strew_add_consumer_test(pkg-config pkg-config -DSTREW_VERSION=${PROJECT_VERSION})
    set_tests_properties("consumer: builds with pkg-config" PROPERTIES FIXTURES_REQUIRED consumer_installed)
  endif()
endif()

# strew::compiled as a subproject. Its units are compiled one by one in one of three builds.
set(consumer_unity -DCMAKE_UNITY_BUILD=ON -DCMAKE_UNITY_BUILD_BATCH_SIZE=0)
set(consumer_options_compiled -DSTREW_TARGET=strew::compiled)
strew_add_consumer_test(add_subdirectory-compiled add_subdirectory -DSTREW_CHECKOUT=${PROJECT_SOURCE_DIR}
                        -DSTREW_BUILD_COMPILED=ON ${consumer_unity} ${consumer_options_compiled})
set_tests_properties("consumer: builds with add_subdirectory-compiled" PROPERTIES FIXTURES_REQUIRED consumer_afresh)

# And installed, whatever this build installs.
foreach(form IN ITEMS static shared)
  string(COMPARE EQUAL ${form} shared is_shared)
  set(units)
  if(is_shared)
    set(units ${consumer_unity})
  endif()
  set(prefix ${consumer_binary_dir}/prefix-${form})
  add_test(
    NAME "consumer: installs strew::compiled, ${form}"
    COMMAND ${CMAKE_CTEST_COMMAND} --build-and-test ${PROJECT_SOURCE_DIR} ${consumer_binary_dir}/compiled-${form}
            --build-generator ${CMAKE_GENERATOR} --build-target install --build-options
            -DCMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER} -DCMAKE_INSTALL_PREFIX=${prefix} -DBUILD_SHARED_LIBS=${is_shared}
            -DSTREW_BUILD_COMPILED=ON -DSTREW_BUILD_TESTS=OFF -DSTREW_BUILD_EXAMPLES=OFF ${units}
  )
  set_tests_properties("consumer: installs strew::compiled, ${form}"
                       PROPERTIES FIXTURES_REQUIRED consumer_afresh FIXTURES_SETUP consumer_installed_${form})
  foreach(way IN ITEMS find_package pkg-config)
    if(way STREQUAL "find_package" OR PKG_CONFIG_FOUND)
      strew_add_consumer_test(${way}-compiled-${form} ${way} -DSTREW_VERSION=${PROJECT_VERSION}
                              -DCMAKE_PREFIX_PATH=${prefix} ${consumer_options_compiled})
      set_tests_properties("consumer: builds with ${way}-compiled-${form}"
                           PROPERTIES FIXTURES_REQUIRED consumer_installed_${form})
    endif()
  endforeach()
endforeach()

if(CMAKE_NM AND NOT WIN32 AND NOT APPLE)
  add_test(NAME "consumer: links the family of its operator alone"
           COMMAND ${CMAKE_COMMAND} -D compiler=${CMAKE_CXX_COMPILER} -D nm=${CMAKE_NM}
                   -D prefix=${consumer_binary_dir}/prefix-static
                   -D program=${consumer_binary_dir}/one_family -P ${consumer_source_dir}/one_family.cmake)
  set_tests_properties("consumer: links the family of its operator alone"
                       PROPERTIES FIXTURES_REQUIRED consumer_installed_static)
endif()

set(consumer_program ${CMAKE_CURRENT_BINARY_DIR}/consumer_include_path)
add_test(NAME "consumer: compiles with an include path alone"
         COMMAND ${CMAKE_CXX_COMPILER} -std=c++20 -I ${strew_include} ${consumer_source_dir}/main.cpp -o
                 ${consumer_program})
add_test(NAME "consumer: runs after that" COMMAND ${consumer_program})
set_tests_properties("consumer: compiles with an include path alone" PROPERTIES FIXTURES_SETUP consumer_include_path)
set_tests_properties("consumer: runs after that" PROPERTIES FIXTURES_REQUIRED consumer_include_path)
