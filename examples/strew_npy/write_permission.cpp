// SPDX-License-Identifier: Apache-2.0
// The rules of write_permission.hpp.
#include "write_permission.hpp"

#include "file_error.hpp"

#include <unistd.h>

namespace strew_npy {
namespace {

bool is_standard_output(const struct stat& file) {
  struct stat output = {};
  return fstat(STDOUT_FILENO, &output) == 0 && output.st_dev == file.st_dev && output.st_ino == file.st_ino;
}

}  // namespace

void check_may_be_written(const struct stat& file, const std::string& path) {
  if (!S_ISREG(file.st_mode)) throw file_error(path, "is not a regular file: strew-npy writes .npy files only");
  if (is_standard_output(file)) throw file_error(path, "is also standard output, where the report goes");
  if ((file.st_mode & S_IWUSR) == 0) throw file_error(path, "is read-only (to change that: chmod u+w)");
}

}  // namespace strew_npy
