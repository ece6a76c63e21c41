// SPDX-License-Identifier: Apache-2.0
// Opening, checking and mapping files of Windows.
#include "../mapped_file.hpp"

#include "standard_output.hpp"
#include "system.hpp"

#include <fcntl.h>
#include <io.h>

#include <cerrno>
#include <utility>

namespace strew_npy {
namespace {

static_assert(sizeof(std::size_t) >= 8, "files are mapped whole: this needs 64-bit addresses");

HANDLE handle_of(const descriptor& file) {
  return reinterpret_cast<HANDLE>(_get_osfhandle(file.number()));
}

int open_flags(access mode) {
  return (mode == access::read ? _O_RDONLY : _O_RDWR) | _O_BINARY | _O_NOINHERIT;
}

std::uint64_t joined(DWORD high, DWORD low) {
  return std::uint64_t{high} << 32 | low;
}

}  // namespace

bool is_standard_output(int number) {
  BY_HANDLE_FILE_INFORMATION file = {};
  BY_HANDLE_FILE_INFORMATION output = {};
  return GetFileInformationByHandle(reinterpret_cast<HANDLE>(_get_osfhandle(number)), &file) != 0 &&
         GetFileInformationByHandle(GetStdHandle(STD_OUTPUT_HANDLE), &output) != 0 &&
         file.dwVolumeSerialNumber == output.dwVolumeSerialNumber && file.nFileIndexHigh == output.nFileIndexHigh &&
         file.nFileIndexLow == output.nFileIndexLow;
}

void descriptor::close() noexcept {
  if (is_open()) _close(std::exchange(number_, -1));
}

mapping::mapping(const descriptor& file, std::size_t size, access mode, const std::string& path) {
  const bool is_written = mode == access::read_write;
  const HANDLE section =
      CreateFileMappingW(handle_of(file), nullptr, is_written ? PAGE_READWRITE : PAGE_READONLY, 0, 0, nullptr);
  if (section == nullptr) throw last_error(path, "cannot be mapped");
  void* const address = MapViewOfFile(section, is_written ? FILE_MAP_READ | FILE_MAP_WRITE : FILE_MAP_READ, 0, 0, size);
  const file_error failed = last_error(path, "cannot be mapped");
  CloseHandle(section);
  if (address == nullptr) throw failed;
  bytes_ = {static_cast<std::byte*>(address), size};
}

void mapping::unmap() noexcept {
  if (!bytes_.empty()) UnmapViewOfFile(bytes_.data());
  bytes_ = {};
}

private_memory::private_memory(std::size_t size) noexcept {
  if (size == 0) return;
  void* const address = VirtualAlloc(nullptr, size, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE);
  if (address != nullptr) bytes_ = {static_cast<std::byte*>(address), size};
}

private_memory::~private_memory() {
  if (!bytes_.empty()) VirtualFree(bytes_.data(), 0, MEM_RELEASE);
}

void private_memory::make_read_only() const noexcept {
  DWORD before = 0;
  if (!bytes_.empty()) VirtualProtect(bytes_.data(), bytes_.size(), PAGE_READONLY, &before);
}

// Setting the size of a file that is not sparse has reserved it.
void reserve_space(const descriptor&, std::size_t, const std::string&) {}

mapped_file::mapped_file(std::string path, access mode)
    : path_(std::move(path)),
      file_(_wopen(wide(path_).c_str(), open_flags(mode))),
      identity_(inspect(file_, mode, path_)),
      mapping_(file_, identity_.size, mode, path_) {}

void mapped_file::fill_holes() const {}

mapped_file::identity mapped_file::inspect(const descriptor& file, access mode, const std::string& path) {
  if (!file.is_open()) throw file_error(path, "cannot be opened", errno);
  BY_HANDLE_FILE_INFORMATION info = {};
  if (GetFileType(handle_of(file)) != FILE_TYPE_DISK || GetFileInformationByHandle(handle_of(file), &info) == 0) {
    throw file_error(path, "is not a regular file");
  }
  if (mode != access::read && is_standard_output(file.number())) {
    throw file_error(path, "is also standard output, where the report goes");
  }
  const std::uint64_t size = joined(info.nFileSizeHigh, info.nFileSizeLow);
  if (size == 0) throw file_error(path, "is empty");
  return {size, false, info.dwVolumeSerialNumber, joined(info.nFileIndexHigh, info.nFileIndexLow)};
}

}  // namespace strew_npy
