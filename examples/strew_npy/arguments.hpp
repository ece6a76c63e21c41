// SPDX-License-Identifier: Apache-2.0
// The arguments of the program.
#ifndef STREW_NPY_ARGUMENTS_HPP
#define STREW_NPY_ARGUMENTS_HPP

#include <string>
#include <vector>

namespace strew_npy {

// The arguments of main, which on Windows are converted from those in UTF-16 that it was started with: argv has only
// the characters of the system's code page there.
std::vector<std::string> utf8_arguments(int argc, char** argv);

}  // namespace strew_npy

#endif  // STREW_NPY_ARGUMENTS_HPP
