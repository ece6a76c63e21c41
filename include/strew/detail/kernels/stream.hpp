// SPDX-License-Identifier: Apache-2.0
// Non-temporal (streaming) stores, for outputs larger than the cache. The only header with intrinsics; without them,
// plain copies.
#ifndef STREW_DETAIL_KERNELS_STREAM_HPP
#define STREW_DETAIL_KERNELS_STREAM_HPP

#include <strew/config.hpp>
#include <strew/detail/kernel_counter.hpp>
#include <strew/detail/tuning.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <limits>

#if STREW_USE_INTRINSICS
#include <cpuid.h>  // and not <immintrin.h>, which takes 0.35 s to compile
#endif

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

#if STREW_USE_INTRINSICS

// The bytes of the largest data cache; 0 if unknown. On virtual machines CPUID traps and takes 2 to 10 microseconds, so
// it is only called for outputs of some MiB.
STREW_COLD inline std::int64_t largest_cache() noexcept {
  unsigned eax = 0;
  unsigned ebx = 0;
  unsigned ecx = 0;
  unsigned edx = 0;
  std::int64_t largest = 0;
  // Intel lists its caches in leaf 4, AMD in leaf 0x8000001d, in the same format.
  for (const unsigned leaf : {4U, 0x8000001dU}) {
    __cpuid(leaf & 0x80000000U, eax, ebx, ecx, edx);  // the last leaf of this range
    if (eax < leaf) continue;
    for (unsigned k = 0; k < 8; ++k) {
      __cpuid_count(leaf, k, eax, ebx, ecx, edx);
      if ((eax & 31) == 0) break;
      const std::int64_t ways = (ebx >> 22) + std::int64_t{1};
      const std::int64_t partitions = (ebx >> 12 & 0x3ff) + std::int64_t{1};
      const std::int64_t line = (ebx & 0xfff) + std::int64_t{1};
      const std::int64_t bytes = ways * partitions * line * (ecx + std::int64_t{1});
      if (bytes > largest) largest = bytes;
    }
  }
  return largest;
}

using bytes_16 [[gnu::vector_size(16)]] = long long;
using bytes_32 [[gnu::vector_size(32)]] = long long;
using bytes_64 [[gnu::vector_size(64)]] = long long;

// A non-temporal store of a vector.
STREW_INLINE void stream_vector(char* to, bytes_16 value) noexcept {
#if defined(__clang__)
  __builtin_nontemporal_store(value, static_cast<bytes_16*>(static_cast<void*>(to)));
#else
  __builtin_ia32_movntdq(static_cast<bytes_16*>(static_cast<void*>(to)), value);
#endif
}
[[gnu::target("avx")]] STREW_INLINE void stream_vector(char* to, bytes_32 value) noexcept {
#if defined(__clang__)
  __builtin_nontemporal_store(value, static_cast<bytes_32*>(static_cast<void*>(to)));
#else
  __builtin_ia32_movntdq256(static_cast<bytes_32*>(static_cast<void*>(to)), value);
#endif
}
[[gnu::target("avx512f")]] STREW_INLINE void stream_vector(char* to, bytes_64 value) noexcept {
#if defined(__clang__)
  __builtin_nontemporal_store(value, static_cast<bytes_64*>(static_cast<void*>(to)));
#else
  __builtin_ia32_movntdq512(static_cast<bytes_64*>(static_cast<void*>(to)), value);
#endif
}

#endif

// The offset of an address in its cache line.
inline std::int64_t offset_in_line(const char* address) noexcept {
  return static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(address) %
                                   static_cast<std::uintptr_t>(tuning::cache_line));
}
// Whether stream_lines may write to these bytes.
inline bool are_lines(const char* to, std::int64_t bytes) noexcept {
  return bytes >= 0 && bytes % tuning::cache_line == 0 && offset_in_line(to) == 0;
}

// How many elements ahead targets are prefetched that are somewhere in `span` bytes.
inline std::int64_t prefetched_elements(std::uint64_t span) noexcept {
  const tuning::thresholds& limits = tuning::limits();
  if (span <= static_cast<std::uint64_t>(limits.elements_prefetched_from)) return 0;
  return span <= static_cast<std::uint64_t>(limits.far_elements_from) ? tuning::prefetched_elements
                                                                      : tuning::prefetched_far_elements;
}

#if STREW_USE_INTRINSICS

