// SPDX-License-Identifier: Apache-2.0
// Reductions with states that can be computed in steps that keep none: the identity is stored at all targets, the
// updates are combined with it, and for a mean they are counted afterwards.
#ifndef STREW_DETAIL_TYPED_REDUCTION_STEPS_HPP
#define STREW_DETAIL_TYPED_REDUCTION_STEPS_HPP

#include <strew/config.hpp>
#include <strew/detail/complex_product.hpp>
#include <strew/detail/plan/scatter_plan.hpp>
#include <strew/detail/tuning.hpp>
#include <strew/detail/typed/reduction_states.hpp>
#include <strew/detail/typed/reduction_step.hpp>
#include <strew/operators/reduction.hpp>
#include <strew/view/integer.hpp>

#include <cstdint>
#include <limits>
#include <type_traits>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// Whether an element is one floating-point number, or a pair of them, without padding.
template <class T>
constexpr bool has_known_parts() noexcept {
  if constexpr (is_std_complex<T>) {
    return has_known_parts<typename T::value_type>();
  } else {
    return is_one_of<T, float, double>;
  }
}
template <class R>
inline constexpr bool is_order = is_one_of<R, reduction::min_type, reduction::max_type>;

// Whether there is an element that every update replaces when it is combined with it: bit by bit for integers and for
// minima and maxima; for sums and products of floating-point numbers unless an update is a NaN, and as
// keeps_first_update finds. (1 + 0i is none of complex products: times an infinity it gives a NaN.)
template <class T, class R>
inline constexpr bool has_identity = (wrapping_integer<T> &&
                                      (is_one_of<R, reduction::sum_type, reduction::prod_type> || is_order<R>)) ||
                                     (is_one_of<T, float, double> &&
                                      (is_one_of<R, reduction::sum_type, reduction::prod_type> || is_order<R>)) ||
                                     (has_known_parts<T>() && std::is_same_v<R, reduction::sum_type>);

template <class T, class R>
constexpr T find_identity() noexcept {
  using limits = std::numeric_limits<T>;
  if constexpr (is_order<R>) {
    constexpr bool is_min = std::is_same_v<R, reduction::min_type>;
    if constexpr (wrapping_integer<T>) {
      return is_min ? (limits::max)() : limits::lowest();
    } else {
      return is_min ? limits::infinity() : -limits::infinity();
    }
  } else if constexpr (std::is_same_v<R, reduction::prod_type>) {
    return T(1);
  } else if constexpr (wrapping_integer<T>) {
    return T(0);
  } else if constexpr (std::is_floating_point_v<T>) {
    return -T(0);  // 0 + -0 is 0
  } else {
    return T(-typename T::value_type(0), -typename T::value_type(0));
  }
}

// The step that stores the identity of R, as a reduction that ignores both operands.
template <class T, class R>
struct start_of {
  constexpr T operator()(const T&, const T&) const noexcept { return find_identity<T, R>(); }
};
template <class T, class R>
inline constexpr bool is_stateless<start_of<T, R>> = true;

// The reduction that combines the updates, and whether there is a step before it and one after it.
template <class R>
struct reduction_steps_of {
  using plain = R;
  static constexpr bool omits_init = false;
  static constexpr bool divides = false;
};
template <>
struct reduction_steps_of<reduction::mean_type> {
  using plain = reduction::sum_type;
  static constexpr bool omits_init = false;
  static constexpr bool divides = true;
};
template <class R>
struct reduction_steps_of<reduction::without_init_type<R>> {
  using plain = typename reduction_steps_of<R>::plain;
  static constexpr bool omits_init = true;
  static constexpr bool divides = reduction_steps_of<R>::divides;
};

// Whether a mean keeps its sum in the element, so that the updates can be counted by themselves.
template <class T>
inline constexpr bool sums_in_element = averaged<T> && !wrapping_integer<T> && !has_accumulator<T>;

// Whether the reduction R, which keeps states, can be computed in steps.
template <class T, class R>
constexpr bool has_steps() noexcept {
  using steps = reduction_steps_of<R>;
  if constexpr (steps::divides ? !sums_in_element<T> : !steps::omits_init) {
    return false;
  } else {
    return !steps::omits_init || has_identity<T, typename steps::plain>;
  }
}
// Whether that depends on the updates and on the thread's arithmetic. On 32-bit x86 also for minima and maxima, as its
// registers make signalling NaNs quiet.
template <class T, class R>
inline constexpr bool checks_first_updates = reduction_steps_of<R>::omits_init && !wrapping_integer<T> &&
                                             (!is_order<typename reduction_steps_of<R>::plain> || sizeof(void*) < 8);

// Whether the updates of a mean are counted in a byte for each element, by the numbers of updates and elements.
constexpr bool counts_in_bytes(std::int64_t updates, std::int64_t elements) noexcept {
  return updates / (elements < 1 ? 1 : elements) < tuning::limits().most_counted_in_a_byte;
}

// The bytes of a state of R with which a reduction takes no more passes, by the numbers of updates and elements; 0 if
// it uses no memory.
template <class T, class R>
constexpr std::int64_t bytes_of_state(std::int64_t updates, std::int64_t elements) noexcept {
  using how = reduction_step<T, R>;
  if constexpr (how::grid == state_layout::none) {
    return 0;
  } else if constexpr (!has_steps<T, R>()) {
    return static_cast<std::int64_t>(sizeof(typename how::state));
  } else if constexpr (reduction_steps_of<R>::divides) {
    return counts_in_bytes(updates, elements) ? 1 : static_cast<std::int64_t>(sizeof(typename how::state));
  } else {
    return checks_first_updates<T, R> ? static_cast<std::int64_t>(sizeof(typename how::state)) : 0;
  }
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_TYPED_REDUCTION_STEPS_HPP
