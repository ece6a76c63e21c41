// SPDX-License-Identifier: Apache-2.0
// The innermost loops of copies, a set for each element width.
#ifndef STREW_DETAIL_KERNELS_COPY_LOOPS_HPP
#define STREW_DETAIL_KERNELS_COPY_LOOPS_HPP

#include <strew/config.hpp>
#include <strew/detail/kernel_counter.hpp>
#include <strew/detail/plan/copy_plan.hpp>
#include <strew/detail/plan/loop_nest.hpp>
#include <strew/detail/tuning.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// `Width` bytes of any type, at any address. Loops over words are compiled once for all types of a width and do not
// depend on the meaning of the bytes.
template <std::size_t Width>
struct word_of {
  unsigned char bytes[Width];

  word_of() noexcept = default;
  word_of(const word_of& other) noexcept { std::memcpy(bytes, other.bytes, Width); }
  word_of& operator=(const word_of& other) noexcept {  // memcpy, which becomes one move, unlike the default
    std::memcpy(bytes, other.bytes, Width);
    return *this;
  }
};

// any_width loops take the element size at run time, for widths without loops of their own.
inline constexpr std::size_t any_width = 0;

template <std::size_t Width>
STREW_INLINE void move_element(char* to, const char* from, [[maybe_unused]] std::int64_t width) noexcept {
  if constexpr (Width == any_width) {
    std::memcpy(to, from, static_cast<std::size_t>(width));
  } else {
    std::memcpy(to, from, Width);
  }
}

// Calls body(width) with the width of the loops for elements of `size` bytes, as a compile-time constant.
template <class Body>
constexpr auto with_width(std::int64_t size, const Body& body) {
  switch (size) {
    case 1:
      return body(std::integral_constant<std::size_t, 1>{});
    case 2:
      return body(std::integral_constant<std::size_t, 2>{});
    case 4:
      return body(std::integral_constant<std::size_t, 4>{});
    case 8:
      return body(std::integral_constant<std::size_t, 8>{});
    case 16:
      return body(std::integral_constant<std::size_t, 16>{});
    default:
      return body(std::integral_constant<std::size_t, any_width>{});
  }
}

// Whether an element fits in a register, so that several can be loaded before the first is stored.
template <std::size_t Width>
inline constexpr bool fits_register = Width == 1 || Width == 2 || Width == 4 || Width == 8 || Width == 16;

// Whether the processor has AVX2.
inline bool has_avx2() noexcept {
#if STREW_CHOOSES_AVX2
  return __builtin_cpu_supports("avx2") != 0;
#else
  return STREW_HAS_AVX2 != 0;
#endif
}
// Whether a loop over `count` elements should run as compiled for AVX2. False if all code is compiled for it.
inline bool chooses_avx2(std::int64_t count) noexcept {
  return STREW_CHOOSES_AVX2 != 0 && count >= tuning::limits().vector_count && has_avx2();
}
// Whether it should run in vectors: those of AVX2 where these are chosen, otherwise of what the program is built for.
inline bool chooses_vectors(std::int64_t count) noexcept {
  return STREW_CHOOSES_AVX2 == 0 || chooses_avx2(count);
}

// to[i] = from[-i] for each i < count. Operands do not overlap, here and below.
template <class Word>
STREW_INLINE void reverse_loop(Word* __restrict to, const Word* __restrict from, std::int64_t count) noexcept {
  for (std::int64_t i = 0; i < count; ++i) to[i] = from[-i];
}
template <class Word>
STREW_VECTORISED_AVX2 void reverse_in_vectors(Word* __restrict to, const Word* __restrict from,
                                              std::int64_t count) noexcept {
  reverse_loop(to, from, count);
}

// Fills contiguous elements with one.
template <std::size_t Width>
STREW_VECTORISED void fill(char* to, const char* from, std::int64_t count) noexcept {
  word_of<Width> value;
  std::memcpy(value.bytes, from, Width);
  for (std::int64_t i = 0; i < count; ++i) std::memcpy(to + i * static_cast<std::int64_t>(Width), value.bytes, Width);
}

