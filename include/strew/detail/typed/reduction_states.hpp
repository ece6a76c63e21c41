// SPDX-License-Identifier: Apache-2.0
// The reductions that keep a state for each element: means, and those that omit data's value.
#ifndef STREW_DETAIL_TYPED_REDUCTION_STATES_HPP
#define STREW_DETAIL_TYPED_REDUCTION_STATES_HPP

#include <strew/config.hpp>
#include <strew/detail/complex_product.hpp>
#include <strew/detail/plan/scatter_plan.hpp>
#include <strew/detail/typed/reduction_step.hpp>
#include <strew/operators/reduction.hpp>
#include <strew/view/integer.hpp>

#include <cstddef>
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
    constexpr Word half_word = ~Word{0} >> (word_bits / 2);
    if (upper == 0 && (lower | divisor) <= half_word) {  // processors divide half a word in less time
      using half = std::conditional_t<word_bits == 64, std::uint32_t, std::uint64_t>;
      quotient = static_cast<half>(lower) / static_cast<half>(divisor);
    } else if (upper == 0) {
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

// States of integers are loaded and stored as words: whole, g++ copies them through the stack.
template <std::size_t Size>
struct state_words {
  static constexpr std::size_t size = Size;
  std::uint64_t word[Size];
};

// A sum of integers of at most 32 bits and the number of its terms, in two words: the high word of the sum is above
// the number. Exact for 2^48 terms, which take days.
struct counted_sum {
  using words = state_words<2>;
  static constexpr int count_bits = 48;

  std::uint64_t low = 0;
  std::uint64_t high_and_count = 0;

  constexpr counted_sum() noexcept = default;
  constexpr explicit counted_sum(const words& from) noexcept : low{from.word[0]}, high_and_count{from.word[1]} {}
  [[nodiscard]] constexpr words to_words() const noexcept { return {{low, high_and_count}}; }

  template <class Integer>
  constexpr void add(Integer value) noexcept {
    integer_sum<std::uint64_t> sum{low, 0};
    sum.add(value);
    low = sum.low;
    high_and_count += (sum.high << count_bits) + 1;
  }
  [[nodiscard]] constexpr std::int64_t number() const noexcept {
    return static_cast<std::int64_t>(high_and_count & ((std::uint64_t{1} << count_bits) - 1));
  }
  [[nodiscard]] constexpr integer_sum<std::uint64_t> total() const noexcept {
    return {low, static_cast<std::uint64_t>(static_cast<std::int64_t>(high_and_count) >> count_bits)};
  }
};

// The counted sum of integers of 64 bits, in three words.
struct long_counted_sum {
  using words = state_words<3>;

  integer_sum<std::uint64_t> sum{};
  std::uint64_t count = 0;

  constexpr long_counted_sum() noexcept = default;
  constexpr explicit long_counted_sum(const words& from) noexcept
      : sum{from.word[0], from.word[1]}, count{from.word[2]} {}
  [[nodiscard]] constexpr words to_words() const noexcept { return {{sum.low, sum.high, count}}; }

  template <class Integer>
  constexpr void add(Integer value) noexcept {
    sum.add(value);
    ++count;
  }
  [[nodiscard]] constexpr std::int64_t number() const noexcept { return static_cast<std::int64_t>(count); }
  [[nodiscard]] constexpr const integer_sum<std::uint64_t>& total() const noexcept { return sum; }
};

// The counted sum of wider integers.
template <class Word>
struct wide_counted_sum {
  integer_sum<Word> sum{};
  std::int64_t count = 0;

  template <class Integer>
  constexpr void add(Integer value) noexcept {
    sum.add(value);
    ++count;
  }
  [[nodiscard]] constexpr std::int64_t number() const noexcept { return count; }
  [[nodiscard]] constexpr const integer_sum<Word>& total() const noexcept { return sum; }
};

template <class T>
inline constexpr bool is_in_words = is_one_of<T, counted_sum, long_counted_sum>;

template <class T>
constexpr auto make_counted_sum() noexcept {
  if constexpr (sizeof(T) <= sizeof(std::uint32_t)) {
    return counted_sum{};
  } else if constexpr (sizeof(T) <= sizeof(std::uint64_t)) {
    return long_counted_sum{};
  } else {
    return wide_counted_sum<std::make_unsigned_t<T>>{};
  }
}

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

// A mean of integers, whose sum needs a wider type than the element. Elements are neither read nor written before the
// end.
template <class T, class R, bool Init>
struct mean_of_integers {
  using state = decltype(make_counted_sum<T>());
  static constexpr state_layout grid = state_layout::elements;
  static constexpr bool finishes = true;
  static constexpr bool leaves_elements = true;

  static constexpr void apply(const R&, T&, const T& update, state& at) noexcept { at.add(update); }
  static constexpr bool is_unfinished(const state& at) noexcept { return at.number() > 0; }
  static constexpr void finish(T& element, const state& at) noexcept {
    auto sum = at.total();
    if (Init) sum.add(element);
    element = sum.template divided_by<T>(at.number() + (Init ? 1 : 0));
  }
};

// A mean whose sum is kept in an accumulator.
template <class T, class R, bool Init>
struct mean_in_states {
  using state = sum_state<accumulator_of<T>>;
  static constexpr state_layout grid = state_layout::elements;
  static constexpr bool finishes = true;

  static constexpr void apply(const R&, T& element, const T& update, state& at) {
    const bool is_first = at.count == 0;
    if (is_first && Init) at.sum = widen(element);
    at.sum = is_first && !Init ? widen(update) : at.sum + widen(update);
    ++at.count;
  }
  static constexpr bool is_unfinished(const state& at) noexcept { return at.count > 0; }
  static constexpr void finish(T& element, const state& at) {
    assign_result(element, narrow<T>(at.sum / static_cast<accumulator_of<T>>(at.count + (Init ? 1 : 0))));
  }
};

template <class T, class R, bool Init>
struct mean_of : mean_in_place<T, R, Init> {};
template <wrapping_integer T, class R, bool Init>
struct mean_of<T, R, Init> : mean_of_integers<T, R, Init> {};
template <has_accumulator T, class R, bool Init>
struct mean_of<T, R, Init> : mean_in_states<T, R, Init> {};
template <class T>
struct reduction_step<T, reduction::mean_type> : mean_of<T, reduction::mean_type, true> {};
template <class T>
struct reduction_step<T, reduction::without_init_type<reduction::mean_type>>
    : mean_of<T, reduction::without_init_type<reduction::mean_type>, false> {};

// Reductions that leave NaNs out, with the states of those that do not, but one for each element: of a row some updates
// may be NaN.
template <class T, class R>
struct step_without_nan : reduction_step<T, R> {
  static constexpr state_layout grid = state_layout::elements;

  template <class State>
  static constexpr void apply(const auto&, T& element, const T& update, State& at) {
    if (!is_nan(update)) reduction_step<T, R>::apply(R{}, element, update, at);
  }
};
template <class T>
struct reduction_step<T, reduction::without_nan_type<reduction::mean_type>>
    : step_without_nan<T, reduction::mean_type> {};
template <class T, class R>
struct reduction_step<T, reduction::without_init_type<reduction::without_nan_type<R>>>
    : step_without_nan<T, reduction::without_init_type<R>> {};

// The reduction that combines an update with an element which has had one before; of a mean that is kept in the element
// its sum.
template <class R>
struct later_reduction {
  using type = R;
};
template <>
struct later_reduction<reduction::mean_type> {
  using type = reduction::sum_type;
};
template <class R>
struct later_reduction<reduction::without_init_type<R>> : later_reduction<R> {};

// Whether a reduction of two shares of the updates, each by itself, and of their results has the bits of that of all
// updates in order. Sums and products of integers; minima and maxima, of which the first of equal ones and the first
// NaN remain, or of NaNs that of data alone. Not of bool: bytes other than 0 and 1 that no update reaches would
// become 1.
template <class T, class R>
inline constexpr bool merges_exactly =
    !std::is_same_v<T, bool> &&
    (is_one_of<typename with_nan<R>::type, reduction::min_type, reduction::max_type> ||
     (wrapping_integer<T> && (std::is_same_v<R, reduction::sum_type> || std::is_same_v<R, reduction::prod_type>)));

}  // namespace strew::detail

#endif  // STREW_DETAIL_TYPED_REDUCTION_STATES_HPP
