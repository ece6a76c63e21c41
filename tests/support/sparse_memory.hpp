// SPDX-License-Identifier: Apache-2.0
// Gigabytes of zeros of which only the touched pages cost memory, for offsets that 32 bits do not hold.
#ifndef STREW_TESTS_SUPPORT_SPARSE_MEMORY_HPP
#define STREW_TESTS_SUPPORT_SPARSE_MEMORY_HPP

#if defined(_WIN32)
#if !defined(NOMINMAX)
#define NOMINMAX
#endif
#define WIN32_LEAN_AND_MEAN
#include <windows.h>
#else
#include <sys/mman.h>
#endif

#include <cstddef>
#include <cstdint>
#include <limits>

namespace strew::test {

class sparse_memory {
 public:
  explicit sparse_memory(std::int64_t bytes) : bytes_(static_cast<std::size_t>(bytes)) {
    // More is no object in C++, even where the system would lend it.
    if (bytes > std::numeric_limits<std::ptrdiff_t>::max()) return;
#if defined(_WIN32)
    address_ = ::VirtualAlloc(nullptr, bytes_, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE);
#else
    constexpr int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    void* const address = ::mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, flags, -1, 0);
    if (address != MAP_FAILED) address_ = address;
#endif
  }
  sparse_memory(const sparse_memory&) = delete;
  sparse_memory& operator=(const sparse_memory&) = delete;
  ~sparse_memory() {
    if (!available()) return;
#if defined(_WIN32)
    ::VirtualFree(address_, 0, MEM_RELEASE);
#else
    ::munmap(address_, bytes_);
#endif
  }

  // False where that many bytes are more than a pointer reaches, or than the system lends.
  [[nodiscard]] bool available() const {
    return address_ != nullptr;
  }
  [[nodiscard]] static const char* reason() {
    if (sizeof(void*) < 8) return "skipped: with 32-bit pointers no object has 2^31 bytes";
    return "skipped: the system lends no 2 GB of address space";
  }
  // From here on a write to the first `bytes` (whole pages) ends the program.
  [[nodiscard]] bool forbid_writes(std::int64_t bytes) const {
#if defined(_WIN32)
    DWORD before = 0;
    return ::VirtualProtect(address_, static_cast<std::size_t>(bytes), PAGE_READONLY, &before) != 0;
#else
    return ::mprotect(address_, static_cast<std::size_t>(bytes), PROT_READ) == 0;
#endif
  }
  [[nodiscard]] signed char* data() const {
    return static_cast<signed char*>(address_);
  }

 private:
  std::size_t bytes_;
  void* address_ = nullptr;
};

}  // namespace strew::test

#endif  // STREW_TESTS_SUPPORT_SPARSE_MEMORY_HPP