// Streams whole cache lines: `to` begins one, `bytes` is a multiple of their size. Four vectors are loaded before the
// first is stored: otherwise short streams of a few KiB take 1.3 times as long. Wider stores are faster: those of 16
// bytes fill the store buffer, so that loads are delayed.
inline void stream_lines_16(char* to, const char* from, std::int64_t bytes) noexcept {
  for (; bytes >= 64; bytes -= 64, to += 64, from += 64) {
    bytes_16 a, b, c, d;
    std::memcpy(&a, from, 16);
    std::memcpy(&b, from + 16, 16);
    std::memcpy(&c, from + 32, 16);
    std::memcpy(&d, from + 48, 16);
    stream_vector(to, a);
    stream_vector(to + 16, b);
    stream_vector(to + 32, c);
    stream_vector(to + 48, d);
  }
}
[[gnu::target("avx")]] inline void stream_lines_32(char* to, const char* from, std::int64_t bytes) noexcept {
  for (; bytes >= 128; bytes -= 128, to += 128, from += 128) {
    bytes_32 a, b, c, d;
    std::memcpy(&a, from, 32);
    std::memcpy(&b, from + 32, 32);
    std::memcpy(&c, from + 64, 32);
    std::memcpy(&d, from + 96, 32);
    stream_vector(to, a);
    stream_vector(to + 32, b);
    stream_vector(to + 64, c);
    stream_vector(to + 96, d);
  }
  for (; bytes > 0; bytes -= 32, to += 32, from += 32) {
    bytes_32 value;
    std::memcpy(&value, from, 32);
    stream_vector(to, value);
  }
}
[[gnu::target("avx512f")]] inline void stream_lines_64(char* to, const char* from, std::int64_t bytes) noexcept {
  for (; bytes >= 256; bytes -= 256, to += 256, from += 256) {
    bytes_64 a, b, c, d;
    std::memcpy(&a, from, 64);
    std::memcpy(&b, from + 64, 64);
    std::memcpy(&c, from + 128, 64);
    std::memcpy(&d, from + 192, 64);
    stream_vector(to, a);
    stream_vector(to + 64, b);
    stream_vector(to + 128, c);
    stream_vector(to + 192, d);
  }
  for (; bytes > 0; bytes -= 64, to += 64, from += 64) {
    bytes_64 value;
    std::memcpy(&value, from, 64);
    stream_vector(to, value);
  }
}
STREW_NOINLINE inline void stream_lines(char* to, const char* from, std::int64_t bytes) noexcept {
  STREW_EXPECT(are_lines(to, bytes));
  const std::int64_t widest = tuning::limits().widest_store;
  if (widest >= 64 && __builtin_cpu_supports("avx512f") != 0) {
    STREW_RAN("stream_lines", 64);
    stream_lines_64(to, from, bytes);
  } else if (widest >= 32 && __builtin_cpu_supports("avx") != 0) {
    STREW_RAN("stream_lines", 32);
    stream_lines_32(to, from, bytes);
  } else {
    STREW_RAN("stream_lines", 16);
    stream_lines_16(to, from, bytes);
  }
}

// Prefetches the cache lines of some bytes for reading, one for each `step` bytes. Always inlined: GCC takes a function
// of prefetches only for one without effect, and drops its calls.
STREW_INLINE void prefetch(const void* address, std::int64_t bytes, std::int64_t step = tuning::cache_line) noexcept {
  const char* const begin = static_cast<const char*>(address);
  for (std::int64_t i = 0; i < bytes; i += step) __builtin_prefetch(begin + i);
}

// Prefetches the cache lines of some bytes that are read once, past most of the cache.
STREW_INLINE void prefetch_stream(const void* address, std::int64_t bytes) noexcept {
  const char* const begin = static_cast<const char*>(address);
  for (std::int64_t i = 0; i < bytes; i += tuning::cache_line) __builtin_prefetch(begin + i, 0, 0);
}

// Prefetches a cache line for reading, `beyond` bytes after an address, which may be outside of all objects; and for
// writing.
STREW_INLINE void prefetch_to_read(const void* address, std::uintptr_t beyond) noexcept {
  __builtin_prefetch(reinterpret_cast<const void*>(reinterpret_cast<std::uintptr_t>(address) + beyond));
}
STREW_INLINE void prefetch_to_write(const void* address, std::uintptr_t beyond) noexcept {
  __builtin_prefetch(reinterpret_cast<const void*>(reinterpret_cast<std::uintptr_t>(address) + beyond), 1);
}

