// SPDX-License-Identifier: Apache-2.0
// Divides row-major numbers, some at a time, by an extent.
#ifndef STREW_DETAIL_KERNELS_DIVIDE_NUMBERS_HPP
#define STREW_DETAIL_KERNELS_DIVIDE_NUMBERS_HPP

#include <strew/config.hpp>
#include <strew/detail/kernel_counter.hpp>
#include <strew/detail/kernels/copy_loops.hpp>

#include <cstdint>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// Divides numbers below 2^32 by 1 < `by` <= 2^32; `rests` becomes the remainders. By a reciprocal of 64 bits, rounded
// up: its error times a number is less than 2^64, so the quotient is exact. In products of 32 bits by 32, which
// processors have for vectors.
STREW_INLINE void divide_short(std::int64_t* __restrict numbers, std::int64_t* __restrict rests, std::int64_t count,
                               std::int64_t by) noexcept {
  const auto divisor = static_cast<std::uint64_t>(by);
  const std::uint64_t reciprocal = ~std::uint64_t{0} / divisor + 1;
  const std::uint64_t high = reciprocal >> 32;
  const std::uint64_t low = reciprocal & 0xffffffff;
  for (std::int64_t i = 0; i < count; ++i) {
    const std::uint64_t number = static_cast<std::uint32_t>(numbers[i]);
    const std::uint64_t quotient = (number * high + (number * low >> 32)) >> 32;
    rests[i] = static_cast<std::int64_t>(number - static_cast<std::uint32_t>(quotient) * divisor);
    numbers[i] = static_cast<std::int64_t>(quotient);
  }
}
STREW_VECTORISED_AVX2 inline void divide_avx2(std::int64_t* numbers, std::int64_t* rests, std::int64_t count,
                                              std::int64_t by) noexcept {
  divide_short(numbers, rests, count, by);
}
// Divides any numbers that are not negative.
STREW_VECTORISED inline void divide(std::int64_t* numbers, std::int64_t* rests, std::int64_t count, std::int64_t by,
                                    bool are_short) noexcept {
  if (are_short && chooses_avx2(count)) {
    STREW_RAN("numbers by a reciprocal, avx2");
    divide_avx2(numbers, rests, count, by);
  } else if (are_short) {
    STREW_RAN("numbers by a reciprocal");
    divide_short(numbers, rests, count, by);
  } else {
    STREW_RAN("numbers by divisions");
    const auto divisor = static_cast<std::uint64_t>(by);
    for (std::int64_t i = 0; i < count; ++i) {
      const auto number = static_cast<std::uint64_t>(numbers[i]);
      rests[i] = static_cast<std::int64_t>(number % divisor);
      numbers[i] = static_cast<std::int64_t>(number / divisor);
    }
  }
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_KERNELS_DIVIDE_NUMBERS_HPP
