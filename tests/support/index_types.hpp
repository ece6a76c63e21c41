// SPDX-License-Identifier: Apache-2.0
// The integer types that an index may have, and the values of each that break careless arithmetic.
#ifndef STREW_TESTS_SUPPORT_INDEX_TYPES_HPP
#define STREW_TESTS_SUPPORT_INDEX_TYPES_HPP

#include <limits>
#include <tuple>
#include <type_traits>
#include <vector>

namespace strew::test {

using index_types = std::tuple<signed char, short, int, long, long long, unsigned char, unsigned short, unsigned int,
                               unsigned long, unsigned long long>;

// Both ends of the type, where int32 and int64 end, and the values around zero.
template <class I>
std::vector<I> notable_values() {
  constexpr I min = std::numeric_limits<I>::min();
  constexpr I max = std::numeric_limits<I>::max();
  std::vector<I> values{
      min, static_cast<I>(min + 1), static_cast<I>(max / 2), static_cast<I>(max / 2 + 1), static_cast<I>(max - 1), max};
  for (int value = -10; value <= 10; ++value) {
    if (value >= 0 || std::is_signed_v<I>) values.push_back(static_cast<I>(value));
  }
  if constexpr (sizeof(I) == 8) {
    for (const auto end : {std::numeric_limits<int>::min(), std::numeric_limits<int>::max()}) {
      values.push_back(static_cast<I>(end));
    }
  }
  return values;
}

}  // namespace strew::test

#endif  // STREW_TESTS_SUPPORT_INDEX_TYPES_HPP
