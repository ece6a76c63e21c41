// SPDX-License-Identifier: Apache-2.0
// The functions of terminal.hpp, for the console of Windows.
#include "../terminal.hpp"

#include "system.hpp"

namespace strew_npy {
namespace {

HANDLE standard_error() {
  return GetStdHandle(STD_ERROR_HANDLE);
}

}  // namespace

bool terminal_is_drawable() {
  DWORD mode = 0;
  return GetConsoleMode(standard_error(), &mode) != 0 &&
         SetConsoleMode(standard_error(), mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING) != 0;
}

bool is_in_foreground() {
  return true;
}

std::optional<int> columns_of_terminal() {
  CONSOLE_SCREEN_BUFFER_INFO info = {};
  if (GetConsoleScreenBufferInfo(standard_error(), &info) == 0) return std::nullopt;
  return info.srWindow.Right - info.srWindow.Left + 1;
}

void write_to_terminal(std::string_view text) noexcept {
  DWORD written = 0;
  WriteFile(standard_error(), text.data(), static_cast<DWORD>(text.size()), &written, nullptr);
}

}  // namespace strew_npy
