// SPDX-License-Identifier: Apache-2.0
// Runs a command: opens, checks and writes its files.
#ifndef STREW_NPY_RUN_HPP
#define STREW_NPY_RUN_HPP

#include "command_line.hpp"

#include <string>

namespace strew_npy {

// Returns the report: lines without a final newline, empty for --check. On an error (file_error) there is no output,
// and data is unchanged.
std::string run(const command& what);

}  // namespace strew_npy

#endif  // STREW_NPY_RUN_HPP
