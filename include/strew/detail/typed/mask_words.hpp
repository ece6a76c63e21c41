// SPDX-License-Identifier: Apache-2.0
// Elements of a mask, one and eight at a time.
#ifndef STREW_DETAIL_TYPED_MASK_WORDS_HPP
#define STREW_DETAIL_TYPED_MASK_WORDS_HPP

#include <strew/config.hpp>

#include <cstdint>
#include <cstring>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// Whether an element of a mask selects: if its byte is not 0. Masks are read as bytes, as chars, since a bool may be a
// byte that is neither 0 nor 1. In constant evaluation they have their own type, and a value that is not 0 selects.
template <class M>
constexpr bool selects(M element) noexcept {
  return element != M{};
}

// Eight adjacent elements of a mask: 1 or 0 in each byte.
inline constexpr std::int64_t mask_word = 8;
inline constexpr std::uint64_t one_a_byte = 0x0101010101010101;
inline std::uint64_t load_mask(const char* mask) noexcept {
  std::uint64_t word = 0;
  std::memcpy(&word, mask, sizeof word);
  word |= word >> 4 & 0x0f0f0f0f0f0f0f0f;
  word |= word >> 2 & 0x3f3f3f3f3f3f3f3f;
  word |= word >> 1;
  return word & one_a_byte;
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_TYPED_MASK_WORDS_HPP
