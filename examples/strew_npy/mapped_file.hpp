// SPDX-License-Identifier: Apache-2.0
// Files as memory: a descriptor, a mapping, and an existing file that is mapped as a whole.
#ifndef STREW_NPY_MAPPED_FILE_HPP
#define STREW_NPY_MAPPED_FILE_HPP

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

namespace strew_npy {

// rehearse: has the errors of read_write, but nothing can be written.
enum class access { read, rehearse, read_write };

// Owns a file descriptor.
class descriptor {
 public:
  explicit descriptor(int number) noexcept : number_(number) {}
  descriptor(const descriptor&) = delete;
  descriptor& operator=(const descriptor&) = delete;
  ~descriptor() { close(); }

  [[nodiscard]] int number() const noexcept { return number_; }
  [[nodiscard]] bool is_open() const noexcept { return number_ >= 0; }
  void close() noexcept;

 private:
  int number_;
};

// Owns the mapping of a whole file, which is not empty. Writes go to the file itself.
class mapping {
 public:
  // Throws file_error, naming `path`.
  mapping(const descriptor& file, std::size_t size, access mode, const std::string& path);
  mapping(const mapping&) = delete;
  mapping& operator=(const mapping&) = delete;
  ~mapping() { unmap(); }

  // May be written with mode read_write only.
  [[nodiscard]] std::span<std::byte> bytes() const noexcept { return bytes_; }
  void unmap() noexcept;

 private:
  std::span<std::byte> bytes_;
};

// Anonymous memory that can be made read-only.
class private_memory {
 public:
  private_memory() noexcept = default;
  // Pages are allocated when they are written. Has no bytes if the allocation fails.
  explicit private_memory(std::size_t size) noexcept;
  private_memory(private_memory&& other) noexcept : bytes_(std::exchange(other.bytes_, {})) {}
  private_memory& operator=(private_memory&& other) noexcept {
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~private_memory();

  [[nodiscard]] std::span<std::byte> bytes() const noexcept { return bytes_; }
  void make_read_only() const noexcept;

 private:
  std::span<std::byte> bytes_;
};

// Reserves disk space for all of a file, so that a full disk is an error here and not a SIGBUS at some later write to
// the mapping. Throws file_error, naming `path`.
void reserve_space(const descriptor& file, std::size_t size, const std::string& path);

// An existing regular file, mapped.
//
// No other program may change a mapped file. If it shrinks, access to the lost pages raises SIGBUS (see signals.hpp);
// if its indices change after they were checked, any memory may be written.
class mapped_file {
 public:
  // Throws file_error.
  mapped_file(std::string path, access mode);

  [[nodiscard]] const std::string& path() const noexcept { return path_; }
  [[nodiscard]] std::span<std::byte> bytes() const noexcept { return mapping_.bytes(); }
  // Allocates all blocks of a sparse file (see reserve_space). Required before it is written. Throws file_error.
  void fill_holes() const;
  // Whether both are the same file on disk, by any name. Their mappings still have different addresses.
  [[nodiscard]] bool is_same_file(const mapped_file& other) const noexcept {
    return identity_.device == other.identity_.device && identity_.inode == other.identity_.inode;
  }

 private:
  struct identity {
    std::size_t size = 0;
    bool is_sparse = false;
    std::uint64_t device = 0;
    std::uint64_t inode = 0;
  };
  static identity inspect(const descriptor& file, access mode, const std::string& path);

  std::string path_;
  descriptor file_;
  identity identity_;
  mapping mapping_;
};

}  // namespace strew_npy

#endif  // STREW_NPY_MAPPED_FILE_HPP
