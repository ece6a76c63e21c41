// SPDX-License-Identifier: Apache-2.0
// The innermost loops over indices, a set for each index type: checking them, and reading them as the integers of the
// other loops.
#ifndef STREW_DETAIL_KERNELS_INDEX_LOOPS_HPP
#define STREW_DETAIL_KERNELS_INDEX_LOOPS_HPP

#include <strew/config.hpp>
#include <strew/detail/kernel_counter.hpp>
#include <strew/detail/kernels/copy_loops.hpp>
#include <strew/detail/rules/request.hpp>
#include <strew/detail/tuning.hpp>
#include <strew/view/index.hpp>
#include <strew/view/integer.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// Result flags of index checks; combined by |.
enum : unsigned { nothing_found = 0, bad_index = 1, negative_index = 2 };

// The integer as which loops handle an index of type Index; 32 bits, if they suffice, take half the time of 64.
template <class Index>
using canonical_index = std::conditional_t<(sizeof(Index) < 4 || (sizeof(Index) == 4 && std::is_signed_v<Index>)),
                                           std::int32_t, std::int64_t>;
// Whether indices can be read as these integers in place. Unsigned ones of 64 bits can after the check: legal ones have
// the same bits.
template <class Index>
inline constexpr bool is_canonical_index = sizeof(Index) == 8 || (sizeof(Index) == 4 && std::is_signed_v<Index>);

// Reads an integer at any address, also from an array of another type of the same size (long, long long).
template <class Integer>
STREW_INLINE Integer load(const char* from) noexcept {
  Integer value;
  std::memcpy(&value, from, sizeof(Integer));
  return value;
}

// The checks of contiguous runs. The distance of an index is itself, of a negative one its distance to -1, so that no
// sum overflows; it is illegal if this is more than `limit`. Compilers do not vectorise `bad |= index >= extent`.
template <class Integer>
STREW_INLINE unsigned check_strict_loop(const char* indices, std::int64_t count, std::int64_t limit) noexcept {
  using bits = std::make_unsigned_t<Integer>;
  bits bad = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    const auto index = load<bits>(indices + i * static_cast<std::int64_t>(sizeof(Integer)));
    bad = static_cast<bits>(bad | index | static_cast<bits>(static_cast<bits>(limit) - index));
  }
  return static_cast<Integer>(bad) < 0 ? bad_index : nothing_found;
}
template <class Integer>
STREW_VECTORISED_AVX2 unsigned check_strict_in_vectors(const char* indices, std::int64_t count,
                                                       std::int64_t limit) noexcept {
  return check_strict_loop<Integer>(indices, count, limit);
}
template <class Integer>
unsigned check_strict(const char* indices, std::int64_t count, std::int64_t limit) noexcept {
  if (chooses_vectors(count)) {
    STREW_RAN("check_strict in vectors", sizeof(Integer));
    return check_strict_in_vectors<Integer>(indices, count, limit);
  }
  STREW_RAN("check_strict", sizeof(Integer));
  return check_strict_loop<Integer>(indices, count, limit);
}
template <class Integer>
STREW_INLINE unsigned check_wrapping_loop(const char* indices, std::int64_t count, std::int64_t limit) noexcept {
  using bits = std::make_unsigned_t<Integer>;
  bits bad = 0;
  bits signs = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    const auto index = load<Integer>(indices + i * static_cast<std::int64_t>(sizeof(Integer)));
    const auto position = static_cast<bits>(index < 0 ? ~index : index);
    signs = static_cast<bits>(signs | static_cast<bits>(index));
    bad = static_cast<bits>(bad | static_cast<bits>(static_cast<bits>(limit) - position));
  }
  return (static_cast<Integer>(bad) < 0 ? bad_index : nothing_found) |
         (static_cast<Integer>(signs) < 0 ? negative_index : nothing_found);
}
template <class Integer>
STREW_VECTORISED_AVX2 unsigned check_wrapping_in_vectors(const char* indices, std::int64_t count,
                                                         std::int64_t limit) noexcept {
  return check_wrapping_loop<Integer>(indices, count, limit);
}
template <class Integer>
unsigned check_wrapping(const char* indices, std::int64_t count, std::int64_t limit) noexcept {
  if (chooses_vectors(count)) {
    STREW_RAN("check_wrapping in vectors", sizeof(Integer));
    return check_wrapping_in_vectors<Integer>(indices, count, limit);
  }
  STREW_RAN("check_wrapping", sizeof(Integer));
  return check_wrapping_loop<Integer>(indices, count, limit);
}

