// SPDX-License-Identifier: Apache-2.0
// The innermost loops of copies: along one axis, over one or two operands.
#ifndef STREW_KERNEL_RUN_HPP
#define STREW_KERNEL_RUN_HPP

#include <strew/config.hpp>
#include <strew/loop_nest.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace strew::detail {

template <class T>
inline constexpr bool assigns_without_throwing = std::is_nothrow_copy_assignable_v<T>;

// Whether copying the bytes is the assignment.
template <class T>
inline constexpr bool is_bytewise = std::is_trivially_copyable_v<T>&& std::is_trivially_copy_assignable_v<T>;

// `Size` bytes of any type. The fast kernels move these instead of the element type: they are compiled once for all
// types of a size, and nothing in them can depend on what the bytes mean.
template <std::size_t Size>
struct opaque {
  unsigned char bytes[Size];

  opaque() noexcept = default;
  opaque(const opaque& other) noexcept { std::memcpy(bytes, other.bytes, Size); }
  opaque& operator=(const opaque& other) noexcept {  // as memcpy, which becomes one move; the default does not
    std::memcpy(bytes, other.bytes, Size);
    return *this;
  }
};

template <std::size_t Size>
inline constexpr bool is_bytewise<opaque<Size>> = true;

// Whether the fast kernels are made for T: they know the sizes of the arithmetic types and of pairs of them.
template <class T>
inline constexpr bool is_opaque = is_bytewise<T> && (sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4 ||
                                                     sizeof(T) == 8 || sizeof(T) == 16);

template <class T>
opaque<sizeof(T)>* as_opaque(T* pointer) noexcept {
  return reinterpret_cast<opaque<sizeof(T)>*>(pointer);
}
template <class T>
const opaque<sizeof(T)>* as_opaque(const T* pointer) noexcept {
  return reinterpret_cast<const opaque<sizeof(T)>*>(pointer);
}

inline constexpr std::int64_t cache_line = 64;      // bytes
inline constexpr std::int64_t longest_block = 256;  // of with_block_size, bytes

// Calls body(size) with the sizes in bytes that one or a few moves copy as compile-time constants. Returns false, and
// calls nothing, for other sizes and for those below Least, the size of an element, of which no block is made: each
// size left out saves its users the loops for it. A call of memcpy for each of many short blocks costs several times
// its bytes.
template <std::size_t Least, class Body>
bool with_block_size(std::int64_t bytes, Body&& body) {
  const auto matches = [&](auto size) {
    if constexpr (size() >= Least) {
      if (bytes != static_cast<std::int64_t>(size())) return false;
      body(size);
      return true;
    } else {
      return false;
    }
  };
  return matches(std::integral_constant<std::size_t, 1>{}) || matches(std::integral_constant<std::size_t, 2>{}) ||
         matches(std::integral_constant<std::size_t, 4>{}) || matches(std::integral_constant<std::size_t, 8>{}) ||
         matches(std::integral_constant<std::size_t, 16>{}) || matches(std::integral_constant<std::size_t, 32>{}) ||
         matches(std::integral_constant<std::size_t, 64>{}) || matches(std::integral_constant<std::size_t, 128>{}) ||
         matches(std::integral_constant<std::size_t, 256>{});
}

// to[i] = from[i] for each i < count. The two do not overlap, here and below.
template <class T>
constexpr void copy_contiguous(T* to, const T* from, std::int64_t count) noexcept(assigns_without_throwing<T>) {
  if constexpr (is_bytewise<T>) {
    if (!std::is_constant_evaluated()) {
      std::memcpy(static_cast<void*>(to), from, static_cast<std::size_t>(count) * sizeof(T));
      return;
    }
  }
  for (std::int64_t i = 0; i < count; ++i) to[i] = from[i];
}

// Whether a loop of so many elements is better run as compiled for AVX2. False where all code is.
inline bool chooses_avx2(std::int64_t count) noexcept {
#if STREW_CHOOSES_AVX2
  return count >= 64 && __builtin_cpu_supports("avx2") != 0;
#else
  static_cast<void>(count);
  return false;
#endif
}

