// SPDX-License-Identifier: Apache-2.0
// Creates, sizes and renames the temporary file of an output.
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
#include <utility>

namespace strew_npy {
namespace {

// Resolves a chain of symbolic links; returns any other path unchanged.
std::string resolved(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_symlink(path, error)) return path;
  const std::filesystem::path target = std::filesystem::canonical(path, error);
  if (!error) return target.string();
  // A link in /proc, such as /dev/stdout, may be to something without a path: a pipe or a deleted file.
  struct stat file = {};
  if (stat(path.c_str(), &file) != 0) throw file_error(path, "is a symbolic link that leads nowhere");
  check_may_be_written(file, path);
  throw file_error(path, "leads to a deleted file");
}

std::filesystem::path directory_of(const std::string& path) {
  return std::filesystem::path(path).parent_path();
}

}  // namespace

output_target output_target::inspect(const std::string& path) {
  output_target target{resolved(path), false, 0, 0};
  struct stat existing = {};
  if (stat(target.path.c_str(), &existing) == 0) {
    check_may_be_written(existing, target.path);
    if (faccessat(AT_FDCWD, target.path.c_str(), W_OK, AT_EACCESS) != 0) {
      throw file_error(target.path, "cannot be written", errno);
    }
    target.exists = true;
    target.permissions = existing.st_mode & 0777;
    target.size = static_cast<std::size_t>(existing.st_size);
  } else if (errno != ENOENT) {  // for example a name that is too long
    throw file_error(target.path, "cannot be created", errno);
  }
  const std::string directory = directory_of(target.path).string();
  if (faccessat(AT_FDCWD, directory.empty() ? "." : directory.c_str(), W_OK | X_OK, AT_EACCESS) != 0) {
    throw file_error(target.path, "cannot be created", errno);
  }
  return target;
}

temporary_file::temporary_file(output_target target) : target_(std::move(target)), file_(create()) {}

temporary_file::~temporary_file() {
  if (committed_) return;
  unlink(path_.c_str());
  keep_on_signal();
}

int temporary_file::create() {
  const std::filesystem::path directory = directory_of(target_.path);
  const std::string stem = ".strew-npy." + std::to_string(getpid()) + '.';
  const deferred_signals until_it_is_known;
  for (int attempt = 0;; ++attempt) {
    path_ = (directory / (stem + std::to_string(attempt))).string();
    const int number = open(path_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (number < 0 && errno == EEXIST) continue;
    if (number < 0) throw file_error(target_.path, "cannot be created", errno);
    remove_on_signal(path_);
    if (target_.exists) static_cast<void>(fchmod(number, target_.permissions));
    return number;
  }
}

const descriptor& temporary_file::resize(std::size_t size) {
  if (ftruncate(file_.number(), static_cast<off_t>(size)) != 0) {
    throw file_error(target_.path, "no space for " + std::to_string(size) + " bytes", errno);
  }
  reserve_space(file_, size, target_.path);
  return file_;
}

void temporary_file::commit() {
  file_.close();
  if (std::rename(path_.c_str(), target_.path.c_str()) != 0)
    throw file_error(target_.path, "cannot be replaced", errno);
  committed_ = true;
  keep_on_signal();
}

output_file::output_file(const std::string& target, std::size_t size)
    : temporary_(output_target::inspect(target)), mapping_(temporary_.resize(size), size, access::read_write, target) {}

}  // namespace strew_npy