// Copies contiguous, reversed or repeated elements to contiguous ones; false, with nothing written, for others.
template <std::size_t Width>
STREW_INLINE bool copy_to_contiguous(char* to, const char* from, std::int64_t stride, std::int64_t count,
                                     std::int64_t width) noexcept {
  if (stride == width) {
    STREW_RAN("copy_run contiguous", Width);
    std::memcpy(to, from, static_cast<std::size_t>(count * width));
    return true;
  }
  if constexpr (Width != any_width) {
    if (stride == 0) {
      STREW_RAN("copy_run filled", Width);
      fill<Width>(to, from, count);
      return true;
    }
    if (stride == -width) {
      STREW_RAN("copy_run reversed", Width);
      auto* const words = reinterpret_cast<word_of<Width>*>(to);
      const auto* const last = reinterpret_cast<const word_of<Width>*>(from);
      if (chooses_vectors(count)) {
        STREW_RAN("copy_run reversed in vectors", Width);
        reverse_in_vectors(words, last, count);
      } else {
        reverse_loop(words, last, count);
      }
      return true;
    }
  }
  return false;
}

// Copies a run of elements; strides in bytes. Four elements in a step, each a statement of its own, since compilers
// leave a loop over four as it is with -O2: that, or one element in a step, takes 1.3 to 3 times as long.
template <std::size_t Width>
STREW_NOINLINE void copy_run(char* to, std::int64_t to_stride, const char* from, std::int64_t from_stride,
                             std::int64_t count, std::int64_t width) noexcept {
  STREW_EXPECT(count >= 0 && (Width == any_width || width == static_cast<std::int64_t>(Width)));
  if (to_stride == width && copy_to_contiguous<Width>(to, from, from_stride, count, width)) return;
  STREW_RAN("copy_run strided", Width);
  for (; count >= 4; count -= 4, to += 4 * to_stride, from += 4 * from_stride) {
    move_element<Width>(to, from, width);
    move_element<Width>(to + to_stride, from + from_stride, width);
    move_element<Width>(to + 2 * to_stride, from + 2 * from_stride, width);
    move_element<Width>(to + 3 * to_stride, from + 3 * from_stride, width);
  }
  for (; count > 0; --count, to += to_stride, from += from_stride) move_element<Width>(to, from, width);
}
// Copies runs that are lines apart. Few elements of many lines go without a call for each line.
template <std::size_t Width>
void copy_lines(char* to, const char* from, const loop_nest<2>::axis& lines, const loop_nest<2>::axis& run,
                std::int64_t width) noexcept {
  const auto [to_stride, from_stride] = run.strides.value;
  const bool are_short = lines.extent > 1 && run.extent < tuning::limits().shortest_copied_run;
  if (lines.extent > 1 && !are_short) STREW_RAN("copy_lines one by one", Width);
  for (std::int64_t line = 0; line < lines.extent; ++line, to += lines.strides[0], from += lines.strides[1]) {
    if (!are_short) {
      copy_run<Width>(to, to_stride, from, from_stride, run.extent, width);
      continue;
    }
    STREW_RAN("copy_lines short", Width);
    char* target = to;
    const char* source = from;
    for (std::int64_t left = run.extent; left > 0; --left, target += to_stride, source += from_stride) {
      move_element<Width>(target, source, width);
    }
  }
}

// As interleave_loop, for words of 4 bytes and whole vectors; returns the number of updates placed. Compilers do not
// find these shuffles: without, up to twice the time.
template <int Step>
STREW_INLINE std::int64_t interleave_vectors(char* to, const char* data, const char* updates,
                                             std::int64_t count) noexcept {
  std::int64_t i = 0;
#if STREW_HAS_SHUFFLES
  using lanes __attribute__((vector_size(16))) = std::uint32_t;
  constexpr std::int64_t states = std::int64_t{16} * Step;
  for (; i + 4 <= count; i += 4, to += states, data += states, updates += 16) {
    lanes u;
    lanes d[std::size_t{Step}];
    std::memcpy(&u, updates, 16);
    for (std::size_t k = 0; k < Step; ++k) std::memcpy(&d[k], data + 16 * k, 16);
    if constexpr (Step == 3) {
      d[0] = __builtin_shufflevector(u, d[0], 0, 5, 6, 1);
      d[1] = __builtin_shufflevector(u, d[1], 4, 5, 2, 7);
      d[2] = __builtin_shufflevector(u, d[2], 4, 3, 6, 7);
    } else {
      static_assert(Step == 4);
      d[0] = __builtin_shufflevector(u, d[0], 0, 5, 6, 7);
      d[1] = __builtin_shufflevector(u, d[1], 1, 5, 6, 7);
      d[2] = __builtin_shufflevector(u, d[2], 2, 5, 6, 7);
      d[3] = __builtin_shufflevector(u, d[3], 3, 5, 6, 7);
    }
    for (std::size_t k = 0; k < Step; ++k) std::memcpy(to + 16 * k, &d[k], 16);
  }
#else
  static_cast<void>(to), static_cast<void>(data), static_cast<void>(updates), static_cast<void>(count);
#endif
  return i;
}

