# SPDX-License-Identifier: Apache-2.0
# The target `coverage`: the line coverage of include/ by the tests run so far, and the lines they missed.
# `scripts/checkers coverage` builds and runs the tests first.
if(CMAKE_CXX_FLAGS MATCHES "--coverage")
  find_program(STREW_GCOVR gcovr REQUIRED)
  add_custom_target(
    coverage
    COMMAND ${STREW_GCOVR} --root ${PROJECT_SOURCE_DIR} --filter ${PROJECT_SOURCE_DIR}/include/ --exclude-throw-branches
            --print-summary ${PROJECT_BINARY_DIR}
    USES_TERMINAL VERBATIM
  )
endif()
