# SPDX-License-Identifier: Apache-2.0
# The program that prints the list of operators and forms: for the site, and for strew-npy's tests.
include_guard(GLOBAL)
add_executable(strew_print_operator_matrix ${PROJECT_SOURCE_DIR}/docs/site/matrix/matrix.cpp)
target_compile_features(strew_print_operator_matrix PRIVATE cxx_std_20)
