# SPDX-License-Identifier: Apache-2.0
# Provides Catch2::Catch2WithMain and catch_discover_tests: an installed Catch2, version 3 or 2.13, else its sources.
find_package(Catch2 3 QUIET)  # asked for first, since a request for 2.13 finds nothing newer
if(NOT Catch2_FOUND)
  find_package(Catch2 2.13 QUIET)
endif()

if(NOT Catch2_FOUND)
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
