// SPDX-License-Identifier: Apache-2.0
// A command from beginning to end: its files are opened, checked, and then written.
#ifndef STREW_NPY_RUN_HPP
#define STREW_NPY_RUN_HPP

#include "command_line.hpp"

#include <string>

namespace strew_npy {

// Returns what is to be reported: lines without the end of the last, nothing for --check. On an error (file_error) no
// output appears, and data is as it was.
std::string run(const command& what);

}  // namespace strew_npy

#endif  // STREW_NPY_RUN_HPP