// to[i * to_stride] = from[i * from_stride] for each i < count. A stride may be a compile-time constant.
template <class T, class ToStride, class FromStride>
STREW_VECTORISED constexpr void copy_strided(T* __restrict to, ToStride to_stride, const T* __restrict from,
                                             FromStride from_stride,
                                             std::int64_t count) noexcept(assigns_without_throwing<T>) {
  for (std::int64_t i = 0; i < count; ++i) to[i * to_stride] = from[i * from_stride];
}

// to[i] = from[-i] for each i < count.
template <class T>
STREW_VECTORISED_AVX2 void copy_reversed_avx2(T* __restrict to, const T* __restrict from, std::int64_t count) noexcept {
  for (std::int64_t i = 0; i < count; ++i) to[i] = from[-i];
}

template <class T>
constexpr void copy_run(T* to, std::int64_t to_stride, const T* from, std::int64_t from_stride,
                        std::int64_t count) noexcept(assigns_without_throwing<T>) {
  using unit = std::integral_constant<std::int64_t, 1>;
  using reversed = std::integral_constant<std::int64_t, -1>;
  if (to_stride == 1 && from_stride == 1) {
    copy_contiguous(to, from, count);
  } else if (to_stride == 1 && from_stride == -1) {
    if constexpr (is_bytewise<T>) {
      if (!std::is_constant_evaluated() && chooses_avx2(count)) {
        copy_reversed_avx2(to, from, count);
        return;
      }
    }
    copy_strided(to, unit{}, from, reversed{}, count);
  } else if (to_stride == 1) {
    copy_strided(to, unit{}, from, from_stride, count);
  } else {
    copy_strided(to, to_stride, from, from_stride, count);
  }
}

// to[i * Step] = updates[i * stride], and the Step - 1 elements after it from data, for each i < count.
template <std::int64_t Step, class T, class Stride>
STREW_INLINE void interleave_loop(T* __restrict to, const T* __restrict data, const T* __restrict updates,
                                  Stride stride, std::int64_t count) noexcept {
  for (std::int64_t i = 0; i < count; ++i) {
    to[i * Step] = updates[i * stride];
    for (std::int64_t k = 1; k < Step; ++k) to[i * Step + k] = data[i * Step + k];
  }
}
template <std::int64_t Step, class T, class Stride>
STREW_VECTORISED void interleave_by(T* __restrict to, const T* __restrict data, const T* __restrict updates,
                                    Stride stride, std::int64_t count) noexcept {
  interleave_loop<Step>(to, data, updates, stride, count);
}
template <std::int64_t Step, class T, class Stride>
STREW_VECTORISED_AVX2 void interleave_by_avx2(T* __restrict to, const T* __restrict data, const T* __restrict updates,
                                              Stride stride, std::int64_t count) noexcept {
  interleave_loop<Step>(to, data, updates, stride, count);
}

// As above for the steps that are worth a loop of their own: a step known at run time only takes several times as long.
// Returns false, and does nothing, for others.
template <class T>
bool interleave(std::int64_t step, T* to, const T* data, const T* updates, std::int64_t stride,
                std::int64_t count) noexcept {
  if (step < 2 || step > 4) return false;
  with_stride(stride, [&](auto update_stride) {
    const auto interleave_steps = [&](auto constant) {
      if (chooses_avx2(count)) {
        interleave_by_avx2<constant()>(to, data, updates, update_stride, count);
      } else {
        interleave_by<constant()>(to, data, updates, update_stride, count);
      }
    };
    switch (step) {
      case 2:
        interleave_steps(std::integral_constant<std::int64_t, 2>{});
        break;
      case 3:
        interleave_steps(std::integral_constant<std::int64_t, 3>{});
        break;
      default:
        interleave_steps(std::integral_constant<std::int64_t, 4>{});
    }
  });
  return true;
}

// Copies `count` blocks of `size` bytes, a compile-time constant; strides in bytes.
template <class Size>
void copy_blocks(char* to, std::int64_t to_stride, const char* from, std::int64_t from_stride, std::int64_t count,
                 Size size) noexcept {
  for (std::int64_t i = 0; i < count; ++i) std::memcpy(to + i * to_stride, from + i * from_stride, size);
}

}  // namespace strew::detail

#endif  // STREW_KERNEL_RUN_HPP
