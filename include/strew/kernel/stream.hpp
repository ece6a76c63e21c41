// SPDX-License-Identifier: Apache-2.0
// Stores around the cache, for outputs larger than it. The only place with intrinsics; without them, plain copies.
#ifndef STREW_KERNEL_STREAM_HPP
#define STREW_KERNEL_STREAM_HPP

#include <strew/config.hpp>
#include <strew/kernel/run.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>

#if STREW_USE_INTRINSICS
#include <cpuid.h>
#include <emmintrin.h>  // not <immintrin.h>, which takes 0.35 s to compile: memory, not the register, sets the pace
#endif

namespace strew::detail {

#if STREW_USE_INTRINSICS

// The bytes of the largest cache, 0 if the processor does not say. A few microseconds (a virtual machine traps it), so
// it is asked only for outputs that take milliseconds.
inline std::int64_t largest_cache() noexcept {
  unsigned eax = 0;
  unsigned ebx = 0;
  unsigned ecx = 0;
  unsigned edx = 0;
  std::int64_t largest = 0;
  // Intel lists its caches in leaf 4, AMD in leaf 0x8000001d, both in one form.
  for (const unsigned leaf : {4U, 0x8000001dU}) {
    for (unsigned k = 0; k < 8; ++k) {
      if (__get_cpuid_count(leaf, k, &eax, &ebx, &ecx, &edx) == 0 || (eax & 31) == 0) break;
      const std::int64_t ways = (ebx >> 22) + std::int64_t{1};
      const std::int64_t partitions = (ebx >> 12 & 0x3ff) + std::int64_t{1};
      const std::int64_t line = (ebx & 0xfff) + std::int64_t{1};
      const std::int64_t bytes = ways * partitions * line * (ecx + std::int64_t{1});
      if (bytes > largest) largest = bytes;
    }
  }
  return largest;
}

// Whether an output of so many bytes is better written around the cache: one that would fill most of it. Smaller ones
// are likely to be read from there next, and plain stores are up to three times as fast in cache.
inline bool should_stream(std::int64_t bytes) noexcept {
  constexpr std::int64_t never_below = std::int64_t{16} << 20;
  if (bytes < never_below) return false;
  const std::int64_t cache = largest_cache();
  return cache > 0 && bytes > cache / 4 * 3;
}

inline constexpr auto line_size = static_cast<std::size_t>(cache_line);

inline void stream_line(char* to, const char* from) noexcept {
  for (std::size_t i = 0; i < line_size; i += sizeof(__m128i)) {
    const __m128i value = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + i));
    _mm_stream_si128(reinterpret_cast<__m128i*>(to + i), value);
  }
}

// Copies around the cache: whole lines of the target are streamed, what is left at both ends is copied. The caller ends
// a series of these with stream_fence.
inline void stream_bytes(char* to, const char* from, std::size_t bytes) noexcept {
  constexpr std::size_t page = 4096;
  const std::size_t head = (line_size - reinterpret_cast<std::uintptr_t>(to) % line_size) % line_size;
  if (bytes < head + line_size) {
    std::memcpy(to, from, bytes);
    return;
  }
  if (head != 0) std::memcpy(to, from, head);
  std::size_t i = head;
  // Four pages at a time, a line of each in turn, keep more of memory busy than one stream does.
  for (; bytes - i >= 4 * page; i += 4 * page) {
    for (std::size_t line = i; line < i + page; line += line_size) {
      for (std::size_t k = 0; k < 4; ++k) stream_line(to + line + k * page, from + line + k * page);
    }
  }
  for (; bytes - i >= line_size; i += line_size) stream_line(to + i, from + i);
  if (i < bytes) std::memcpy(to + i, from + i, bytes - i);
}

// Asks for the cache lines of some bytes that will be read soon.
inline void prefetch(const void* address, std::int64_t bytes) noexcept {
  const char* const begin = static_cast<const char*>(address);
  for (std::int64_t i = 0; i < bytes; i += cache_line) _mm_prefetch(begin + i, _MM_HINT_T0);
}

// Orders streamed stores with what follows.
inline void stream_fence() noexcept {
  _mm_sfence();
}

#else

inline bool should_stream(std::int64_t) noexcept {
  return false;
}
inline void stream_bytes(char* to, const char* from, std::size_t bytes) noexcept {
  std::memcpy(to, from, bytes);
}
inline void prefetch(const void*, std::int64_t) noexcept {}
inline void stream_fence() noexcept {}

#endif

// Whether a cache line begins at an address.
inline bool begins_line(const void* address) noexcept {
  return reinterpret_cast<std::uintptr_t>(address) % static_cast<std::size_t>(cache_line) == 0;
}

// Copies `bytes` bytes, around the cache if `streaming`.
inline void copy_bytes(void* to, const void* from, std::int64_t bytes, bool streaming) noexcept {
  const auto size = static_cast<std::size_t>(bytes);
  if (streaming) {
    stream_bytes(static_cast<char*>(to), static_cast<const char*>(from), size);
  } else {
    std::memcpy(to, from, size);
  }
}

}  // namespace strew::detail

#endif  // STREW_KERNEL_STREAM_HPP
