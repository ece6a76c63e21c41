// SPDX-License-Identifier: Apache-2.0
// A .zip archive in memory (.npz files are such archives): finds a member and its bytes.
#ifndef STREW_NPY_ZIP_ARCHIVE_HPP
#define STREW_NPY_ZIP_ARCHIVE_HPP

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

namespace strew_npy {

// An error of an archive or a member, without their names.
class zip_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct zip_member {
  std::span<std::byte> bytes;  // in the archive
  std::size_t size;            // of the contents
  std::uint32_t crc;           // of the contents
  bool is_deflated;            // otherwise the bytes are the contents
};

// Follows APPNOTE.TXT 6.3, including zip64. All fields are checked, and each search reads the central directory again.
// Local headers determine the position of members, so those of all members are read.
class zip_archive {
 public:
  // Throws zip_error if `file` is no archive, has bytes after its end, or its central directory is not where the end
  // record states; and if any member disagrees with its local header, or shares a byte with another one or with the
  // central directory. A member extends from its local header to the end of its data descriptor. O(n) for n members
  // listed in the order of their positions; otherwise O(n log n), and 16 bytes of memory for each.
  explicit zip_archive(std::span<std::byte> file);

  // The member with that name, otherwise with that name and ".npy". Throws zip_error if there is none (the message
  // lists the members) or two, and for members that are encrypted or compressed by another method than deflate. O(n).
  [[nodiscard]] zip_member find(std::string_view name) const;

 private:
  struct entry;
  struct directory {
    std::uint64_t begin;
    std::uint64_t end;
    std::uint64_t count;
  };

  static directory locate(std::string_view file);
  [[nodiscard]] entry read_entry(std::uint64_t& at) const;
  void read_numbers(entry& of, std::string_view extra) const;
  void read_local_header(entry& of) const;
  [[nodiscard]] std::uint64_t descriptor_size(const entry& of) const;
  template <class Body>
  void for_each_entry(const Body& body) const;
  void check_members() const;
  void check_disjoint(std::uint64_t count) const;
  [[nodiscard]] std::string names() const;
  [[nodiscard]] zip_member open(const entry& of) const;

  std::span<std::byte> file_;
  std::string_view text_;  // the same bytes
  directory directory_;
};

// Whether a file begins like an archive.
bool looks_like_zip(std::span<const std::byte> file) noexcept;

// Throws zip_error if the checksum does not match the contents.
void check_crc(const zip_member& member, std::span<const std::byte> contents);

// Throws zip_error if the contents of a deflated member have more than `limit` bytes, or more than its compressed bytes
// can expand to. Call this before allocating memory for them.
void check_size(const zip_member& member, std::size_t limit);

// Inflates a deflated member to `contents`, which has its size. Throws zip_error if the member has another size.
void inflate(const zip_member& member, std::span<std::byte> contents);

}  // namespace strew_npy

#endif  // STREW_NPY_ZIP_ARCHIVE_HPP