// Orders streamed stores before later stores.
inline void stream_fence() noexcept {
  __builtin_ia32_sfence();
}

#else

inline std::int64_t largest_cache() noexcept {
  return 0;
}
inline void stream_lines(char* to, const char* from, std::int64_t bytes) noexcept {
  STREW_EXPECT(are_lines(to, bytes));
  std::memcpy(to, from, static_cast<std::size_t>(bytes));
}
inline void prefetch(const void*, std::int64_t, std::int64_t = 0) noexcept {}
inline void prefetch_stream(const void*, std::int64_t) noexcept {}
inline void prefetch_to_read(const void*, std::uintptr_t) noexcept {}
inline void prefetch_to_write(const void*, std::uintptr_t) noexcept {}
inline void stream_fence() noexcept {}

#endif

// The size above which an output is streamed: it would fill most of the cache. Smaller outputs are likely to be read
// from the cache next. Called once a call; for outputs that are too small to be streamed the processor is not queried.
inline std::int64_t streamed_from(std::int64_t output_bytes) noexcept {
  constexpr std::int64_t never = (std::numeric_limits<std::int64_t>::max)();
  const tuning::thresholds& limits = tuning::limits();
  if (limits.streamed_from > 0) return STREW_USE_INTRINSICS ? limits.streamed_from - 1 : never;
  if (output_bytes < limits.never_streamed) return never;
  const std::int64_t reported = largest_cache();
  const std::int64_t cache = reported < tuning::most_cache ? reported : tuning::most_cache;
  return cache > 0 ? cache / tuning::streamed_denominator * tuning::streamed_numerator : never;
}

// Writes pieces to ascending addresses; by non-temporal stores if `streaming`. Then only whole cache lines are written,
// since a part of a line costs more than all of it: long pieces from their source, short ones and the ends of long ones
// from a buffer in which they are collected.
class ascending_writer {
 public:
  ascending_writer(void* to, bool streaming) noexcept
      : to_{static_cast<char*>(to)}, streaming_{streaming}, before_{offset_in_line(to_)}, kept_{before_} {
    STREW_EXPECT(tuning::limits().long_piece + tuning::cache_line <= tuning::collected_pieces);
  }

  [[nodiscard]] bool streams() const noexcept { return streaming_; }

  STREW_INLINE void write(const void* from, std::int64_t bytes) noexcept {
    const char* const piece = static_cast<const char*>(from);
    if (streaming_) {
      stream(piece, bytes);
    } else {
      std::memcpy(to_, piece, static_cast<std::size_t>(bytes));
      to_ += bytes;
    }
  }

  // Whether pieces of `bytes` bytes can be streamed without testing their alignment: whole lines, with an empty buffer.
  [[nodiscard]] bool writes_lines(std::int64_t bytes) const noexcept {
    return streaming_ && kept_ == 0 && bytes % tuning::cache_line == 0;
  }
  STREW_INLINE void write_lines(const char* from, std::int64_t bytes) noexcept {
    STREW_EXPECT(writes_lines(bytes));
    stream_lines(to_, from, bytes);
    to_ += bytes;
  }

  // The address of the next bytes, for a caller that writes them with plain stores and then passes their number.
  [[nodiscard]] STREW_NOINLINE char* begin_made() noexcept {
    finish();
    return to_;
  }
  void end_made(std::int64_t bytes) noexcept {
    to_ += bytes;
    kept_ = before_ = offset_in_line(to_);
  }

  // Call this after the last piece, and stream_fence() at the end of the call.
  void finish() noexcept {
    if (!streaming_) return;
    flush_lines();
    copy_kept(kept_);
  }

 private:
  STREW_NOINLINE void stream(const char* piece, std::int64_t bytes) noexcept {
    if (kept_ == 0 && bytes % tuning::cache_line == 0) {
      STREW_RAN("ascending_writer lines");
      stream_lines(to_, piece, bytes);
      to_ += bytes;
      return;
    }
    const bool is_long = bytes >= tuning::limits().long_piece;
    const std::int64_t head = is_long ? (tuning::cache_line - kept_ % tuning::cache_line) % tuning::cache_line : 0;
    if (is_long) STREW_RAN("ascending_writer long piece");
    if (!is_long) STREW_RAN("ascending_writer collected piece");
    if (head > 0) keep(piece, head);
    if (is_long || kept_ + bytes > tuning::collected_pieces) flush_lines();
    const std::int64_t rest = is_long ? (bytes - head) % tuning::cache_line : bytes;
    const std::int64_t lines = bytes - head - rest;
    if (lines > 0) stream_lines(to_, piece + head, lines);
    to_ += lines;
    keep(piece + head + lines, rest);
  }

