// SPDX-License-Identifier: Apache-2.0
// The functions of standard_streams.hpp, with POSIX calls.
#include "standard_streams.hpp"

#include "file_error.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <system_error>

namespace strew_npy {

void hold_standard_descriptors() {
  for (const int number : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(number, F_GETFD) >= 0) continue;
    // Gets the lowest free number, which is this one. Read-only, so that writing a report to it is an error.
    if (open("/dev/null", O_RDONLY) < 0) throw file_error("/dev/null", "cannot be opened", errno);
  }
}

void print(const std::string& text) {
  if (std::fputs(text.c_str(), stdout) == EOF || std::fflush(stdout) != 0) {
    throw output_lost("standard output: cannot be written, though all else is done: " +
                      std::generic_category().message(errno));
  }
}

}  // namespace strew_npy
