// SPDX-License-Identifier: Apache-2.0
// One step of a reduction: combines an update with the current element, and with the state that some reductions keep
// for each element.
#ifndef STREW_DETAIL_TYPED_REDUCTION_STEP_HPP
#define STREW_DETAIL_TYPED_REDUCTION_STEP_HPP

#include <strew/config.hpp>
#include <strew/detail/plan/scatter_plan.hpp>
#include <strew/operators/reduction.hpp>
#include <strew/view/integer.hpp>

#include <cstdint>
#include <type_traits>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// A sum of integers no wider than Word, an unsigned type of 64 bits or more, in two words of two's complement: exact
// for any possible number of terms.
template <class Word>
struct integer_sum {
  static constexpr int word_bits = 8 * static_cast<int>(sizeof(Word));

  Word low = 0;
  Word high = 0;

  template <class Integer>
  constexpr void add(Integer value) noexcept {
    const auto bits = static_cast<Word>(value);
    const Word sign = value < Integer{} ? ~Word{0} : Word{0};
    low += bits;
    high += sign + (low < bits ? 1U : 0U);
  }

  // The sum divided by n > 0, rounded towards minus infinity. The mean of values of Integer is representable in it.
  template <class Integer>
  [[nodiscard]] constexpr Integer divided_by(std::int64_t n) const noexcept {
    const bool is_negative = (high >> (word_bits - 1)) != 0;
    const auto divisor = static_cast<Word>(n);
    // For a sum s < 0: floor(s / n) = ~floor(~s / n).
    const Word upper = is_negative ? ~high : high;
    const Word lower = is_negative ? ~low : low;
    Word quotient = 0;
    if (upper == 0) {
      quotient = lower / divisor;
    } else {  // bit by bit; the quotient fits a word
      Word rest = 0;
      for (int bit = 2 * word_bits - 1; bit >= 0; --bit) {
        const Word next = bit >= word_bits ? upper >> (bit - word_bits) : lower >> bit;
        rest = rest << 1 | (next & 1);
        quotient <<= 1;
        if (rest >= divisor) {
          rest -= divisor;
          quotient |= 1;
        }
      }
    }
    return static_cast<Integer>(is_negative ? ~quotient : quotient);
  }
};

// current + alpha * update, with the product rounded before it is added. The product has a function of its own, since
// compilers fuse products and sums within a function. For kernels see scale_elements.
template <class T>
struct scaled_sum {
  T alpha;

  static constexpr bool is_nothrow = std::is_arithmetic_v<T> || has_accumulator<T> || complex_like<T>;

  STREW_NOINLINE constexpr T product(const T& update) const noexcept(is_nothrow) {
    return reduction::prod(alpha, update);
  }
  constexpr T operator()(const T& current, const T& update) const noexcept(is_nothrow) {
    return reduction::sum(current, product(update));
  }
};

// Assigns what a reduction returned from a const T&, as all elements are assigned: a move may throw where a copy does
// not, and elements need none.
template <class T, class Result>
constexpr void assign_result(T& element, Result&& result) {
  if constexpr (std::is_same_v<std::remove_cvref_t<Result>, T>) {
    element = static_cast<const T&>(result);
  } else {
    const T& converted = static_cast<T>(static_cast<Result&&>(result));
    element = converted;
  }
}

// The states of reductions. All bytes 0: the element has had no update.
struct no_state {};
struct touched_state {
  bool was_touched = false;
};
struct count_state {
  std::int64_t count = 0;
};
template <class Sum>
struct sum_state {
  Sum sum{};
  std::int64_t count = 0;
};

// How the reduction R combines elements with updates of type T: by apply for each update in order, and then by finish
// once for each element with is_unfinished(state). If the first update is copied, starts(state) returns whether this is
// the first one, and marks the state; elements that are copied as bytes are then copied as such, since 32-bit x86
// changes signalling NaNs in its registers.
template <class T, class R>
struct reduction_step {
  using state = no_state;
  static constexpr state_layout grid = state_layout::none;
  static constexpr bool finishes = false;

  static constexpr void apply(const R& reduce, T& element, const T& update, state&) {
    if constexpr (std::is_same_v<R, reduction::none_type>) {
      element = update;
    } else {
      assign_result(element, reduce(element, update));
    }
  }
};

template <class T, class R>
struct reduction_step<T, reduction::without_init_type<R>> {
  using state = touched_state;
  static constexpr state_layout grid = state_layout::rows;
  static constexpr bool finishes = false;

