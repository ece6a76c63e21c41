// SPDX-License-Identifier: Apache-2.0
// Joins a mapped file with its header.
#include "npy_file.hpp"

#include "file_error.hpp"

namespace strew_npy {
namespace {

npy_header header_of(const mapped_file& file) {
  try {
    return parse_npy_header(file.bytes());
  } catch (const header_error& error) {
    throw file_error(file.path(), error.what());
  }
}

}  // namespace

npy_file::npy_file(const std::string& path, access mode) : file_(path, mode), header_(header_of(file_)) {}

}  // namespace strew_npy
