// SPDX-License-Identifier: Apache-2.0
// The innermost loops of reductions of 16-bit floating-point numbers.
#ifndef STREW_DETAIL_KERNELS_HALF_LOOPS_HPP
#define STREW_DETAIL_KERNELS_HALF_LOOPS_HPP

#include <strew/config.hpp>
#include <strew/detail/half_formats.hpp>
#include <strew/detail/kernel_counter.hpp>
#include <strew/detail/kernels/copy_loops.hpp>
#include <strew/detail/kernels/reduce_runs.hpp>
#include <strew/detail/tuning.hpp>
#include <strew/operators/reduction.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

template <class R>
concept float_reduction = is_one_of<R, reduction::sum_type, reduction::sub_type, reduction::prod_type>;
// Reductions that have the loops below.
template <class T, class R>
concept half_reduction = half_element<T> &&
    (float_reduction<R> || is_one_of<R, reduction::min_type, reduction::max_type>);

// `x` and `y` are floats, or vectors of them.
template <float_reduction R, class Floats>
STREW_INLINE void combine_floats(Floats& x, const Floats& y) noexcept {
  if constexpr (std::is_same_v<R, reduction::sum_type>) {
    x = x + y;
  } else if constexpr (std::is_same_v<R, reduction::sub_type>) {
    x = x - y;
  } else {
    x = x * y;
  }
}
// The reduction itself, always inline.
template <class T, class R, converted How>
STREW_INLINE T combine_half(const T& current, const T& update) noexcept {
  static_assert(half_reduction<T, R>);
  if constexpr (float_reduction<R>) {
    float result = widen_half<T, How>(current);
    combine_floats<R>(result, widen_half<T, How>(update));
    return narrow_to_half<T, How>(result);
  } else if constexpr (std::is_same_v<R, reduction::min_type>) {
    return lesser_half(current, update);
  } else {
    return greater_half(current, update);
  }
}

inline constexpr std::int64_t half_size = 2;
// The elements that are combined by one vector. Fewer are combined one by one.
inline constexpr std::int64_t halves_of_vector = 8;
template <class T, class R, converted How = converted::one>
STREW_INLINE void combine_half_at(char* to, const char* from) noexcept {
  T current;
  T update;
  std::memcpy(&current, to, sizeof(T));
  std::memcpy(&update, from, sizeof(T));
  const T result = combine_half<T, R, How>(current, update);
  std::memcpy(to, &result, sizeof(T));
}
template <class T, class R>
STREW_INLINE void combine_halves_loop(char* __restrict to, const char* __restrict from, std::int64_t count) noexcept {
  for (std::int64_t i = 0; i < count; ++i) {
    combine_half_at<T, R, converted::many>(to + i * half_size, from + i * half_size);
  }
}
template <class T, class R>
STREW_NOINLINE STREW_VECTORISED void combine_halves_plain(char* to, const char* from, std::int64_t count) noexcept {
  combine_halves_loop<T, R>(to, from, count);
}
template <class T, class R>
STREW_NOINLINE STREW_VECTORISED_AVX2 void combine_halves_avx2(char* to, const char* from, std::int64_t count) noexcept {
  combine_halves_loop<T, R>(to, from, count);
}

