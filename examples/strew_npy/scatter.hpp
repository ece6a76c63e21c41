// SPDX-License-Identifier: Apache-2.0
// Runs a command on its files.
#ifndef STREW_NPY_SCATTER_HPP
#define STREW_NPY_SCATTER_HPP

#include "command_line.hpp"

#include <string>

namespace strew_npy {

// Returns one line that says what was done. On an error (file_error) no output appears, and data is as it was.
std::string run(const command& what);

}  // namespace strew_npy

#endif  // STREW_NPY_SCATTER_HPP
