// SPDX-License-Identifier: Apache-2.0
// How a reduction combines one update with its element, or one row of updates with a row of elements.
#ifndef STREW_DETAIL_KERNELS_REDUCE_ROW_HPP
#define STREW_DETAIL_KERNELS_REDUCE_ROW_HPP

#include <strew/config.hpp>
#include <strew/detail/complex_product.hpp>
#include <strew/detail/kernels/half_loops.hpp>
#include <strew/detail/kernels/reduce_runs.hpp>
#include <strew/detail/kernels/reduce_vectors.hpp>
#include <strew/detail/plan/scatter_plan.hpp>
#include <strew/detail/typed/reduction_states.hpp>
#include <strew/detail/typed/reduction_step.hpp>
#include <strew/operators/reduction.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

template <class T>
struct element_bytes {
  unsigned char bytes[sizeof(T)];
};
// Complex numbers are loaded by parts: loaded whole, g++ copies them through the stack, written as two and read as one,
// a stall of 5 ns.
template <class T>
STREW_INLINE T load_element(const char* from) noexcept {
  if constexpr (is_std_complex<T>) {
    using part = typename T::value_type;
    return T(load_element<part>(from), load_element<part>(from + sizeof(part)));
  } else if constexpr (is_in_words<T>) {  // likewise
    typename T::words words;
    for (std::size_t k = 0; k < words.size; ++k) std::memcpy(&words.word[k], from + 8 * k, 8);
    return T(words);
  } else if constexpr (std::is_same_v<T, bool>) {
    return *from != 0;  // see is_true
  } else {
    element_bytes<T> raw;
    std::memcpy(raw.bytes, from, sizeof(T));
    return std::bit_cast<T>(raw);
  }
}
template <class T>
STREW_INLINE void store_element(char* to, const T& value) noexcept {
  if constexpr (is_std_complex<T>) {
    const typename T::value_type parts[] = {value.real(), value.imag()};
    std::memcpy(to, parts, sizeof(T));
  } else if constexpr (is_in_words<T>) {
    const typename T::words words = value.to_words();
    for (std::size_t k = 0; k < words.size; ++k) std::memcpy(to + 8 * k, &words.word[k], 8);
  } else {
    const auto raw = std::bit_cast<element_bytes<T>>(value);
    std::memcpy(to, raw.bytes, sizeof(T));
  }
}

// The reduction object of a call: a callable of the caller is an object, named reductions have no state.
template <class R>
inline constexpr R stateless_reduction{};
template <class R>
STREW_INLINE const R& reduction_of(const void* object) noexcept {
  if constexpr (is_stateless<R>) {
    return stateless_reduction<R>;
  } else {
    return *static_cast<const R*>(object);
  }
}

// Combines one update with its target `element`.
template <class T, class R>
STREW_INLINE void reduce_element(const R& reduce, char* element, const char* update, char* state) noexcept {
  using how = reduction_step<T, R>;
  // Nothing is stored for a NaN. Without a state compilers select the old value instead, for many elements at a time,
  // but registers of 32-bit x86 would change a signalling NaN.
  if constexpr (skips_nan<R> && (how::grid != state_layout::none || sizeof(void*) < 8)) {
    if (is_nan(load_element<T>(update))) return;
  }
  if constexpr (how::grid == state_layout::none) {
    typename how::state unused;
    T value = load_element<T>(element);
    how::apply(reduce, value, load_element<T>(update), unused);
    store_element(element, value);
  } else {
    auto kept = load_element<typename how::state>(state);
    if constexpr (requires { how::leaves_elements; }) {
      T unused{};
      how::apply(reduce, unused, load_element<T>(update), kept);
      store_element(state, kept);
      return;
    }
    if constexpr (requires { how::starts(kept); }) {
      if (how::starts(kept)) {
        std::memcpy(element, update, sizeof(T));
        store_element(state, kept);
        return;
      }
    }
    T value = load_element<T>(element);
    how::apply(reduce, value, load_element<T>(update), kept);
    store_element(element, value);
    store_element(state, kept);
  }
}

// min and max of single floating-point elements, with the bits that the reduction returns: an instruction that compares
// and selects, and a branch that only NaNs take. In vector registers, since GCC otherwise moves both values through
// general ones: 1.3 to 1.5 times as long.
template <class T, class R>
inline constexpr bool is_extremum =
    is_one_of<T, float, double>&& is_one_of<R, reduction::min_type, reduction::max_type>;
