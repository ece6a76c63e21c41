// SPDX-License-Identifier: Apache-2.0
// A library that tests preload into strew-npy: of the program's calls that open, size, map, rename or remove a file,
// the one with the number STREW_NPY_FAIL_CALL fails with the error number STREW_NPY_FAIL_WITH; or the program is killed
// before it (kill) or after it (kill_after). When that call is reached a byte is written to the descriptor
// STREW_NPY_FAIL_REPORT.
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

std::atomic<int> calls{0};

const char* setting(const char* name) {
  const char* const text = std::getenv(name);
  return text == nullptr ? "" : text;
}

// Whether this call is the chosen one.
bool is_reached() {
  if (calls++ != std::atoi(setting("STREW_NPY_FAIL_CALL"))) return false;
  static_cast<void>(!write(std::atoi(setting("STREW_NPY_FAIL_REPORT")), "x", 1));
  return true;
}

// Makes the call, or fails in its place. may_fail: whether programs have anything to do about an error of it.
template <class Result, class Call>
Result run(Result failed, bool may_fail, const Call& call) {
  const char* const with = setting("STREW_NPY_FAIL_WITH");
  const bool kills = std::strncmp(with, "kill", 4) == 0;
  if ((!may_fail && !kills) || !is_reached()) return call();
  if (!kills) {
    errno = std::atoi(with);
    return failed;
  }
  if (std::strcmp(with, "kill_after") == 0) static_cast<void>(call());
  kill(getpid(), SIGKILL);
  return failed;
}

template <class Function>
Function next(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

}  // namespace

extern "C" int open(const char* path, int flags, ...) {
  mode_t mode = 0;
  if ((flags & O_CREAT) != 0) {
    va_list arguments;
    va_start(arguments, flags);
    mode = va_arg(arguments, mode_t);
    va_end(arguments);
  }
  return run(-1, true, [=] { return next<int (*)(const char*, int, ...)>("open")(path, flags, mode); });
}
extern "C" int ftruncate(int file, off_t size) noexcept {
  return run(-1, true, [=] { return next<int (*)(int, off_t)>("ftruncate")(file, size); });
}
extern "C" int posix_fallocate(int file, off_t offset, off_t length) {
  const auto call = [=] { return next<int (*)(int, off_t, off_t)>("posix_fallocate")(file, offset, length); };
  return run(std::atoi(setting("STREW_NPY_FAIL_WITH")), true, call);
}
extern "C" void* mmap(void* at, size_t size, int protection, int flags, int file, off_t offset) noexcept {
  const auto call = [=] {
    return next<void* (*)(void*, size_t, int, int, int, off_t)>("mmap")(at, size, protection, flags, file, offset);
  };
  return file < 0 ? call() : run(MAP_FAILED, true, call);
}
extern "C" int munmap(void* at, size_t size) noexcept {
  return run(-1, false, [=] { return next<int (*)(void*, size_t)>("munmap")(at, size); });
}
extern "C" int fstat(int file, struct stat* to) noexcept {
  return run(-1, true, [=] { return next<int (*)(int, struct stat*)>("fstat")(file, to); });
}
extern "C" int fchmod(int file, mode_t mode) noexcept {
  return run(-1, true, [=] { return next<int (*)(int, mode_t)>("fchmod")(file, mode); });
}
extern "C" int rename(const char* from, const char* to) noexcept {
  return run(-1, true, [=] { return next<int (*)(const char*, const char*)>("rename")(from, to); });
}
extern "C" int unlink(const char* path) noexcept {
  return run(-1, false, [=] { return next<int (*)(const char*)>("unlink")(path); });
}
extern "C" int close(int file) {
  return run(-1, false, [=] { return next<int (*)(int)>("close")(file); });
}
