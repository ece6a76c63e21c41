// SPDX-License-Identifier: Apache-2.0
// Whether an update wins against the current element.
#ifndef STREW_DETAIL_TYPED_WINNING_UPDATE_HPP
#define STREW_DETAIL_TYPED_WINNING_UPDATE_HPP

#include <strew/config.hpp>
#include <strew/detail/half_formats.hpp>
#include <strew/operators/floating.hpp>
#include <strew/operators/reduction.hpp>

#include <cstdint>
#include <type_traits>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// Whether an update wins against the current element of a reduction that has positions.
template <class R, class T>
constexpr bool wins([[maybe_unused]] const T& current, [[maybe_unused]] const T& update) {
  if constexpr (std::is_same_v<R, reduction::none_type>) {
    return true;
  } else {
    constexpr bool is_max = std::is_same_v<R, reduction::max_type>;
    if constexpr (std::is_same_v<T, bool>) {
      return current != update && update == is_max;
    } else if constexpr (half_element<T>) {
      constexpr std::int16_t nan = is_max ? INT16_MAX : INT16_MIN;
      return is_max ? order_of_half(current, nan) < order_of_half(update, nan)
                    : order_of_half(update, nan) < order_of_half(current, nan);
    } else if constexpr (native_floating<T>) {  // without branches
      const T& same = current;                  // a NaN is not equal to itself
      return static_cast<bool>(static_cast<int>(current == same) &
                               static_cast<int>(is_max ? !(update <= current) : !(update >= current)));
    } else {
      if (is_nan(current)) return false;
      return is_nan(update) || (is_max ? is_less(current, update) : is_less(update, current));
    }
  }
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_TYPED_WINNING_UPDATE_HPP
