// SPDX-License-Identifier: Apache-2.0
// Finds the positions whose targets a block of the output owns, where each block reads all indices: 64 indices at a
// time are compared with the block's range, to the bits of a word. Reductions with states that do not fit in the memory
// are computed in many such blocks.
#ifndef STREW_DETAIL_KERNELS_OWN_POSITIONS_HPP
#define STREW_DETAIL_KERNELS_OWN_POSITIONS_HPP

#include <strew/config.hpp>
#include <strew/detail/box.hpp>
#include <strew/detail/kernel_counter.hpp>
#include <strew/detail/kernels/copy_loops.hpp>
#include <strew/detail/kernels/index_loops.hpp>
#include <strew/detail/kernels/index_reader.hpp>
#include <strew/detail/plan/loop_nest.hpp>
#include <strew/detail/rules/policy.hpp>
#include <strew/detail/rules/request.hpp>
#include <strew/detail/rules/target_axis.hpp>
#include <strew/detail/tuning.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

inline constexpr std::int64_t indices_a_word = 64;

// Bit i is set if integer i of `count` contiguous ones, at most indices_a_word, is in [begin, begin + size).
template <class Integer>
STREW_INLINE std::uint64_t find_in_range(const char* from, std::int64_t count, std::make_unsigned_t<Integer> begin,
                                         std::make_unsigned_t<Integer> size) noexcept {
  using bits = std::make_unsigned_t<Integer>;
  std::uint64_t found = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    const auto place = static_cast<bits>(load<bits>(from + i * static_cast<std::int64_t>(sizeof(Integer))) - begin);
    found |= std::uint64_t{place < size} << i;
  }
  return found;
}

// The numbers of the integers from number `first` on that are in the range; returns how many there are.
template <class Integer>
STREW_NOINLINE std::int64_t number_those_in_range(const char* from, std::int64_t first, std::int64_t count,
                                                  std::make_unsigned_t<Integer> begin,
                                                  std::make_unsigned_t<Integer> size, std::uint16_t* number) noexcept {
  STREW_RAN("own positions", sizeof(Integer));
  std::int64_t kept = 0;
  for (std::int64_t i = first; i < count; i += indices_a_word) {
    const std::int64_t some = count - i < indices_a_word ? count - i : indices_a_word;
    std::uint64_t bits =
        find_in_range<Integer>(from + i * static_cast<std::int64_t>(sizeof(Integer)), some, begin, size);
    for (; bits != 0; bits &= bits - 1) number[kept++] = static_cast<std::uint16_t>(i + std::countr_zero(bits));
  }
  return kept;
}

#if STREW_HAS_AVX2
// Finds them by vectors, whose comparisons are signed, so the highest bit of the numbers is flipped. Most words of a
// small range have no bit.
template <class Integer>
STREW_VECTORISED_AVX2 std::int64_t number_those_in_range_avx2(const char* from, std::int64_t count,
                                                              std::make_unsigned_t<Integer> begin,
                                                              std::make_unsigned_t<Integer> size,
                                                              std::uint16_t* number) noexcept {
  STREW_RAN("own positions avx2", sizeof(Integer));
  using bits = std::make_unsigned_t<Integer>;
  using signed_numbers __attribute__((vector_size(32))) = Integer;
  using numbers __attribute__((vector_size(32))) = bits;
  constexpr auto width = static_cast<std::int64_t>(sizeof(Integer));
  constexpr std::int64_t lanes = 32 / width;
  constexpr bits flipped = bits{1} << (8 * sizeof(Integer) - 1);
  const numbers first = numbers{} + static_cast<bits>(flipped - begin);
  const auto limit = reinterpret_cast<signed_numbers>(numbers{} + static_cast<bits>(size ^ flipped));
  std::int64_t kept = 0;
  std::int64_t i = 0;
  for (; i + indices_a_word <= count; i += indices_a_word) {
    std::uint64_t found = 0;
    for (std::int64_t k = 0; k < indices_a_word; k += lanes) {
      numbers these;
      std::memcpy(&these, from + (i + k) * width, sizeof these);
      const auto are_in = reinterpret_cast<signed_numbers>(these + first) < limit;
      unsigned mask = 0;
      if constexpr (width == 8) {
        using doubles __attribute__((vector_size(32))) = double;
        mask = static_cast<unsigned>(__builtin_ia32_movmskpd256(reinterpret_cast<doubles>(are_in)));
      } else {
        using floats __attribute__((vector_size(32))) = float;
        mask = static_cast<unsigned>(__builtin_ia32_movmskps256(reinterpret_cast<floats>(are_in)));
      }
      found |= std::uint64_t{mask} << k;
    }
    for (; found != 0; found &= found - 1) number[kept++] = static_cast<std::uint16_t>(i + std::countr_zero(found));
  }
  return kept + number_those_in_range<Integer>(from, i, count, begin, size, number + kept);
}
#endif

// The numbers of contiguous indices that are in a range of coordinates.
template <class Integer>
std::int64_t find_own_positions(const char* from, std::int64_t count, const axis_range& owned,
                                std::uint16_t* number) noexcept {
  using bits = std::make_unsigned_t<Integer>;
  constexpr auto largest = static_cast<std::int64_t>((std::numeric_limits<Integer>::max)());
  if (owned.begin > largest) return 0;
  const std::int64_t most = largest - owned.begin;  // one less than the coordinates from `begin` on
  const auto size = static_cast<bits>(owned.count - 1 < most ? owned.count : most + 1);
#if STREW_HAS_AVX2
  if (count >= tuning::limits().vector_count && has_avx2()) {
    return number_those_in_range_avx2<Integer>(from, count, static_cast<bits>(owned.begin), size, number);
  }
#endif
  return number_those_in_range<Integer>(from, 0, count, static_cast<bits>(owned.begin), size, number);
}

// See index_reader::read_own_function: for many blocks, each of which owns few.
struct own_positions {
  static void read(index_reader& reader, std::int64_t first, std::int64_t stride, std::int64_t count) noexcept {
    const char* const targets = static_cast<const char*>(reader.find_targets(first, stride, count).indices);
    reader.find_own_offsets(targets,
                            find_own_positions<std::int64_t>(targets, count, reader.axis_->owned, reader.numbers_));
  }
};

}  // namespace strew::detail

#endif  // STREW_DETAIL_KERNELS_OWN_POSITIONS_HPP