  static constexpr bool starts(state& at) noexcept {
    const bool is_first = !at.was_touched;
    at.was_touched = true;
    return is_first;
  }
  static constexpr void apply(const reduction::without_init_type<R>&, T& element, const T& update, state& at) {
    if (starts(at)) {
      element = update;
    } else {
      assign_result(element, R{}(element, update));
    }
  }
};

// A mean whose sum is kept in the element.
template <class T, class R, bool Init>
struct mean_in_place {
  using state = count_state;
  static constexpr state_layout grid = state_layout::rows;
  static constexpr bool finishes = true;

  static constexpr bool starts(state& at) noexcept requires(!Init) {
    if (at.count > 0) return false;
    at.count = 1;
    return true;
  }
  static constexpr void apply(const R&, T& element, const T& update, state& at) {
    if constexpr (!Init) {
      if (starts(at)) {
        element = update;
        return;
      }
    }
    assign_result(element, reduction::sum(element, update));
    ++at.count;
  }
  static constexpr bool is_unfinished(const state& at) noexcept { return at.count > (Init ? 0 : 1); }
  static constexpr void finish(T& element, const state& at) {
    const std::int64_t count = at.count + (Init ? 1 : 0);
    if constexpr (is_std_complex<T>) {
      const auto divisor = static_cast<typename T::value_type>(count);
      element = T(element.real() / divisor, element.imag() / divisor);
    } else if constexpr (complex_like<T>) {
      assign_result(element, element / static_cast<typename T::value_type>(count));
    } else {
      assign_result(element, element / static_cast<T>(count));
    }
  }
};

// A mean whose sum needs a wider type than the element.
template <class T, class R, bool Init>
struct mean_in_states {
  template <class U>
  struct sum_of {
    using type = accumulator_of<U>;
  };
  template <wrapping_integer U>
  struct sum_of<U> {
    using type = integer_sum<std::uint64_t>;
  };
  template <wrapping_integer U>
    requires(sizeof(U) > sizeof(std::uint64_t))
  struct sum_of<U> {
    using type = integer_sum<std::make_unsigned_t<U>>;
  };
  using state = sum_state<typename sum_of<T>::type>;
  static constexpr state_layout grid = state_layout::elements;
  static constexpr bool finishes = true;

  static constexpr void apply(const R&, T& element, const T& update, state& at) {
    if constexpr (wrapping_integer<T>) {
      if (Init && at.count == 0) at.sum.add(element);
      at.sum.add(update);
    } else {
      const bool is_first = at.count == 0;
      if (is_first && Init) at.sum = widen(element);
      at.sum = is_first && !Init ? widen(update) : at.sum + widen(update);
    }
    ++at.count;
  }
  static constexpr bool is_unfinished(const state& at) noexcept { return at.count > 0; }
  static constexpr void finish(T& element, const state& at) {
    const std::int64_t count = at.count + (Init ? 1 : 0);
    if constexpr (wrapping_integer<T>) {
      element = at.sum.template divided_by<T>(count);
    } else {
      assign_result(element, narrow<T>(at.sum / static_cast<accumulator_of<T>>(count)));
    }
  }
};

template <class T, class R, bool Init>
using mean_of = std::conditional_t<wrapping_integer<T> || has_accumulator<T>, mean_in_states<T, R, Init>,
                                   mean_in_place<T, R, Init>>;
template <class T>
struct reduction_step<T, reduction::mean_type> : mean_of<T, reduction::mean_type, true> {};
template <class T>
struct reduction_step<T, reduction::without_init_type<reduction::mean_type>>
    : mean_of<T, reduction::without_init_type<reduction::mean_type>, false> {};

// Whether a reduction of two shares of the updates, each by itself, and of their results has the bits of that of all
// updates in order. Sums and products of integers; minima and maxima, of which the first of equal ones and the first
// NaN remain. Not of bool: bytes other than 0 and 1 that no update reaches would become 1.
template <class T, class R>
inline constexpr bool merges_exactly =
    !std::is_same_v<T, bool> &&
    (std::is_same_v<R, reduction::min_type> || std::is_same_v<R, reduction::max_type> ||
     (wrapping_integer<T> && (std::is_same_v<R, reduction::sum_type> || std::is_same_v<R, reduction::prod_type>)));

}  // namespace strew::detail

#endif  // STREW_DETAIL_TYPED_REDUCTION_STEP_HPP
