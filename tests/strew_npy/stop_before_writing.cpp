// SPDX-License-Identifier: Apache-2.0
// A library that tests preload into strew-npy: the program stops itself when a file has its disk blocks, which is just
// before the first write. Stopping it from outside at this moment would not be reliable.
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

extern "C" int posix_fallocate(int file, off_t offset, off_t length) {
  const auto next = reinterpret_cast<int (*)(int, off_t, off_t)>(dlsym(RTLD_NEXT, "posix_fallocate"));
  const int code = next(file, offset, length);
  kill(getpid(), SIGSTOP);
  return code;
}
