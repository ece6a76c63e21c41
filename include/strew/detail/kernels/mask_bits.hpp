// SPDX-License-Identifier: Apache-2.0
// The bytes of a mask, or others that are 0 or not, as the bits of a word.
#ifndef STREW_DETAIL_KERNELS_MASK_BITS_HPP
#define STREW_DETAIL_KERNELS_MASK_BITS_HPP

#include <strew/config.hpp>
#include <strew/detail/typed/mask_words.hpp>

#include <bit>
#include <cstdint>
#include <cstring>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

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
  for (; i < count; ++i) bits |= std::uint64_t{selects(mask[i])} << i;
  return bits;
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_KERNELS_MASK_BITS_HPP