// to[i * Step] = updates[i], and the Step - 1 elements after it are copied from data, for each i < count.
template <int Step, bool Shuffles, class Word>
STREW_INLINE void interleave_loop(Word* __restrict to, const Word* __restrict data, const Word* __restrict updates,
                                  std::int64_t count) noexcept {
  std::int64_t i = 0;
  if constexpr (Shuffles && Step > 2 && sizeof(Word) == 4) {
    i = interleave_vectors<Step>(reinterpret_cast<char*>(to), reinterpret_cast<const char*>(data),
                                 reinterpret_cast<const char*>(updates), count);
  }
  for (; i < count; ++i) {
    to[i * Step] = updates[i];
    for (std::int64_t k = 1; k < Step; ++k) to[i * Step + k] = data[i * Step + k];
  }
}
template <int Step, class Word>
STREW_VECTORISED_AVX2 void interleave_in_vectors(Word* __restrict to, const Word* __restrict data,
                                                 const Word* __restrict updates, std::int64_t count) noexcept {
  constexpr bool shuffles = (STREW_CHOOSES_AVX2 != 0 && STREW_HAS_SHUFFLES != 0) || STREW_SHUFFLES_WELL != 0;
  interleave_loop<Step, shuffles>(to, data, updates, count);
}
template <int Step, class Word>
STREW_INLINE void interleave_chosen(Word* to, const Word* data, const Word* updates, std::int64_t count) noexcept {
  if (chooses_vectors(count)) {
    STREW_RAN("interleave in vectors", Step, sizeof(Word));
    interleave_in_vectors<Step>(to, data, updates, count);
  } else {
    STREW_RAN("interleave one by one", Step, sizeof(Word));
    interleave_loop<Step, false>(to, data, updates, count);
  }
}

// Whether `interleave` may write periods of `period` bytes, the first `block` of which are updates and the others data:
// a period has 2 to 4 blocks, of 2 bytes 2 and of 8 bytes 2 or 3. A period of one block, without data, is not
// interleaved.
constexpr bool may_interleave(std::int64_t block, std::int64_t period) noexcept {
  return period % block == 0 && period / block >= 2 && period / block <= (block == 2 ? 2 : block == 8 ? 3 : 4);
}

// As interleave_loop, for a step of blocks of `Width` bytes (may_interleave). A step that is not a compile-time
// constant takes 5 to 14 times as long; the steps left out are written over data in 0.9 to 1.3 of the time.
template <std::size_t Width>
void interleave(std::int64_t step, char* to, const char* data, const char* updates, std::int64_t count) noexcept {
  STREW_EXPECT(may_interleave(Width, step * static_cast<std::int64_t>(Width)));
  auto* const words = reinterpret_cast<word_of<Width>*>(to);
  const auto* const data_words = reinterpret_cast<const word_of<Width>*>(data);
  const auto* const update_words = reinterpret_cast<const word_of<Width>*>(updates);
  if constexpr (Width != 2 && Width != 8) {
    if (step == 4) return interleave_chosen<4>(words, data_words, update_words, count);
  }
  if constexpr (Width != 2) {
    if (step == 3) return interleave_chosen<3>(words, data_words, update_words, count);
  }
  interleave_chosen<2>(words, data_words, update_words, count);
}

// The loops of a width.
struct copy_loops {
  using copy_function = void (*)(char* to, const char* from, const loop_nest<2>::axis& lines,
                                 const loop_nest<2>::axis& run, std::int64_t width) noexcept;
  using interleave_function = void (*)(std::int64_t step, char* to, const char* data, const char* updates,
                                       std::int64_t count) noexcept;

  copy_function copy_lines;
  interleave_function interleave;    // null for widths that do not fit a register, and without slices
  interleave_function interleave_8;  // for blocks of 8 bytes, if elements are shorter; otherwise null
};

template <std::size_t Width>
constexpr copy_loops::interleave_function interleave_of() noexcept {
  if constexpr (fits_register<Width>) {
    return interleave<Width>;
  } else {
    return nullptr;
  }
}
// Slices: whether a call may be the replacement of a slice, which merges data with updates.
template <std::size_t Width, bool Slices = true>
inline constexpr copy_loops copy_loops_of{copy_lines<Width>, Slices ? interleave_of<Width>() : nullptr,
                                          Slices&& Width == 4 ? interleave_of<8>() : nullptr};

}  // namespace strew::detail

#endif  // STREW_DETAIL_KERNELS_COPY_LOOPS_HPP
