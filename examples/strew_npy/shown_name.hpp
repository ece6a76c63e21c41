// SPDX-License-Identifier: Apache-2.0
// How names are printed: a file name may hold any byte but NUL, a name in an archive any byte at all, and a terminal
// takes some of them for commands.
#ifndef STREW_NPY_SHOWN_NAME_HPP
#define STREW_NPY_SHOWN_NAME_HPP

#include <string>
#include <string_view>

namespace strew_npy {

// The name on one line of plain UTF-8: as it is, or as shells write it, $'two\nlines', where it is empty or holds
// control characters, ends of lines or changes of direction of Unicode, bytes that are no UTF-8, or backslashes. So
// different names are never shown alike. All names that are printed go through this.
std::string shown(std::string_view name);

// The same for text that others have composed, which may hold names: there is nothing around it, and its backslashes
// are doubled.
std::string escaped(std::string_view text);

}  // namespace strew_npy

#endif  // STREW_NPY_SHOWN_NAME_HPP
