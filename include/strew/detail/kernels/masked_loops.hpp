// SPDX-License-Identifier: Apache-2.0
// The innermost loops of scatters by a mask: 64 elements of the mask at a time, as the bits of a word. A branch on each
// element of a random mask would be mispredicted half the time.
#ifndef STREW_DETAIL_KERNELS_MASKED_LOOPS_HPP
#define STREW_DETAIL_KERNELS_MASKED_LOOPS_HPP

#include <strew/config.hpp>
#include <strew/detail/kernel_counter.hpp>
#include <strew/detail/kernels/copy_loops.hpp>
#include <strew/detail/kernels/index_loops.hpp>
#include <strew/detail/kernels/mask_bits.hpp>
#include <strew/detail/tuning.hpp>
#include <strew/detail/typed/typed_masked.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// The bits of elements that are apart. As bits one by one they would take three times as long.
inline std::uint64_t load_mask_bits(const char* mask, std::int64_t stride, std::int64_t count) noexcept {
  char copied[mask_bits];
  if (stride == 1) return load_mask_bits(mask, count);
  copy_run<1>(copied, 1, mask, stride, count, 1);
  return load_mask_bits(copied, count);
}

// Replaces the elements of the bits by the next ones of a run of the source.
template <std::size_t Width>
STREW_INLINE void put_bits(char* to, std::int64_t to_stride, std::uint64_t bits, const char* from,
                           std::int64_t from_stride, std::int64_t size) noexcept {
  for (; bits != 0; bits &= bits - 1, from += from_stride) {
    move_element<Width>(to + std::countr_zero(bits) * to_stride, from, size);
  }
}

#if STREW_HAS_AVX2
// For each byte, the number of bits set below each of its bits, in four bits each.
struct ranks_of_bits {
  std::uint32_t of[256];
};
constexpr ranks_of_bits find_ranks_of_bits() noexcept {
  ranks_of_bits ranks{};
  for (unsigned byte = 0; byte < 256; ++byte) {
    for (unsigned k = 0, count = 0; k < 8; ++k) {
      ranks.of[byte] |= count << (4 * k);
      count += byte >> k & 1U;
    }
  }
  return ranks;
}
inline constexpr ranks_of_bits ranks_of_byte = find_ranks_of_bits();

// As put_bits, for contiguous elements of 4 bytes: eight at a time, of which only the selected ones are written.
// `Fills`: the elements are all *from; otherwise 32 bytes of the source can be read from each of them. Vectors of wider
// elements take longer than bits with AMD's processors.
template <bool Fills>
STREW_NOINLINE STREW_VECTORISED_AVX2 void put_vectors(char* to, std::uint64_t bits, const char* from) noexcept {
  STREW_RAN("masked stores", Fills);
  using numbers __attribute__((vector_size(32))) = int;
  using unsigned_numbers __attribute__((vector_size(32))) = unsigned;
  const unsigned_numbers shift = {0, 4, 8, 12, 16, 20, 24, 28};
  const numbers bit = {1, 2, 4, 8, 16, 32, 64, 128};
  numbers value{};
  for (std::size_t k = 0; Fills && k < 32; k += 4) std::memcpy(reinterpret_cast<char*>(&value) + k, from, 4);
  for (; bits != 0; bits >>= 8, to += 32) {
    const unsigned eight = static_cast<unsigned>(bits) & 0xffU;
    if constexpr (!Fills) {
      std::memcpy(&value, from, 32);
      const unsigned_numbers place =
          (unsigned_numbers{} + ranks_of_byte.of[eight]) >> shift;  // the lowest three bits count
      value = __builtin_ia32_permvarsi256(value, reinterpret_cast<numbers>(place));
      from += std::ptrdiff_t{4} * std::popcount(eight);
    }
    const numbers selected = (bit & static_cast<int>(eight)) == bit;
    __builtin_ia32_maskstored256(static_cast<numbers*>(static_cast<void*>(to)), selected, value);
  }
}
#endif

template <std::size_t Width>
using word_number = std::conditional_t<
    Width == 1, std::uint8_t,
    std::conditional_t<Width == 2, std::uint16_t, std::conditional_t<Width == 4, std::uint32_t, std::uint64_t>>>;
// to[i] = mask[i] ? *value : data[i].
template <class Word>
STREW_VECTORISED void blend(char* __restrict to, const char* data, const char* mask, const char* value,
                            std::int64_t count) noexcept {
  STREW_RAN("masked blend", sizeof(Word));
  constexpr auto size = static_cast<std::int64_t>(sizeof(Word));
  const auto one = load<Word>(value);
  for (std::int64_t i = 0; i < count; ++i) {
    const auto old = load<Word>(data + i * size);
    const auto selected = static_cast<Word>(mask[i] != 0 ? ~Word{0} : Word{0});
    const auto result = static_cast<Word>(old ^ ((old ^ one) & selected));
    std::memcpy(to + i * size, &result, sizeof(Word));
  }
}

// Elements of Width bytes, or of a number that is given at run time for any_width. Strides count bytes.
template <std::size_t Width>
struct byte_elements {
  using output = char*;
  using input = const char*;
  using source = const char*;
  static constexpr bool are_bytes = true;
  std::int64_t unit;
  std::int64_t size;

  [[nodiscard]] std::int64_t source_unit() const noexcept { return unit; }
  static std::int64_t count_selected(const char* mask, std::int64_t stride, std::int64_t count) noexcept {
    return count_mask(mask, stride, count);
  }
  // Replaces the elements of runs that the mask selects by the next ones of the source: by masked_kernels.
  static void put_runs(const masked_run<byte_elements>& run, element_reader<byte_elements>& source) noexcept;
};
template <std::size_t Width>
using bytes_run = masked_run<byte_elements<Width>>;
template <std::size_t Width>
using bytes_reader = element_reader<byte_elements<Width>>;