// Checks `count` contiguous indices. extent >= 0.
template <class Integer, index_rule Rule>
unsigned check_contiguous(const char* indices, std::int64_t count, std::int64_t extent) noexcept {
  if (extent == 0) return count == 0 ? nothing_found : bad_index;
  // The largest legal index, in the index's own type.
  constexpr auto largest = static_cast<std::int64_t>((std::numeric_limits<Integer>::max)());
  const std::int64_t limit = extent - 1 < largest ? extent - 1 : largest;
  if constexpr (Rule == index_rule::strict) {
    return check_strict<Integer>(indices, count, limit);
  } else {
    return check_wrapping<Integer>(indices, count, limit);
  }
}

// Reads `count` indices that are `stride` bytes apart; unsigned ones saturate.
template <class Index, class Integer, class Stride>
STREW_INLINE void read_loop(const char* from, Stride stride, std::int64_t count, char* to) noexcept {
  constexpr auto size = static_cast<std::int64_t>(sizeof(Integer));
  for (std::int64_t i = 0; i < count; ++i) {
    const auto value = static_cast<Integer>(saturate(load<Index>(from + i * stride)));
    std::memcpy(to + i * size, &value, sizeof(Integer));
  }
}
template <class Index, class Integer>
STREW_VECTORISED void read_contiguous_indices(const char* from, std::int64_t count, char* __restrict to) noexcept {
  STREW_RAN("read_indices contiguous", type_name<Index>, sizeof(Integer));
  using contiguous = std::integral_constant<std::int64_t, static_cast<std::int64_t>(sizeof(Index))>;
  read_loop<Index, Integer>(from, contiguous{}, count, to);
}
// Those with a stride are not in vectors, into which they would be inserted one by one: that takes up to three times as
// long.
template <class Index, class Integer>
void read_indices(const char* from, std::int64_t stride, std::int64_t count, void* to) noexcept {
  char* const values = static_cast<char*>(to);
  if (stride == static_cast<std::int64_t>(sizeof(Index))) {
    return read_contiguous_indices<Index, Integer>(from, count, values);
  }
  STREW_RAN("read_indices strided", type_name<Index>, sizeof(Integer));
  read_loop<Index, Integer>(from, stride, count, values);
}

// What an index adds to an offset in the output: its target, to which a negative index comes by adding `wrapped`, times
// the stride. Both fit in 32 bits, and so do the products, which vectors of 64 bits cannot multiply before AVX-512.
struct offset_term {
  std::int64_t wrapped;
  std::int64_t stride;

  [[nodiscard]] static bool fits(std::int64_t extent, std::int64_t stride) noexcept {
    constexpr std::int64_t limit = (std::numeric_limits<std::int32_t>::max)();
    return extent <= limit && magnitude(stride) <= static_cast<std::uint64_t>(limit) &&
           magnitude(scaled(stride, extent)) <= static_cast<std::uint64_t>(limit);
  }
};
template <class Index>
STREW_INLINE void add_terms_loop(const char* indices, std::int64_t stride, std::int64_t count, const offset_term& of,
                                 std::int64_t* __restrict offsets) noexcept {
  const auto wrapped = static_cast<std::uint32_t>(of.wrapped);
  const auto step = static_cast<std::uint32_t>(of.stride);
  for (std::int64_t i = 0; i < count; ++i) {
    auto index = static_cast<std::uint32_t>(load<Index>(indices + i * stride));
    index += static_cast<std::int32_t>(index) < 0 ? wrapped : 0;
    offsets[i] += static_cast<std::int32_t>(index * step);
  }
}
template <class Index>
STREW_VECTORISED_AVX2 void add_terms_in_vectors(const char* indices, std::int64_t stride, std::int64_t count,
                                                const offset_term& of, std::int64_t* offsets) noexcept {
  add_terms_loop<Index>(indices, stride, count, of, offsets);
}
// Adds the terms of `count` legal indices, `stride` bytes apart; one by one where vectors would be those before AVX2,
// to limit code size.
template <class Index>
void add_terms(const char* indices, std::int64_t stride, std::int64_t count, const offset_term& of,
               std::int64_t* offsets) noexcept {
  if (chooses_vectors(4 * count)) {
    STREW_RAN("add_terms in vectors", type_name<Index>);
    return add_terms_in_vectors<Index>(indices, stride, count, of, offsets);
  }
  STREW_RAN("add_terms", type_name<Index>);
  add_terms_loop<Index>(indices, stride, count, of, offsets);
}

