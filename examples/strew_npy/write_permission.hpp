// SPDX-License-Identifier: Apache-2.0
// Whether an existing file may be written to or replaced.
#ifndef STREW_NPY_WRITE_PERMISSION_HPP
#define STREW_NPY_WRITE_PERMISSION_HPP

#include <sys/stat.h>

#include <string>

namespace strew_npy {

// Throws file_error, with `path`, for files that are not regular or are read-only, and for standard output. The mode of
// a file decides, not the system's permission: root may write every file, and replacing one only needs the permission
// of its directory.
void check_may_be_written(const struct stat& file, const std::string& path);

}  // namespace strew_npy

#endif  // STREW_NPY_WRITE_PERMISSION_HPP
