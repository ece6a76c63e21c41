// SPDX-License-Identifier: Apache-2.0
// The bytes of a mask, or others that are 0 or not: eight at a time, as the bits of a word, and their number.
#ifndef STREW_DETAIL_KERNELS_MASK_BITS_HPP
#define STREW_DETAIL_KERNELS_MASK_BITS_HPP

#include <strew/config.hpp>

#include <bit>
#include <cstdint>
#include <cstring>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

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

inline constexpr std::int64_t mask_bits = 64;  // of a word

// Bit i is set if byte i is not 0, for i < count <= mask_bits.
inline std::uint64_t load_mask_bits(const char* mask, std::int64_t count) noexcept {
  std::uint64_t bits = 0;
  std::int64_t i = 0;
#if STREW_USE_INTRINSICS
  using bytes __attribute__((vector_size(16))) = char;
  for (; i + 16 <= count; i += 16) {
    bytes these;
    std::memcpy(&these, mask + i, sizeof these);
    bits |= std::uint64_t{static_cast<std::uint16_t>(__builtin_ia32_pmovmskb128(these != bytes{}))} << i;
  }
#endif
  if constexpr (std::endian::native == std::endian::little) {
    for (; i + mask_word <= count; i += mask_word) {
      // The product's highest byte has a bit for each byte of the word.
      bits |= (load_mask(mask + i) * 0x0102040810204080 >> 56) << i;
    }
  }
  for (; i < count; ++i) bits |= std::uint64_t{mask[i] != 0} << i;
  return bits;
}

// The number of bytes that are not 0, `stride` apart.
inline std::int64_t count_mask(const char* mask, std::int64_t stride, std::int64_t count) noexcept {
  if (stride == 0 && count > 0) return *mask != 0 ? count : 0;
  std::int64_t selected = 0;
  std::int64_t i = 0;
  // Each byte of a sum of 31 words is at most 31, so the product's highest byte is the sum of its bytes.
  constexpr std::int64_t most = 31;
  while (stride == 1 && i + mask_word <= count) {
    const std::int64_t words = (count - i) / mask_word < most ? (count - i) / mask_word : most;
    std::uint64_t sums = 0;
    for (std::int64_t k = 0; k < words; ++k) sums += load_mask(mask + i + k * mask_word);
    selected += static_cast<std::int64_t>(sums * one_a_byte >> 56);
    i += words * mask_word;
  }
  for (; i < count; ++i) selected += mask[i * stride] != 0 ? 1 : 0;
  return selected;
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_KERNELS_MASK_BITS_HPP
