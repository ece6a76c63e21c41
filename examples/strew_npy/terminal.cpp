// SPDX-License-Identifier: Apache-2.0
// The functions of terminal.hpp, with POSIX calls.
#include "terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>

namespace strew_npy {

bool terminal_is_drawable() {
  const char* const terminal = std::getenv("TERM");
  return isatty(STDERR_FILENO) == 1 && terminal != nullptr && std::string_view(terminal) != "dumb";
}

bool is_in_foreground() {
  return tcgetpgrp(STDERR_FILENO) == getpgrp();
}

std::optional<int> columns_of_terminal() {
  winsize size = {};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return std::nullopt;
  return size.ws_col;
}

void write_to_terminal(std::string_view text) noexcept {
  // If the terminal cannot be written there is no bar; the work continues.
  static_cast<void>(!write(STDERR_FILENO, text.data(), text.size()));
}

}  // namespace strew_npy
