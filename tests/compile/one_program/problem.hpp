// SPDX-License-Identifier: Apache-2.0
// What the units of the program are asked to solve. No header of strew is included here: each unit has its own.
#ifndef STREW_TESTS_COMPILE_ONE_PROGRAM_PROBLEM_HPP
#define STREW_TESTS_COMPILE_ONE_PROGRAM_PROBLEM_HPP

#include <cstdint>

// Sums of rows: output[index[i]] += source[i], for rows of `length` elements; output is a table of `rows` rows.
struct problem {
  double* output;
  std::int64_t rows;
  std::int64_t length;
  const std::int64_t* index;
  const double* source;
  std::int64_t count;
  int threads;
};
// Returns whether the call succeeded.
using solve_function = bool (*)(const problem& asked);

#endif  // STREW_TESTS_COMPILE_ONE_PROGRAM_PROBLEM_HPP
