// SPDX-License-Identifier: Apache-2.0
// The terminal that standard error is connected to.
#ifndef STREW_NPY_TERMINAL_HPP
#define STREW_NPY_TERMINAL_HPP

#include <optional>
#include <string_view>

namespace strew_npy {

// Whether standard error is a terminal with escape sequences.
bool terminal_is_drawable();

// Whether this program may draw now; not if it runs in the background.
bool is_in_foreground();

// The width, if it is known.
std::optional<int> columns_of_terminal();

// Writes to standard error. Errors are ignored. Signal handlers may call it.
void write_to_terminal(std::string_view text) noexcept;

}  // namespace strew_npy

#endif  // STREW_NPY_TERMINAL_HPP