// Checks `count` indices that are `stride` bytes apart.
template <class Index, index_rule Rule>
unsigned check_run(const char* indices, std::int64_t stride, std::int64_t count, std::int64_t extent) noexcept {
  using integer = canonical_index<Index>;
  // Unsigned indices are not negative. One of 2^63 or more has the bits of a negative one, and is illegal by the strict
  // rule too.
  constexpr index_rule rule = std::is_unsigned_v<Index> ? index_rule::strict : Rule;
  if constexpr (is_canonical_index<Index>) {
    if (stride == static_cast<std::int64_t>(sizeof(Index))) {
      return check_contiguous<integer, rule>(indices, count, extent);
    }
  }
  const std::int64_t block = tuning::limits().used_positions / 2;
  integer values[tuning::positions / 2];
  unsigned found = nothing_found;
  for (std::int64_t i = 0; i < count; i += block) {
    const std::int64_t n = count - i < block ? count - i : block;
    read_indices<Index, integer>(indices + i * stride, stride, n, values);
    found |= check_contiguous<integer, rule>(reinterpret_cast<const char*>(values), n, extent);
  }
  return found;
}

// The loops of an index type.
struct index_loops {
  using check_function = unsigned (*)(const char* indices, std::int64_t stride, std::int64_t count,
                                      std::int64_t extent) noexcept;
  using read_function = void (*)(const char* from, std::int64_t stride, std::int64_t count, void* to) noexcept;
  using term_function = void (*)(const char* indices, std::int64_t stride, std::int64_t count, const offset_term& of,
                                 std::int64_t* offsets) noexcept;

  check_function check_run;
  read_function read;       // as the loops' integers
  read_function read_64;    // as std::int64_t
  term_function add_terms;  // to offsets
  int size;                 // bytes of an index
  int loop_size;            // bytes of the loops' integers
  bool is_canonical_index;  // whether indices can be read as these in place
  bool is_unsigned;
  bool is_signed_loop_index;
  index_type type;
};

template <class Index, index_rule Rule>
inline constexpr index_loops index_loops_of{check_run<Index, Rule>,
                                            read_indices<Index, canonical_index<Index>>,
                                            read_indices<Index, std::int64_t>,
                                            add_terms<Index>,
                                            static_cast<int>(sizeof(Index)),
                                            static_cast<int>(sizeof(canonical_index<Index>)),
                                            is_canonical_index<Index>,
                                            std::is_unsigned_v<Index>,
                                            is_canonical_index<Index>&& std::is_signed_v<Index>,
                                            index_type_of<Index>};
// The index type without loops.
template <class Index>
inline constexpr index_loops index_type_alone{nullptr,
                                              nullptr,
                                              nullptr,
                                              nullptr,
                                              static_cast<int>(sizeof(Index)),
                                              static_cast<int>(sizeof(canonical_index<Index>)),
                                              is_canonical_index<Index>,
                                              std::is_unsigned_v<Index>,
                                              is_canonical_index<Index>&& std::is_signed_v<Index>,
                                              index_type_of<Index>};

inline const index_loops* find_index_type(index_type type) noexcept {
  static constexpr const index_loops* types[] = {&index_type_alone<std::int8_t>,   &index_type_alone<std::int16_t>,
                                                 &index_type_alone<std::int32_t>,  &index_type_alone<std::int64_t>,
                                                 &index_type_alone<std::uint8_t>,  &index_type_alone<std::uint16_t>,
                                                 &index_type_alone<std::uint32_t>, &index_type_alone<std::uint64_t>};
  return types[static_cast<std::size_t>(type)];
}

// Reads `count` indices that are `stride` bytes apart, unsigned ones of 64 bits by their bits.
inline void read_bits(const index_loops& loops, const char* from, std::int64_t stride, std::int64_t count,
                      std::int64_t* to) noexcept {
  if (!(loops.is_unsigned && loops.size == 8)) return loops.read_64(from, stride, count, to);
  for (std::int64_t i = 0; i < count; ++i) to[i] = load<std::int64_t>(from + i * stride);
}

// The indices of a call with the loops for them.
struct index_source {
  const char* data;
  const index_loops& loops;

  // The index at `offset` bytes from the first, saturated.
  [[nodiscard]] std::int64_t operator[](std::int64_t offset) const noexcept {
    std::int64_t value;
    loops.read_64(data + offset, 0, 1, &value);
    return value;
  }
};

// A run of indices, `stride` bytes apart.
struct index_run {
  index_source indices;
  std::int64_t stride;
  std::int64_t count;
};

// The bits of an index; unsigned ones of 64 bits do not saturate.
inline std::int64_t index_bits(const erased::index_operand& from, std::int64_t offset) noexcept {
  std::int64_t value;
  read_bits(*from.loops, from.data + offset * from.loops->size, 0, 1, &value);
  return value;
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_KERNELS_INDEX_LOOPS_HPP
