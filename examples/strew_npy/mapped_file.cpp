// SPDX-License-Identifier: Apache-2.0
// Opening, checking and mapping files with POSIX calls.
#include "mapped_file.hpp"

#include "file_error.hpp"
#include "write_permission.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace strew_npy {

static_assert(sizeof(std::size_t) >= 8 && sizeof(off_t) >= 8, "files are mapped whole: this needs 64-bit addresses");

void descriptor::close() noexcept {
  if (is_open()) ::close(std::exchange(number_, -1));
}

mapping::mapping(const descriptor& file, std::size_t size, access mode, const std::string& path) {
  const int protection = mode == access::read_write ? PROT_READ | PROT_WRITE : PROT_READ;
  void* const address = mmap(nullptr, size, protection, MAP_SHARED, file.number(), 0);
  if (address == MAP_FAILED) throw file_error(path, "cannot be mapped", errno);
  bytes_ = {static_cast<std::byte*>(address), size};
}

void mapping::unmap() noexcept {
  if (!bytes_.empty()) munmap(bytes_.data(), bytes_.size());
  bytes_ = {};
}

private_memory::private_memory(std::size_t size) noexcept {
  if (size == 0) return;
  constexpr int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  void* const address = mmap(nullptr, size, PROT_READ | PROT_WRITE, flags, -1, 0);
  if (address != MAP_FAILED) bytes_ = {static_cast<std::byte*>(address), size};
}

private_memory::~private_memory() {
  if (!bytes_.empty()) munmap(bytes_.data(), bytes_.size());
}

void private_memory::make_read_only() const noexcept {
  if (!bytes_.empty()) mprotect(bytes_.data(), bytes_.size(), PROT_READ);
}

void reserve_space(const descriptor& file, std::size_t size, const std::string& path) {
  const int code = posix_fallocate(file.number(), 0, static_cast<off_t>(size));
  if (code != 0) throw file_error(path, "no space for " + std::to_string(size) + " bytes", code);
}

mapped_file::mapped_file(std::string path, access mode)
    : path_(std::move(path)),
      // Without O_NONBLOCK, opening a named pipe would wait for its writer.
      file_(open(path_.c_str(), (mode == access::read ? O_RDONLY : O_RDWR) | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)),
      identity_(inspect(file_, mode, path_)),
      mapping_(file_, identity_.size, mode, path_) {}

void mapped_file::fill_holes() const {
  if (identity_.is_sparse) reserve_space(file_, identity_.size, path_);
}

mapped_file::identity mapped_file::inspect(const descriptor& file, access mode, const std::string& path) {
  struct stat info = {};
  if (!file.is_open() || fstat(file.number(), &info) != 0) throw file_error(path, "cannot be opened", errno);
  if (!S_ISREG(info.st_mode)) throw file_error(path, "is not a regular file");
  if (mode != access::read) check_may_be_written(info, path);
  if (info.st_size == 0) throw file_error(path, "is empty");
  const auto size = static_cast<std::size_t>(info.st_size);
  constexpr std::size_t block_size = 512;  // the unit of st_blocks, on every file system
  const bool is_sparse = static_cast<std::size_t>(info.st_blocks) * block_size < size;
  return {size, is_sparse, info.st_dev, info.st_ino};
}

}  // namespace strew_npy
