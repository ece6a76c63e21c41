# SPDX-License-Identifier: Apache-2.0
# strew::compiled: the headers of strew::strew with their back end in a library, static or shared as BUILD_SHARED_LIBS
# says. A call then costs its user the checks of types and no more. A unit for each family of operators: a program links
# those that it calls.
add_library(
  strew_compiled
  src/compiled/any_scatter.cpp
  src/compiled/caches.cpp
  src/compiled/conversions.cpp
  src/compiled/elements_assigns.cpp
  src/compiled/elements_reduces.cpp
  src/compiled/elements_sums.cpp
  src/compiled/index_loops.cpp
  src/compiled/masks.cpp
  src/compiled/multi_indices_assigns.cpp
  src/compiled/multi_indices_reduces.cpp
  src/compiled/multi_indices_sums.cpp
  src/compiled/numbers_assigns.cpp
  src/compiled/numbers_sums.cpp
  src/compiled/parts.cpp
  src/compiled/positions.cpp
  src/compiled/rows_assigns.cpp
  src/compiled/rows_reduces.cpp
  src/compiled/rows_sums.cpp
  src/compiled/schedules.cpp
  src/compiled/segments.cpp
  src/compiled/slices.cpp
  src/compiled/tensors_assigns.cpp
  src/compiled/tensors_sums.cpp
  src/compiled/texts.cpp
  src/compiled/trace.cpp)
add_library(strew::compiled ALIAS strew_compiled)
set_target_properties(
  strew_compiled
  PROPERTIES EXPORT_NAME compiled
             OUTPUT_NAME strew
             VERSION ${PROJECT_VERSION}
             # Before 1.0 a new minor version may break its users.
             SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
             CXX_VISIBILITY_PRESET hidden
             VISIBILITY_INLINES_HIDDEN ON
             POSITION_INDEPENDENT_CODE ON)
target_link_libraries(strew_compiled PUBLIC strew::strew)
target_compile_definitions(strew_compiled PUBLIC STREW_COMPILED=1 PRIVATE STREW_BUILDS_LIBRARY=1)
list(APPEND strew_targets strew_compiled)
