// SPDX-License-Identifier: Apache-2.0
// Printing of names: a file name may have any byte but NUL, a name in an archive any byte, and terminals interpret some
// of them as commands.
#ifndef STREW_NPY_SHOWN_NAME_HPP
#define STREW_NPY_SHOWN_NAME_HPP

#include <string>
#include <string_view>

namespace strew_npy {

// The name on one line of UTF-8: unchanged, or as shells write it, $'two\nlines', if it is empty or has control
// characters, line ends or changes of direction of Unicode, bytes that are not UTF-8, or backslashes. Different names
// are shown differently. All printed names are made by this function.
std::string shown(std::string_view name);

// The same for text of libraries, which may have names in it: without quotes, and backslashes are doubled.
std::string escaped(std::string_view text);

}  // namespace strew_npy

#endif  // STREW_NPY_SHOWN_NAME_HPP