// The elements of a word of the mask.
template <std::size_t Width>
void put_word(const bytes_run<Width>& run, char* to, std::uint64_t bits, [[maybe_unused]] bool is_flat,
              bytes_reader<Width>& source) noexcept {
  const std::int64_t size = run.elements.size;
  const int selected = std::popcount(bits);
  const std::int64_t left = source.run_left();
  if (left < selected) {
    for (; bits != 0; bits &= bits - 1) {
      move_element<Width>(to + std::countr_zero(bits) * run.to_stride, source.next(), size);
    }
    return;
  }
  const std::int64_t stride = source.stride();
  const char* const from = source.here();
  source.skip(selected);
  if (selected >= mask_bits - tuning::gaps_in_a_word) {  // runs between the elements that are not selected
    const char* next = from;
    std::int64_t i = 0;
    for (std::uint64_t gaps = ~bits;; gaps &= gaps - 1) {
      const std::int64_t end = std::countr_zero(gaps);  // 64 after the last
      copy_run<Width>(to + i * run.to_stride, run.to_stride, next, stride, end - i, size);
      next += (end - i) * stride;
      i = end + 1;
      if (gaps == 0) return;
    }
  }
#if STREW_HAS_AVX2
  if constexpr (Width == 4) {
    const bool fills = stride == 0;
    if (is_flat && selected >= tuning::fewest_masked && has_avx2() &&
        (fills || (stride == size && left - selected >= 8))) {
      return (fills ? put_vectors<true> : put_vectors<false>)(to, bits, from);
    }
  }
#endif
  put_bits<Width>(to, run.to_stride, bits, from, stride, size);
}
// Few elements a run: words of the mask and the choice of a loop would take longer. next() is the next element of the
// source.
template <std::size_t Width, class Next>
STREW_INLINE void put_short_runs(bytes_run<Width> run, const Next& next) noexcept {
  const std::int64_t size = run.elements.size;
  for (; run.rows > 0; --run.rows, run.next()) {
    const char* mask = run.mask;
    const char* data = run.data;
    char* to = run.to;
    for (std::int64_t i = run.count; i > 0; --i, mask += run.mask_stride, to += run.to_stride) {
      if (selects(*mask)) {
        move_element<Width>(to, next(), size);
      } else if (data != nullptr) {
        move_element<Width>(to, data, size);
      }
      if (data != nullptr) data += run.data_stride;
    }
  }
}
// Short runs with one element of the mask each: data is copied, then the selected ones of 64 are replaced.
template <std::size_t Width, class Next>
STREW_INLINE void put_short_rows(const bytes_run<Width> run, const Next& next) noexcept {
  const std::int64_t size = run.elements.size;
  const auto [mask_next, to_next, data_next] = run.to_next.value;
  for (std::int64_t row = 0; row < run.rows; row += mask_bits) {
    const std::int64_t rows = run.rows - row < mask_bits ? run.rows - row : mask_bits;
    char* const to = run.to + row * to_next;
    if (run.data != nullptr) {
      loop_nest<2> nest;  // of one axis where rows follow each other
      nest.add_inner(rows, {to_next, data_next});
      nest.add_inner(run.count, {run.to_stride, run.data_stride});
      copy_lines<Width>(to, run.data + row * data_next, nest.second(), nest.innermost(), size);
    }
    std::uint64_t bits = load_mask_bits(run.mask + row * mask_next, mask_next, rows);
    for (; bits != 0; bits &= bits - 1) {
      char* target = to + std::countr_zero(bits) * to_next;
      for (std::int64_t i = run.count; i > 0; --i, target += run.to_stride) move_element<Width>(target, next(), size);
    }
  }
}
// Short runs, whose mask has one element for each of them or one for each of their elements.
template <std::size_t Width, bool HasOneOfMask, class Next>
STREW_INLINE void put_short(const bytes_run<Width>& run, const Next& next) noexcept {
  if constexpr (HasOneOfMask) {
    put_short_rows<Width>(run, next);
  } else {
    put_short_runs<Width>(run, next);
  }
}
template <std::size_t Width, bool HasOneOfMask>
void put_short(const bytes_run<Width>& run, bytes_reader<Width>& source) noexcept {
  // An element that is repeated along a run does not say how many of it were taken.
  const bool is_repeated = source.stride() == 0 && !source.is_one();
  if (is_repeated || source.left_of_run() < run.count * run.rows) {
    return put_short<Width, HasOneOfMask>(run, [&source]() noexcept { return source.next(); });
  }
  const std::int64_t stride = source.stride();
  const char* const first = source.here();
  const char* from = first;
  put_short<Width, HasOneOfMask>(run, [&from, stride]() noexcept {
    const char* const next = from;
    from += stride;
    return next;
  });
  if (stride != 0) source.skip((from - first) / stride);
}

// A run with one element of the mask, as masks that are expanded over rows have.
template <std::size_t Width>
void put_all_or_none(const bytes_run<Width>& run, bytes_reader<Width>& source) noexcept {
  const std::int64_t size = run.elements.size;
  if (!selects(*run.mask)) {
    if (run.data != nullptr) copy_run<Width>(run.to, run.to_stride, run.data, run.data_stride, run.count, size);
    return;
  }
  for (std::int64_t i = 0, count = 0; i < run.count; i += count) {
    const std::int64_t left = source.run_left();
    count = run.count - i < left ? run.count - i : left;
    copy_run<Width>(run.to + i * run.to_stride, run.to_stride, source.here(), source.stride(), count, size);
    source.skip(count);
  }
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_KERNELS_MASKED_LOOPS_HPP
