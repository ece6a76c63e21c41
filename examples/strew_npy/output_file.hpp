// SPDX-License-Identifier: Apache-2.0
// A file that comes into being whole or not at all: written under a temporary name, then renamed.
#ifndef STREW_NPY_OUTPUT_FILE_HPP
#define STREW_NPY_OUTPUT_FILE_HPP

#include "mapped_file.hpp"

#include <sys/types.h>

#include <cstddef>
#include <span>
#include <string>

namespace strew_npy {

// Where an output is to go.
struct output_target {
  std::string path;  // the file that a chain of symbolic links ends at
  bool exists;
  mode_t permissions;  // of the file that exists
  std::size_t size;    // likewise

  // Throws file_error where it exists and may not be replaced, and where no file can be created beside it.
  static output_target inspect(const std::string& path);
};

// An empty new file in the directory of `target`, under a name of its own, removed on destruction or by a signal. It is
// given the permissions of the target if there is one, else those of any new file.
class temporary_file {
 public:
  // Throws file_error.
  explicit temporary_file(output_target target);
  temporary_file(const temporary_file&) = delete;
  temporary_file& operator=(const temporary_file&) = delete;
  ~temporary_file();

  // Gives the file its size, all of it reserved on disk. Throws file_error.
  const descriptor& resize(std::size_t size);
  // Puts the file in the target's place, where it stays. Throws file_error.
  void commit();

 private:
  int create();

  output_target target_;
  std::string path_;
  descriptor file_;
  bool committed_ = false;
};

// The output: mapped at its full size and written through the mapping. The target may be an input, even one that is
// mapped: the old file lives on until it is unmapped.
class output_file {
 public:
  // Throws file_error, also where the target exists and may not be written. A symbolic link is followed.
  output_file(const std::string& target, std::size_t size);

  [[nodiscard]] std::span<std::byte> bytes() const noexcept { return mapping_.bytes(); }
  void commit() { temporary_.commit(); }

 private:
  temporary_file temporary_;
  mapping mapping_;
};

}  // namespace strew_npy

#endif  // STREW_NPY_OUTPUT_FILE_HPP
