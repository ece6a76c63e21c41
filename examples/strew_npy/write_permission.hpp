// SPDX-License-Identifier: Apache-2.0
// Whether an existing file may be written to or replaced.
#ifndef STREW_NPY_WRITE_PERMISSION_HPP
#define STREW_NPY_WRITE_PERMISSION_HPP

#include <sys/stat.h>

#include <string>

namespace strew_npy {

// Refuses what is not a regular file, what is read-only and standard output. Here the mode of a file decides and not
// what the system allows: root may write to every file, and replacing one takes no more than its directory's
// permission. Throws file_error, naming `path`.
void check_may_be_written(const struct stat& file, const std::string& path);

}  // namespace strew_npy

#endif  // STREW_NPY_WRITE_PERMISSION_HPP
