// SPDX-License-Identifier: Apache-2.0
// The arguments that Windows has in UTF-16.
#include "../arguments.hpp"

#include "system.hpp"

#include <shellapi.h>

#include <cstddef>
#include <memory>

namespace strew_npy {
namespace {

std::string narrow(const wchar_t* text) {
  const int size = WideCharToMultiByte(CP_UTF8, 0, text, -1, nullptr, 0, nullptr, nullptr);
  std::string result(static_cast<std::size_t>(size), '\0');
  WideCharToMultiByte(CP_UTF8, 0, text, -1, result.data(), size, nullptr, nullptr);
  if (!result.empty()) result.pop_back();  // the zero at the end
  return result;
}

struct freed_by_system {
  void operator()(wchar_t** arguments) const { LocalFree(arguments); }
};

}  // namespace

std::vector<std::string> utf8_arguments(int argc, char** argv) {
  int count = 0;
  const std::unique_ptr<wchar_t*[], freed_by_system> arguments(CommandLineToArgvW(GetCommandLineW(), &count));
  if (arguments == nullptr) return {argv, argv + argc};
  std::vector<std::string> result;
  for (int k = 0; k < count; ++k) result.push_back(narrow(arguments[static_cast<std::size_t>(k)]));
  return result;
}

}  // namespace strew_npy
