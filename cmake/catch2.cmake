# SPDX-License-Identifier: Apache-2.0
# Provides Catch2::Catch2WithMain and catch_discover_tests: an installed Catch2, version 3 or 2.13, else its sources.
if(CMAKE_CROSSCOMPILING OR CMAKE_CXX_FLAGS MATCHES "-stdlib=libc\\+\\+")
  # An installed library is this machine's, with its standard library. Version 2 is a single header, good for any target.
  include(${CMAKE_CURRENT_LIST_DIR}/header_library.cmake)
  find_path(catch2_cmake_dir Catch.cmake PATHS /usr PATH_SUFFIXES lib/cmake/Catch2 share/cmake/Catch2
            NO_CACHE NO_CMAKE_FIND_ROOT_PATH)
  if(catch2_cmake_dir)
    strew_find_header_library(Catch2_FOUND strew_catch2_header catch2/catch.hpp)
  endif()
  if(Catch2_FOUND)
    list(APPEND CMAKE_MODULE_PATH ${catch2_cmake_dir})
    file(CONFIGURE OUTPUT catch2_main.cpp CONTENT "#define CATCH_CONFIG_MAIN\n#include <catch2/catch.hpp>\n")
    add_library(Catch2WithMain STATIC ${CMAKE_CURRENT_BINARY_DIR}/catch2_main.cpp)
    target_compile_features(Catch2WithMain PUBLIC cxx_std_20)  # what it prints depends on the standard
    target_compile_options(Catch2WithMain PRIVATE -w)
    target_link_libraries(Catch2WithMain PUBLIC strew_catch2_header)
    add_library(Catch2::Catch2WithMain ALIAS Catch2WithMain)
  endif()
else()
  find_package(Catch2 3 QUIET)  # asked for first, since a request for 2.13 finds nothing newer
  if(NOT Catch2_FOUND)
    find_package(Catch2 2.13 QUIET)
  endif()
endif()

if(NOT Catch2_FOUND)
  include(${CMAKE_CURRENT_LIST_DIR}/fetch.cmake)
  strew_can_fetch(can_fetch Catch2 https://github.com/catchorg/Catch2.git)
  if(NOT can_fetch)
    message(FATAL_ERROR "The tests need Catch2, which is not installed and cannot be fetched (Debian: apt-get install catch2)")
  endif()
  message(STATUS "Catch2 is not installed: fetching its sources (to avoid this, apt-get install catch2)")
  include(FetchContent)
  # By git, since that fails at once where there is no network; a URL is tried for more than a minute.
  FetchContent_Declare(
    Catch2
    GIT_REPOSITORY https://github.com/catchorg/Catch2.git
    GIT_TAG fa43b77429ba76c462b1898d6cd2f2d7a9416b14  # v3.7.1
  )
  FetchContent_MakeAvailable(Catch2)
  list(APPEND CMAKE_MODULE_PATH ${catch2_SOURCE_DIR}/extras)
  # The presets' warnings are meant for strew. An installed Catch2 is spared them too.
  foreach(target IN ITEMS Catch2 Catch2WithMain)
    target_compile_options(${target} PRIVATE -w)
    get_target_property(directories ${target} INTERFACE_INCLUDE_DIRECTORIES)
    set_target_properties(${target} PROPERTIES INTERFACE_SYSTEM_INCLUDE_DIRECTORIES "${directories}")
  endforeach()
endif()

include(Catch)
