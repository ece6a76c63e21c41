// SPDX-License-Identifier: Apache-2.0
// An error of a file. The message begins with its name, as printed by shown().
#ifndef STREW_NPY_FILE_ERROR_HPP
#define STREW_NPY_FILE_ERROR_HPP

#include "shown_name.hpp"

#include <stdexcept>
#include <string>
#include <system_error>

namespace strew_npy {

class file_error : public std::runtime_error {
 public:
  file_error(const std::string& path, const std::string& reason) : std::runtime_error(shown(path) + ": " + reason) {}

  // A system call failed: `code` is its errno.
  file_error(const std::string& path, const std::string& attempt, int code)
      : file_error(path, attempt + ": " + std::generic_category().message(code)) {}
};

}  // namespace strew_npy

#endif  // STREW_NPY_FILE_ERROR_HPP