template <class T, class R>
STREW_INLINE T extremum(T current, T update) noexcept {
  STREW_IN_VECTOR(current);
  STREW_IN_VECTOR(update);
  const bool replaces = std::is_same_v<R, reduction::min_type> ? update < current : current < update;
  T result = replaces ? update : current;
  if (is_nan(update)) [[unlikely]] {
    result = is_nan(current) ? current : update;
  }
  STREW_IN_VECTOR(result);
  return result;
}

// reduce_element for loops that no compiler vectorises.
template <class T, class R>
STREW_INLINE void reduce_single(const R& reduce, char* element, const char* update, char* state) noexcept {
  if constexpr (is_extremum<T, R>) {
    store_element(element, extremum<T, R>(load_element<T>(element), load_element<T>(update)));
  } else if constexpr (half_reduction<T, R>) {
    combine_half_at<T, R>(element, update);
  } else {
    reduce_element<T>(reduce, element, update, state);
  }
}

template <class T, class R, bool IsContiguous>
STREW_INLINE void reduce_row(const R& reduce, char* to, const char* from, char* state, const row_run& row) noexcept {
  using how = reduction_step<T, R>;
  constexpr auto size = static_cast<std::int64_t>(sizeof(T));
  const std::int64_t extent = row.extent;
  const std::int64_t to_stride = IsContiguous ? size : row.to_stride;
  const std::int64_t from_stride = IsContiguous ? size : row.from_stride;
  if constexpr (half_reduction<T, R>) {
    return combine_halves<T, R>(to, to_stride, from, from_stride, extent);
  } else if constexpr (how::grid == state_layout::rows) {
    // With one state for the row, each of its elements starts from the same state.
    if (row.state_stride == 0) {
      const auto before = load_element<typename how::state>(state);
      auto after = before;
      if constexpr (requires { how::starts(after); }) {
        if (how::starts(after)) {
          for (std::int64_t e = 0; e < extent; ++e) std::memcpy(to + e * to_stride, from + e * from_stride, sizeof(T));
          store_element(state, after);
          return;
        }
      }
      using later = typename later_reduction<R>::type;
      if constexpr (half_reduction<T, later> || has_vectors<T, later>()) {
        T unused{};
        how::apply(reduce, unused, unused, after);
        store_element(state, after);
        return reduce_row<T, later, IsContiguous>(later{}, to, from, nullptr, row);
      }
      for (std::int64_t e = 0; e < extent; ++e) {
        after = before;
        T value = load_element<T>(to + e * to_stride);
        how::apply(reduce, value, load_element<T>(from + e * from_stride), after);
        store_element(to + e * to_stride, value);
      }
      store_element(state, after);
      return;
    }
  }
  const std::int64_t state_stride = row.state_stride;
  std::int64_t e = 0;
  if constexpr (IsContiguous && has_vectors<T, R>()) e = reduce_vectors<T, R>(to, from, extent * size) / size;
  for (; e < extent; ++e) {
    reduce_single<T>(reduce, to + e * to_stride, from + e * from_stride, state + e * state_stride);
  }
}

// The products of a scaled sum, in a function of its own: stored products cannot be fused with the sum.
template <class T>
STREW_NOINLINE STREW_VECTORISED void scale_elements(const T& alpha, const char* from, std::int64_t from_stride,
                                                    std::int64_t count, char* to) noexcept {
  constexpr auto size = static_cast<std::int64_t>(sizeof(T));
  const T factor = alpha;
  if constexpr (half_element<T>) {
    for (std::int64_t i = 0; i < count; ++i) store_element<T>(to + i * size, factor);
    combine_halves<T, reduction::prod_type>(to, size, from, from_stride, count);
  } else {
    for (std::int64_t i = 0; i < count; ++i) {
      store_element<T>(to + i * size, reduction::prod(factor, load_element<T>(from + i * from_stride)));
    }
  }
}
template <class T>
STREW_VECTORISED void add_scaled_row(const scaled_sum<T>& reduce, char* to, const char* from,
                                     const row_run& row) noexcept {
  constexpr auto size = static_cast<std::int64_t>(sizeof(T));
  constexpr std::int64_t piece = 4096 / size < 1 ? 1 : 4096 / size;
  char products[static_cast<std::size_t>(piece * size)];
  for (std::int64_t e = 0; e < row.extent; e += piece) {
    const std::int64_t n = row.extent - e < piece ? row.extent - e : piece;
    scale_elements<T>(reduce.alpha, from + e * row.from_stride, row.from_stride, n, products);
    reduce_row<T, reduction::sum_type, false>(reduction::sum, to + e * row.to_stride, products, nullptr,
                                              {n, row.to_stride, size, 0, size});
  }
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_KERNELS_REDUCE_ROW_HPP
