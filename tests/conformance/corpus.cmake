# SPDX-License-Identifier: Apache-2.0
# The test that replays corpus.json. It reads it with an installed nlohmann-json, else with its sources.
include(${PROJECT_SOURCE_DIR}/cmake/fetch.cmake)
set(json_repository https://github.com/nlohmann/json.git)
find_package(nlohmann_json 3 QUIET)
if(NOT nlohmann_json_FOUND)
  strew_can_fetch(can_fetch nlohmann_json ${json_repository})
  if(NOT can_fetch)
    message(STATUS "Not tested: conformance/corpus.json, since nlohmann-json is not installed and cannot be fetched "
                   "(Debian: apt-get install nlohmann-json3-dev)")
    return()
  endif()
  message(STATUS "nlohmann-json is not installed: fetching its sources (to avoid this, apt-get install nlohmann-json3-dev)")
  include(FetchContent)
  set(JSON_SystemInclude ON CACHE BOOL "Spare nlohmann-json the warnings that are meant for strew")
  FetchContent_Declare(nlohmann_json GIT_REPOSITORY ${json_repository} GIT_TAG v3.11.3 GIT_SHALLOW ON)
  FetchContent_MakeAvailable(nlohmann_json)
endif()

strew_add_test(strew_corpus_test strew_tested conformance/corpus.cpp)
target_link_libraries(strew_corpus_test PRIVATE nlohmann_json::nlohmann_json)
target_compile_definitions(strew_corpus_test PRIVATE STREW_CORPUS="${CMAKE_CURRENT_LIST_DIR}/corpus.json")
