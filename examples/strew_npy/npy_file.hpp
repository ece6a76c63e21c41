// SPDX-License-Identifier: Apache-2.0
// A .npy file, or a member of an .npz archive, as a tensor: mapped or inflated, its header read.
#ifndef STREW_NPY_NPY_FILE_HPP
#define STREW_NPY_NPY_FILE_HPP

#include "mapped_file.hpp"
#include "npy_header.hpp"

#include <cstddef>
#include <span>
#include <string>

namespace strew_npy {

// The name of an operand: "a.npy", or "a.npz:member".
struct array_name {
  explicit array_name(const std::string& text);
  [[nodiscard]] bool is_member() const noexcept { return !member.empty(); }

  std::string file;
  std::string member;
};

class npy_file {
 public:
  // A compressed member is inflated into at most `inflate_limit` bytes of memory, which is made read-only; a stored one
  // is used in the mapped archive. Checksums of both are verified. Throws file_error; for members also if `mode` is for
  // writing.
  npy_file(const std::string& name, access mode, std::size_t inflate_limit);

  [[nodiscard]] const mapped_file& file() const noexcept { return file_; }
  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  [[nodiscard]] const element_type& element() const noexcept { return header_.element; }
  [[nodiscard]] const strew::strided_layout& layout() const noexcept { return header_.layout; }

  // The bytes of the .npy file, or of the member.
  [[nodiscard]] std::span<std::byte> bytes() const noexcept { return bytes_; }
  [[nodiscard]] std::span<std::byte> header_bytes() const noexcept { return bytes_.first(header_.data_offset); }
  [[nodiscard]] std::span<std::byte> element_bytes() const noexcept { return bytes_.subspan(header_.data_offset); }

 private:
  std::span<std::byte> open_member(const std::string& member, std::size_t inflate_limit);

  std::string name_;
  mapped_file file_;
  private_memory inflated_;
  std::span<std::byte> bytes_;
  npy_header header_;
};

}  // namespace strew_npy

#endif  // STREW_NPY_NPY_FILE_HPP
