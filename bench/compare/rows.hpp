// SPDX-License-Identifier: Apache-2.0
// The rows of the comparison: each a case on certain means, with its call of either version.
#ifndef STREW_COMPARE_ROWS_HPP
#define STREW_COMPARE_ROWS_HPP

#include "arguments.hpp"
#include "versions.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace compare {

struct version_calls {
  call of_old;
  call of_new;
};

struct row {
  std::string name;    // <operator>/<case>/<type>/<size>
  std::int64_t bytes;  // of data
  means how;
  std::function<version_calls()> prepare;  // fills the shared buffers and checks both calls
};

inline std::vector<row>& all_rows() {
  static std::vector<row> rows;
  return rows;
}

inline const char* name_of(means how) {
  return how == means::serial ? "one thread" : how == means::two_threads ? "two threads" : "workspace";
}

}  // namespace compare

#endif  // STREW_COMPARE_ROWS_HPP
