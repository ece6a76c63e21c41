// SPDX-License-Identifier: Apache-2.0
// Creating, sizing and renaming the temporary behind an output file.
#include "output_file.hpp"

#include "file_error.hpp"
#include "signals.hpp"
#include "write_permission.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>

namespace strew_npy {
namespace {

// The file that a chain of symbolic links ends at; any other path as it is.
std::string resolved(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_symlink(path, error)) return path;
  const std::filesystem::path target = std::filesystem::canonical(path, error);
  if (!error) return target.string();
  // A link in /proc, such as /dev/stdout is, may lead to what has no path: a pipe or a deleted file.
  struct stat file = {};
  if (stat(path.c_str(), &file) != 0) throw file_error(path, "is a symbolic link that leads nowhere");
  check_may_be_written(file, path);
  throw file_error(path, "leads to a deleted file");
}

}  // namespace

temporary_file::temporary_file(const std::string& target) : target_(target), file_(create()) {}

temporary_file::~temporary_file() {
  if (committed_) return;
  unlink(path_.c_str());
  keep_on_signal();
}

int temporary_file::create() {
  struct stat existing = {};
  const bool exists = stat(target_.c_str(), &existing) == 0;
  if (exists) check_may_be_written(existing, target_);
  if (exists && faccessat(AT_FDCWD, target_.c_str(), W_OK, AT_EACCESS) != 0) {
    throw file_error(target_, "cannot be written", errno);
  }
  const std::filesystem::path directory = std::filesystem::path(target_).parent_path();
  const std::string stem = ".strew-npy." + std::to_string(getpid()) + '.';
  const deferred_signals until_it_is_known;
  for (int attempt = 0;; ++attempt) {
    path_ = (directory / (stem + std::to_string(attempt))).string();
    const int number = open(path_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (number < 0 && errno == EEXIST) continue;
    if (number < 0) throw file_error(target_, "cannot be created", errno);
    remove_on_signal(path_);
    if (exists) static_cast<void>(fchmod(number, existing.st_mode & 0777));
    return number;
  }
}

const descriptor& temporary_file::resize(std::size_t size) {
  if (ftruncate(file_.number(), static_cast<off_t>(size)) != 0) {
    throw file_error(target_, "no space for " + std::to_string(size) + " bytes", errno);
  }
  reserve_space(file_, size, target_);
  return file_;
}

void temporary_file::commit() {
  if (std::rename(path_.c_str(), target_.c_str()) != 0) throw file_error(target_, "cannot be replaced", errno);
  committed_ = true;
  keep_on_signal();
}

output_file::output_file(const std::string& target, std::size_t size)
    : temporary_(resolved(target)), mapping_(temporary_.resize(size), size, access::read_write, target) {}

}  // namespace strew_npy
