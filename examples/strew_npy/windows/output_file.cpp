// SPDX-License-Identifier: Apache-2.0
// Creates, sizes and renames the temporary file of an output on Windows.
#include "../output_file.hpp"

#include "../signals.hpp"
#include "standard_output.hpp"
#include "system.hpp"

#include <fcntl.h>
#include <io.h>

#include <cerrno>
#include <cstdint>
#include <utility>

namespace strew_npy {
namespace {

// With the separator at its end; empty for a name in the current directory.
std::string directory_of(const std::string& path) {
  return path.substr(0, path.find_last_of("/\\:") + 1);
}

}  // namespace

output_target output_target::inspect(const std::string& path) {
  output_target target{path, false, 0, 0};
  const DWORD attributes = GetFileAttributesW(wide(path).c_str());
  if (attributes == INVALID_FILE_ATTRIBUTES) {
    const DWORD code = GetLastError();
    if (code != ERROR_FILE_NOT_FOUND) throw last_error(path, "cannot be created");
    return target;
  }
  if ((attributes & FILE_ATTRIBUTE_DIRECTORY) != 0) {
    throw file_error(path, "is not a regular file: strew-npy writes .npy files only");
  }
  if ((attributes & FILE_ATTRIBUTE_READONLY) != 0) throw file_error(path, "is read-only (to change that: attrib -r)");
  const descriptor file(_wopen(wide(path).c_str(), _O_RDONLY | _O_BINARY | _O_NOINHERIT));
  if (!file.is_open()) throw file_error(path, "cannot be written", errno);
  const std::int64_t size = _filelengthi64(file.number());
  if (size < 0) throw file_error(path, "is not a regular file: strew-npy writes .npy files only");
  if (is_standard_output(file.number())) throw file_error(path, "is also standard output, where the report goes");
  target.exists = true;
  target.size = static_cast<std::size_t>(size);
  return target;
}

temporary_file::temporary_file(output_target target) : target_(std::move(target)), file_(create()) {}

temporary_file::~temporary_file() {
  if (committed_) return;
  file_.close();
  DeleteFileW(wide(path_).c_str());
  keep_on_signal();
}

int temporary_file::create() {
  const std::string stem = directory_of(target_.path) + ".strew-npy." + std::to_string(GetCurrentProcessId()) + '.';
  const deferred_signals until_it_is_known;
  for (int attempt = 0;; ++attempt) {
    path_ = stem + std::to_string(attempt);
    // May be deleted while it is open, which a signal does.
    const HANDLE file = CreateFileW(wide(path_).c_str(), GENERIC_READ | GENERIC_WRITE, FILE_SHARE_DELETE, nullptr,
                                    CREATE_NEW, FILE_ATTRIBUTE_NORMAL, nullptr);
    if (file == INVALID_HANDLE_VALUE && GetLastError() == ERROR_FILE_EXISTS) continue;
    if (file == INVALID_HANDLE_VALUE) throw last_error(target_.path, "cannot be created");
    remove_on_signal(path_);
    return _open_osfhandle(reinterpret_cast<std::intptr_t>(file), _O_BINARY);
  }
}

const descriptor& temporary_file::resize(std::size_t size) {
  const int code = _chsize_s(file_.number(), static_cast<std::int64_t>(size));
  if (code != 0) throw file_error(target_.path, "no space for " + std::to_string(size) + " bytes", code);
  reserve_space(file_, size, target_.path);
  return file_;
}

void temporary_file::commit() {
  file_.close();
  if (MoveFileExW(wide(path_).c_str(), wide(target_.path).c_str(), MOVEFILE_REPLACE_EXISTING) == 0) {
    throw last_error(target_.path, "cannot be replaced");
  }
  committed_ = true;
  keep_on_signal();
}

output_file::output_file(const std::string& target, std::size_t size)
    : temporary_(output_target::inspect(target)), mapping_(temporary_.resize(size), size, access::read_write, target) {
  unmap_on_signal(mapping_.bytes().data());
}

}  // namespace strew_npy
