// SPDX-License-Identifier: Apache-2.0
// An output file that is created completely or not at all: written under a temporary name, then renamed.
#ifndef STREW_NPY_OUTPUT_FILE_HPP
#define STREW_NPY_OUTPUT_FILE_HPP

#include "mapped_file.hpp"

#include <cstddef>
#include <span>
#include <string>

namespace strew_npy {

// The target of an output.
struct output_target {
  std::string path;  // the file that a chain of symbolic links ends at
  bool exists;
  unsigned permissions;  // of an existing file
  std::size_t size;      // of an existing file

  // Throws file_error if it exists and may not be replaced, and if no file can be created in its directory.
  static output_target inspect(const std::string& path);
};

// An empty new file in the directory of `target`, with a unique name, removed on destruction or by a signal. It has the
// permissions of an existing target, otherwise those of a new file.
class temporary_file {
 public:
  // Throws file_error.
  explicit temporary_file(output_target target);
  temporary_file(const temporary_file&) = delete;
  temporary_file& operator=(const temporary_file&) = delete;
  ~temporary_file();

  // Sets the size of the file and reserves all of it on disk. Throws file_error.
  const descriptor& resize(std::size_t size);
  // Closes the file, which must not be mapped, and renames it to the target. Throws file_error.
  void commit();

 private:
  int create();

  output_target target_;
  std::string path_;
  descriptor file_;
  bool committed_ = false;
};

// The output: mapped at its full size and written through the mapping. The target may be an input, even a mapped one:
// the old file exists until it is unmapped. (On Windows a mapped file cannot be replaced, which is an error.)
class output_file {
 public:
  // Throws file_error, also if the target exists and may not be written. A symbolic link is followed.
  output_file(const std::string& target, std::size_t size);

  [[nodiscard]] std::span<std::byte> bytes() const noexcept { return mapping_.bytes(); }
  void commit() {
    mapping_.unmap();
    temporary_.commit();
  }

 private:
  temporary_file temporary_;
  mapping mapping_;
};

}  // namespace strew_npy

#endif  // STREW_NPY_OUTPUT_FILE_HPP
