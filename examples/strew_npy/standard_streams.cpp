// SPDX-License-Identifier: Apache-2.0
// The functions of standard_streams.hpp.
#include "standard_streams.hpp"

#include "file_error.hpp"

#include <fcntl.h>
#if defined(_WIN32)
#include <io.h>
#else
#include <unistd.h>
#endif

#include <cerrno>
#include <cstdio>
#include <system_error>

namespace strew_npy {

namespace {

#if defined(_WIN32)
constexpr const char* null_device = "NUL";

bool is_open(int number) {
  return _get_osfhandle(number) >= 0;
}

bool open_null_device() {
  return _open(null_device, _O_RDONLY) >= 0;
}
#else
constexpr const char* null_device = "/dev/null";

bool is_open(int number) {
  return fcntl(number, F_GETFD) >= 0;
}

bool open_null_device() {
  return open(null_device, O_RDONLY) >= 0;
}
#endif

}  // namespace

void hold_standard_descriptors() {
  for (const int number : {0, 1, 2}) {
    if (is_open(number)) continue;
    // Gets the lowest free number, which is this one. Read-only, so that writing a report to it is an error.
    if (!open_null_device()) throw file_error(null_device, "cannot be opened", errno);
  }
}

void print(const std::string& text) {
  if (std::fputs(text.c_str(), stdout) == EOF || std::fflush(stdout) != 0) {
    throw output_lost("standard output: cannot be written, though all else is done: " +
                      std::generic_category().message(errno));
  }
}

}  // namespace strew_npy
