// SPDX-License-Identifier: Apache-2.0
// Reductions of contiguous elements with as many updates, a vector of 16 bytes at a time: what every x86-64 and AArch64
// processor has. Compilers vectorise few of these loops with -O2, and minima and maxima of doubles with no option.
#ifndef STREW_DETAIL_KERNELS_REDUCE_VECTORS_HPP
#define STREW_DETAIL_KERNELS_REDUCE_VECTORS_HPP

#include <strew/config.hpp>
#include <strew/detail/number_types.hpp>
#include <strew/operators/reduction.hpp>
#include <strew/view/integer.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// Whether R has such loops for elements T. Not products of 8 or 64 bits, which no processor has for vectors.
template <class T, class R>
constexpr bool has_vectors() noexcept {
#if defined(__x86_64__) || defined(__aarch64__)
  constexpr bool is_sum = is_one_of<R, reduction::sum_type, reduction::sub_type>;
  if constexpr (is_one_of<T, float, double>)
    return is_sum || is_one_of<R, reduction::prod_type, reduction::min_type, reduction::max_type>;
  if constexpr (is_std_complex<T>) {
    if constexpr (is_one_of<typename T::value_type, float, double>) return is_sum;
  }
  if constexpr (wrapping_integer<T> && sizeof(T) <= 8) {
    return is_sum || (std::is_same_v<R, reduction::prod_type> && (sizeof(T) == 2 || sizeof(T) == 4)) ||
           (is_one_of<R, reduction::min_type, reduction::max_type> && sizeof(T) <= 4);
  }
#endif
  return false;
}

// The numbers that an element of T consists of.
template <class T>
struct number_in {
  using type = T;
};
template <class T>
  requires is_std_complex<T>
struct number_in<T> {
  using type = typename T::value_type;
};

// Combines a vector of 16 bytes, or the half of one.
template <class T, class R, std::size_t Bytes = 16>
STREW_INLINE void reduce_vector([[maybe_unused]] char* to, [[maybe_unused]] const char* from) noexcept {
#if defined(__GNUC__)
  using element = typename number_in<T>::type;
  constexpr bool is_order = is_one_of<R, reduction::min_type, reduction::max_type>;
  // Sums and products of integers wrap, which only unsigned ones do.
  using lane = typename std::conditional_t<!is_order && std::is_integral_v<element>, std::make_unsigned<element>,
                                           std::type_identity<element>>::type;
  using vector __attribute__((vector_size(16))) = lane;
  using words __attribute__((vector_size(16))) = std::int64_t;
  const auto load_vector = [](const char* at) {
    vector loaded;
    if constexpr (Bytes == sizeof loaded) {
      std::memcpy(&loaded, at, sizeof loaded);
    } else {
      std::int64_t half;
      std::memcpy(&half, at, sizeof half);
      loaded = reinterpret_cast<vector>(words{half, 0});
    }
    return loaded;
  };
  vector current = load_vector(to);
  const vector update = load_vector(from);
  if constexpr (is_order) {
    // The current element stays if it is NaN, or if the update is neither NaN nor beyond it.
    const auto is_beyond = std::is_same_v<R, reduction::min_type> ? update < current : current < update;
    if constexpr (std::is_floating_point_v<element>) {
      const vector& current_itself = current;  // a NaN is not equal to itself
      const vector& update_itself = update;
      const auto stays = (current != current_itself) | ~(is_beyond | (update != update_itself));
      current = stays ? current : update;
    } else {
      current = is_beyond ? update : current;
    }
  } else if constexpr (std::is_same_v<R, reduction::sum_type>) {
    current += update;
  } else if constexpr (std::is_same_v<R, reduction::sub_type>) {
    current -= update;
  } else {
    current *= update;
  }
  if constexpr (Bytes == sizeof current) {
    std::memcpy(to, &current, sizeof current);
  } else {
    const std::int64_t half = reinterpret_cast<words>(current)[0];
    std::memcpy(to, &half, sizeof half);
  }
#endif
}
// Combines as many whole vectors of `bytes` bytes as there are; returns how many bytes these are. Two in a step: a loop
// of one takes up to 1.4 times as long, by where its code lies.
template <class T, class R>
STREW_INLINE std::int64_t reduce_vectors(char* to, const char* from, std::int64_t bytes) noexcept {
  std::int64_t done = 0;
  for (; done + 32 <= bytes; done += 32) {
    reduce_vector<T, R>(to + done, from + done);
    reduce_vector<T, R>(to + done + 16, from + done + 16);
  }
  if (done + 16 <= bytes) {
    reduce_vector<T, R>(to + done, from + done);
    done += 16;
  }
  return done;
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_KERNELS_REDUCE_VECTORS_HPP
