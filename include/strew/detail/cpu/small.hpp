// SPDX-License-Identifier: Apache-2.0
// Scatters on small dense tensors, for which a plan would take longer than the work.
#ifndef STREW_DETAIL_CPU_SMALL_HPP
#define STREW_DETAIL_CPU_SMALL_HPP

#include <strew/config.hpp>
#include <strew/detail/cpu/copy_leaves.hpp>
#include <strew/detail/cpu/index_leaves.hpp>
#include <strew/detail/tuning.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// A scatter of dense row-major operands: data and output are [outer, extent, inner], updates are [outer, count, inner].
// Indices are as updates for elements, [count] for rows.
struct dense_scatter {
  char* output;
  const char* data;  // null in place
  const char* indices;
  const char* updates;
  std::int64_t outer;
  std::int64_t extent;
  std::int64_t count;
  std::int64_t inner;
  std::int64_t width;  // bytes of an element
};

// Copies a few bytes: a call of memcpy would take longer.
STREW_INLINE void copy_few(char* to, const char* from, std::int64_t bytes) noexcept {
  if (bytes >= 16) {
    // The last move overlaps the one before it where bytes is no multiple of 16.
    for (std::int64_t k = 0; k < bytes - 16; k += 16) std::memcpy(to + k, from + k, 16);
    std::memcpy(to + bytes - 16, from + bytes - 16, 16);
  } else if (bytes >= 8) {
    std::uint64_t front = load<std::uint64_t>(from);
    std::uint64_t back = load<std::uint64_t>(from + bytes - 8);
    std::memcpy(to, &front, 8);
    std::memcpy(to + bytes - 8, &back, 8);
  } else if (bytes >= 4) {
    std::uint32_t front = load<std::uint32_t>(from);
    std::uint32_t back = load<std::uint32_t>(from + bytes - 4);
    std::memcpy(to, &front, 4);
    std::memcpy(to + bytes - 4, &back, 4);
  } else {
    for (std::int64_t k = 0; k < bytes; ++k) to[k] = from[k];
  }
}

// Whether all indices are legal. A few of them: a call of the vector loops would take longer.
template <class Integer, bool Wraps>
STREW_INLINE bool are_legal(const char* indices, std::int64_t count, std::int64_t extent) noexcept {
  const auto limit = static_cast<std::uint64_t>(extent);
  bool bad = false;
  for (std::int64_t i = 0; i < count; ++i) {
    const auto index =
        static_cast<std::int64_t>(load<Integer>(indices + i * static_cast<std::int64_t>(sizeof(Integer))));
    const std::int64_t position = Wraps && index < 0 ? ~index : index;
    bad |= static_cast<std::uint64_t>(position) >= limit;
  }
  return !bad;
}

// Each returns false, and has written nothing, where an index is illegal.
template <std::size_t Width, class Integer, bool Wraps>
bool scatter_few_elements(const dense_scatter& scatter) noexcept {
  const dense_scatter s = scatter;
  constexpr auto integer_size = static_cast<std::int64_t>(sizeof(Integer));
  const std::int64_t width = Width == any_width ? s.width : static_cast<std::int64_t>(Width);
  if (!are_legal<Integer, Wraps>(s.indices, s.outer * s.count * s.inner, s.extent)) return false;
  if (s.data != nullptr) copy_few(s.output, s.data, s.outer * s.extent * s.inner * width);
  const char* index = s.indices;
  const char* update = s.updates;
  for (std::int64_t o = 0; o < s.outer; ++o) {
    char* const to = s.output + o * s.extent * s.inner * width;
    for (std::int64_t i = 0; i < s.count; ++i) {
      for (std::int64_t j = 0; j < s.inner; ++j) {
        auto element = static_cast<std::int64_t>(load<Integer>(index));
        if (Wraps && element < 0) element += s.extent;
        move_element<Width>(to + (element * s.inner + j) * width, update, width);
        index += integer_size;
        update += width;
      }
    }
  }
  return true;
}

template <class Integer>
bool scatter_few_rows(const dense_scatter& scatter) noexcept {
  const dense_scatter s = scatter;
  constexpr auto integer_size = static_cast<std::int64_t>(sizeof(Integer));
  const std::int64_t row = s.inner * s.width;
  if (!are_legal<Integer, false>(s.indices, s.count, s.extent)) return false;
  if (s.data != nullptr) copy_few(s.output, s.data, s.outer * s.extent * row);
  const char* update = s.updates;
  for (std::int64_t o = 0; o < s.outer; ++o) {
    char* const to = s.output + o * s.extent * row;
    for (std::int64_t i = 0; i < s.count; ++i) {
      const auto element = static_cast<std::int64_t>(load<Integer>(s.indices + i * integer_size));
      copy_few(to + element * row, update, row);
      update += row;
    }
  }
  return true;
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_CPU_SMALL_HPP
