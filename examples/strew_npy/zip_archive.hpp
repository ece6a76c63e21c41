// SPDX-License-Identifier: Apache-2.0
// A .zip archive in memory, which is what .npz files are: finding a member and its bytes.
#ifndef STREW_NPY_ZIP_ARCHIVE_HPP
#define STREW_NPY_ZIP_ARCHIVE_HPP

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

namespace strew_npy {

// What is wrong with an archive or a member, without their names.
class zip_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct zip_member {
  std::span<std::byte> bytes;  // as they lie in the archive
  std::size_t size;            // of the contents
  std::uint32_t crc;           // of the contents
  bool is_deflated;            // else the bytes are the contents
};

// Follows APPNOTE.TXT 6.3, zip64 included. Nothing in the archive is trusted, and each search reads the central
// directory anew. Where members lie is decided by their local headers, so those of all members are read, wanted or not.
class zip_archive {
 public:
  // Throws zip_error where `file` is no archive, has anything after its end, or has its central directory anywhere but
  // where its end says; and where any member disagrees with its local header, shares a byte with another one or reaches
  // into the central directory. A member goes from its local header to the end of its data descriptor. O(n) for n
  // members that are listed as they lie; else O(n log n), and 16 bytes of memory for each of them.
  explicit zip_archive(std::span<std::byte> file);

  // The member of that name, or else of that name and ".npy". Throws zip_error: where there is none, naming those that
  // there are; where there are two; and for members that are encrypted or compressed in another way than deflated.
  // O(n).
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

// Whether a file begins as archives do.
bool looks_like_zip(std::span<const std::byte> file) noexcept;

// Throws zip_error where the contents are not those that the checksum was made of.
void check_crc(const zip_member& member, std::span<const std::byte> contents);

// Throws zip_error where the contents of a deflated member take more than `limit` bytes, or more than its bytes can
// hold. To be called before memory for them is taken.
void check_size(const zip_member& member, std::size_t limit);

// Inflates a deflated member to `contents`, of its size. Throws zip_error where that is not what it holds.
void inflate(const zip_member& member, std::span<std::byte> contents);

}  // namespace strew_npy

#endif  // STREW_NPY_ZIP_ARCHIVE_HPP
