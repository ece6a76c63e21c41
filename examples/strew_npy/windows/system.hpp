// SPDX-License-Identifier: Apache-2.0
// The interface of Windows, without the macros that it defines by default; names of files as it takes them; and errors
// of its calls.
#ifndef STREW_NPY_WINDOWS_SYSTEM_HPP
#define STREW_NPY_WINDOWS_SYSTEM_HPP

#if !defined(NOMINMAX)
#define NOMINMAX
#endif
#define WIN32_LEAN_AND_MEAN
#include <windows.h>

#include "../file_error.hpp"

#include <string>
#include <system_error>

namespace strew_npy {

// UTF-8 as UTF-16.
inline std::wstring wide(const std::string& text) {
  const int size = MultiByteToWideChar(CP_UTF8, 0, text.data(), static_cast<int>(text.size()), nullptr, 0);
  std::wstring result(static_cast<std::size_t>(size), L'\0');
  MultiByteToWideChar(CP_UTF8, 0, text.data(), static_cast<int>(text.size()), result.data(), size);
  return result;
}

// The error of the last call.
inline file_error last_error(const std::string& path, const std::string& attempt) {
  return {path, attempt + ": " + std::system_category().message(static_cast<int>(GetLastError()))};
}

}  // namespace strew_npy

#endif  // STREW_NPY_WINDOWS_SYSTEM_HPP