  STREW_NOINLINE void keep(const char* piece, std::int64_t bytes) noexcept {
    STREW_EXPECT(bytes >= 0 && kept_ + bytes <= tuning::collected_pieces);
    std::memcpy(buffer_ + kept_, piece, static_cast<std::size_t>(bytes));
    kept_ += bytes;
    to_ += bytes;
  }

  // Streams the complete lines of the buffer, and moves the rest to its front.
  STREW_NOINLINE void flush_lines() noexcept {
    const std::int64_t rest = kept_ % tuning::cache_line;
    const std::int64_t whole = kept_ - rest;
    if (whole == 0) return;
    const std::int64_t others = before_ > 0 ? tuning::cache_line : 0;  // the first line, if it has foreign bytes
    copy_kept(others);
    stream_lines(to_ - (kept_ - others), buffer_ + others, whole - others);
    std::memcpy(buffer_, buffer_ + whole, static_cast<std::size_t>(rest));
    kept_ = rest;
    before_ = 0;
  }

  // Copies the first `end` bytes of the buffer to the target, but for those before the first piece.
  void copy_kept(std::int64_t end) noexcept {
    if (end > before_) {
      std::memcpy(to_ - (kept_ - before_), buffer_ + before_, static_cast<std::size_t>(end - before_));
    }
  }

  char* to_;
  bool streaming_;
  std::int64_t before_;  // bytes of the buffer before the first piece, as the buffer begins at a cache line
  std::int64_t kept_;    // these bytes and those that are still to be written
  alignas(tuning::cache_line) char buffer_[tuning::collected_pieces];
};

// Copies data in ascending order just ahead of a scatter, which then finds it in the cache. If it has more bytes than
// `streamed_from` it is streamed.
class lagged_copy {
 public:
  lagged_copy(char* to, const char* from, std::int64_t bytes, std::int64_t streamed_from) noexcept
      : to_{to}, from_{from}, bytes_{bytes}, streamed_from_{streamed_from} {}

  // Copies all below `end`, or to the end of data. Copies at least copied_piece bytes at once.
  STREW_NOINLINE void advance_to(std::int64_t end) noexcept {
    if (end <= done_) return;
    const std::int64_t least = tuning::limits().copied_piece;
    if (end - done_ < least) end = bytes_ - done_ < least ? bytes_ : done_ + least;
    STREW_EXPECT(end <= bytes_);
    if (end - done_ > streamed_from_) done_ += stream_to(end);
    std::memcpy(to_ + done_, from_ + done_, static_cast<std::size_t>(end - done_));
    done_ = end;
  }
  void finish() noexcept { advance_to(bytes_); }
  // Leaves out what is below `end`, which the caller writes.
  void skip_to(std::int64_t end) noexcept {
    if (done_ < end) done_ = end;
  }
  [[nodiscard]] std::int64_t position_of(const char* at) const noexcept { return at - to_; }

 private:
  // Streams the cache lines before `end`, and copies what is before them. Returns the number of bytes.
  STREW_SMALL std::int64_t stream_to(std::int64_t end) const noexcept {
    STREW_RAN("lagged_copy streams");
    char* const to = to_ + done_;
    const char* const from = from_ + done_;
    const std::int64_t bytes = end - done_;
    const std::int64_t rest = (tuning::cache_line - offset_in_line(to)) % tuning::cache_line;
    const std::int64_t head = rest < bytes ? rest : bytes;
    const std::int64_t lines = (bytes - head) / tuning::cache_line * tuning::cache_line;
    std::memcpy(to, from, static_cast<std::size_t>(head));
    if (lines > 0) stream_lines(to + head, from + head, lines);
    stream_fence();
    return head + lines;
  }

  char* to_;
  const char* from_;
  std::int64_t bytes_;
  std::int64_t streamed_from_;
  std::int64_t done_ = 0;
};

}  // namespace strew::detail

#endif  // STREW_DETAIL_KERNELS_STREAM_HPP
