// SPDX-License-Identifier: Apache-2.0
// One step of a reduction: combines an update with the current element, and with the state that some reductions keep
// for each element.
#ifndef STREW_DETAIL_TYPED_REDUCTION_STEP_HPP
#define STREW_DETAIL_TYPED_REDUCTION_STEP_HPP

#include <strew/config.hpp>
#include <strew/detail/plan/scatter_plan.hpp>
#include <strew/operators/reduction.hpp>
#include <strew/view/integer.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

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

// Whether all objects of R are alike. A type of the caller says so by no name in it.
template <class R>
inline constexpr bool is_stateless = named_reduction<R>;

// How the reduction R combines elements with updates of type T: by apply for each update in order, and then by finish
// once for each element with is_unfinished(state). If the first update is copied, starts(state) returns whether this is
// the first one, and marks the state; elements that are copied as bytes are then copied as such, since 32-bit x86
// changes signalling NaNs in its registers. Here of those without a state; see reduction_states.hpp for others.
template <class T, class R>
struct reduction_step {
  static_assert(!omits_init<R> && !std::is_same_v<typename with_nan<R>::type, reduction::mean_type>,
                "its states are in reduction_states.hpp");

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

}  // namespace strew::detail

#endif  // STREW_DETAIL_TYPED_REDUCTION_STEP_HPP
