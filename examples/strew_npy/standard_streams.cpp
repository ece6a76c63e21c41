// SPDX-License-Identifier: Apache-2.0
// The POSIX calls behind standard_streams.hpp.
#include "standard_streams.hpp"

#include "file_error.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

namespace strew_npy {

void hold_standard_descriptors() {
  for (const int number : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(number, F_GETFD) >= 0) continue;
    // It gets the lowest number that is free, which is this one. Only for reading: a report must not get lost
    // unnoticed.
    if (open("/dev/null", O_RDONLY) < 0) throw file_error("/dev/null", "cannot be opened", errno);
  }
}

}  // namespace strew_npy