#if STREW_HAS_F16C
// Eight float16 at any address. Vectors are no arguments, which units without AVX pass in another way.
template <class R>
STREW_F16C STREW_INLINE void combine_eight(const char* current, const char* update, char* result) noexcept {
  using halves __attribute__((vector_size(16))) = short;
  using floats __attribute__((vector_size(32))) = float;
  halves a;
  halves b;
  std::memcpy(&a, current, sizeof a);
  std::memcpy(&b, update, sizeof b);
  floats x = __builtin_ia32_vcvtph2ps256(a);
  const floats y = __builtin_ia32_vcvtph2ps256(b);
  combine_floats<R>(x, y);
  const halves rounded = __builtin_ia32_vcvtps2ph256(x, 0);
  std::memcpy(result, &rounded, sizeof rounded);
}
template <class R>
STREW_NOINLINE STREW_F16C void combine_halves_f16c(char* to, const char* from, std::int64_t count) noexcept {
  constexpr std::int64_t eight = halves_of_vector;
  STREW_EXPECT(count >= eight);
  char last[eight * half_size];
  // The last eight, some of which the loop combines too, of the elements as they were.
  const std::int64_t rest = count - eight;
  combine_eight<R>(to + rest * half_size, from + rest * half_size, last);
  for (std::int64_t i = 0; i < rest; i += eight) {
    combine_eight<R>(to + i * half_size, from + i * half_size, to + i * half_size);
  }
  std::memcpy(to + rest * half_size, last, sizeof last);
}
// Updates of single elements, one after the other.
template <class R>
STREW_NOINLINE STREW_F16C void reduce_halves_f16c(const update_run& all) noexcept {
  using halves __attribute__((vector_size(16))) = short;
  using floats __attribute__((vector_size(16))) = float;
  update_run run = all;  // copies: stores of char may alias them
  for (std::int64_t line = 1;; ++line) {
    for (std::int64_t k = 0; k < run.count; ++k) {
      const std::int64_t i = run.number == nullptr ? k : static_cast<std::int64_t>(run.number[k]);
      char* const to = run.to + i * run.to_stride + run.offset[i];
      short current;
      short update;
      std::memcpy(&current, to, half_size);
      std::memcpy(&update, run.from + i * run.from_stride, half_size);
      floats x = __builtin_ia32_vcvtph2ps(halves{current});
      const floats y = __builtin_ia32_vcvtph2ps(halves{update});
      combine_floats<R>(x, y);
      const halves rounded = __builtin_ia32_vcvtps2ph(x, 0);
      std::memcpy(to, &rounded, half_size);
    }
    if (run.lines == nullptr || line == run.lines->count) return;
    run.to += run.lines->to;
    run.from += run.lines->from;
    run.offset += run.lines->offsets;
  }
}
#endif
// Reductions of single elements whose loops convert them: these take targets as offsets alone.
template <class T, class R>
inline constexpr bool converts_elements =
    STREW_HAS_F16C != 0 && half_format_of<T> == half_format::float16&& float_reduction<R>;

// Whether the processor has F16C.
inline bool has_f16c() noexcept {
#if STREW_CHOOSES_F16C
  return __builtin_cpu_supports("f16c") != 0;
#else
  return STREW_HAS_F16C != 0;
#endif
}

// Combines contiguous updates with as many contiguous elements, a vector of them or more.
template <class T, class R>
STREW_INLINE void combine_half_line(char* to, const char* from, std::int64_t count) noexcept {
  const bool may_choose = count >= tuning::limits().half_count;
#if STREW_HAS_F16C
  if constexpr (half_format_of<T> == half_format::float16 && float_reduction<R>) {
    if (may_choose && has_f16c()) {
      STREW_RAN("combine_halves f16c", reduction_name<R>);
      return combine_halves_f16c<R>(to, from, count);
    }
  }
#endif
#if STREW_CHOOSES_AVX2
  if (may_choose && has_avx2()) {
    STREW_RAN("combine_halves avx2", type_name<T>, reduction_name<R>);
    return combine_halves_avx2<T, R>(to, from, count);
  }
#endif
  static_cast<void>(may_choose);
  STREW_RAN("combine_halves plain", type_name<T>, reduction_name<R>);
  combine_halves_plain<T, R>(to, from, count);
}

// Combines a row of updates with its elements; strides in bytes. Those that are not contiguous are copied, some at a
// time, where one by one they take longer.
template <class T, class R>
STREW_NOINLINE void combine_halves(char* to, std::int64_t to_stride, const char* from, std::int64_t from_stride,
                                   std::int64_t count) noexcept {
  static_assert(sizeof(T) == half_size);
  const bool is_contiguous = to_stride == half_size && from_stride == half_size;
  if (is_contiguous && count >= halves_of_vector) return combine_half_line<T, R>(to, from, count);
  std::int64_t i = 0;
  if constexpr (half_format_of<T> == half_format::float16 && float_reduction<R>) {
    constexpr std::int64_t piece = 256;
    char elements[piece * half_size];
    char updates[piece * half_size];
    for (; count - i >= halves_of_vector; i += piece) {
      STREW_RAN("combine_halves gathered", type_name<T>, reduction_name<R>);
      const std::int64_t n = count - i < piece ? count - i : piece;
      copy_run<half_size>(elements, half_size, to + i * to_stride, to_stride, n, half_size);
      copy_run<half_size>(updates, half_size, from + i * from_stride, from_stride, n, half_size);
      combine_half_line<T, R>(elements, updates, n);
      copy_run<half_size>(to + i * to_stride, to_stride, elements, half_size, n, half_size);
    }
  }
  for (; i < count; ++i) {
    STREW_RAN("combine_halves one by one", type_name<T>, reduction_name<R>);
    combine_half_at<T, R>(to + i * to_stride, from + i * from_stride);
  }
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_KERNELS_HALF_LOOPS_HPP
