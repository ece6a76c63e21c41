// SPDX-License-Identifier: Apache-2.0
// A .npy file as a tensor: mapped, its header read.
#ifndef STREW_NPY_NPY_FILE_HPP
#define STREW_NPY_NPY_FILE_HPP

#include "mapped_file.hpp"
#include "npy_header.hpp"

#include <cstddef>
#include <span>
#include <string>

namespace strew_npy {

class npy_file {
 public:
  // Throws file_error.
  npy_file(const std::string& path, access mode);

  [[nodiscard]] const mapped_file& file() const noexcept { return file_; }
  [[nodiscard]] const std::string& path() const noexcept { return file_.path(); }
  [[nodiscard]] const element_type& element() const noexcept { return header_.element; }
  [[nodiscard]] const strew::strided_layout& layout() const noexcept { return header_.layout; }

  [[nodiscard]] std::span<std::byte> header_bytes() const noexcept { return file_.bytes().first(header_.data_offset); }
  [[nodiscard]] std::span<std::byte> element_bytes() const noexcept {
    return file_.bytes().subspan(header_.data_offset);
  }

 private:
  mapped_file file_;
  npy_header header_;
};

}  // namespace strew_npy

#endif  // STREW_NPY_NPY_FILE_HPP
