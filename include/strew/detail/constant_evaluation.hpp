// SPDX-License-Identifier: Apache-2.0
// Whether the compiler evaluates a call, or the program runs it.
#ifndef STREW_DETAIL_CONSTANT_EVALUATION_HPP
#define STREW_DETAIL_CONSTANT_EVALUATION_HPP

#include <strew/config.hpp>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// As std::is_constant_evaluated, which is true at run time with clang 14, C++23 and libstdc++. A function, as g++
// inlines less of a function that has the builtin itself (a call with containers then takes 5 % more instructions).
[[nodiscard]] constexpr bool is_constant_evaluated() noexcept {
  return __builtin_is_constant_evaluated();
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_CONSTANT_EVALUATION_HPP
