// SPDX-License-Identifier: Apache-2.0
// Scatters on small dense tensors, for which a general plan would take longer than the scatter.
#ifndef STREW_DETAIL_KERNELS_SMALL_SCATTER_HPP
#define STREW_DETAIL_KERNELS_SMALL_SCATTER_HPP

#include <strew/config.hpp>
#include <strew/detail/kernel_counter.hpp>
#include <strew/detail/kernels/copy.hpp>
#include <strew/detail/kernels/copy_loops.hpp>
#include <strew/detail/kernels/index_loops.hpp>
#include <strew/detail/plan/dense_plan.hpp>
#include <strew/view/overlap.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// Whether two ranges of bytes, neither of them empty, are disjoint.
STREW_INLINE bool are_apart(const char* a, std::int64_t a_bytes, const char* b, std::int64_t b_bytes) noexcept {
  const auto distance = static_cast<std::uint64_t>(distance_between(a, b));
  return distance >= static_cast<std::uint64_t>(a_bytes) && 0 - distance >= static_cast<std::uint64_t>(b_bytes);
}

// Whether the output of a dense scatter shares no memory with its inputs, or is data itself.
STREW_INLINE bool are_apart(const dense_plan& plan, const char* output, const char* data,
                            const char* updates) noexcept {
  return (data == output || are_apart(output, plan.output_bytes, data, plan.output_bytes)) &&
         are_apart(output, plan.output_bytes, updates, plan.updates_bytes);
}
STREW_INLINE bool are_apart(const dense_plan& plan, const char* output, const char* data, const char* indices,
                            const char* updates) noexcept {
  return are_apart(plan, output, data, updates) && are_apart(output, plan.output_bytes, indices, plan.indices_bytes);
}

// A copy of any size, out of line to limit code size.
STREW_NOINLINE inline void copy_small_data(char* to, const char* from, std::int64_t bytes) noexcept {
  if (bytes > longest_small_copy) {
    std::memcpy(to, from, static_cast<std::size_t>(bytes));
  } else {
    copy_small(to, from, bytes);
  }
}

// Whether all of a few indices are legal; a call of the vector loops would take longer. False also for some legal ones
// if the integer cannot represent the extent; no illegal one passes then, since only negative ones can be illegal.
template <class Integer, bool Wraps>
STREW_INLINE bool are_legal(const char* indices, std::int64_t count, std::int64_t extent) noexcept {
  using bits = std::make_unsigned_t<Integer>;
  constexpr std::int64_t size = sizeof(Integer);
  const auto all = static_cast<bits>(Wraps ? extent : 0);
  const auto last = static_cast<bits>(extent - 1);
  // Negative if the distance of some index from the beginning or from the end of the axis is. These may wrap: then the
  // other one of the two is negative.
  bits found = 0;
  std::int64_t i = 0;
#if defined(__x86_64__) || defined(__aarch64__)  // by hand, since -O2 does not do it
  using lanes __attribute__((vector_size(16))) = bits;
  constexpr std::int64_t at_once = 16 / size;
  lanes any{};
  for (; i + 2 * at_once <= count; i += 2 * at_once) {
    lanes first;
    lanes second;
    std::memcpy(&first, indices + i * size, sizeof first);
    std::memcpy(&second, indices + (i + at_once) * size, sizeof second);
    any |= (first + all) | (last - first) | (second + all) | (last - second);
  }
  for (std::int64_t k = 0; k < at_once; ++k) found |= any[k];
#endif
  for (; i < count; ++i) {
    const auto index = load<bits>(indices + i * size);
    found |= static_cast<bits>((index + all) | (last - index));
  }
  return static_cast<Integer>(found) >= 0;
}

// Each of these functions returns false, with nothing written, if an index is illegal.
template <std::size_t Width, class Integer, bool Wraps>
bool scatter_small_elements(const dense_plan& plan, char* output, const char* data, const char* indices,
                            const char* updates) noexcept {
  STREW_EXPECT(Width == any_width || plan.width == static_cast<std::int64_t>(Width));
  STREW_RAN("scatter_small_elements", Width, sizeof(Integer), Wraps);
  const std::int64_t width = Width == any_width ? plan.width : static_cast<std::int64_t>(Width);
  constexpr auto integer_size = static_cast<std::int64_t>(sizeof(Integer));
  const std::int64_t extent = plan.extent;
  const std::int64_t row = plan.inner * width;
  const char* index = indices;
  const char* update = updates;
  if (!are_legal<Integer, Wraps>(index, plan.outer * plan.count * plan.inner, extent)) return false;
  if (data != output) copy_small_data(output, data, plan.output_bytes);
  // Lines of updates, whose elements are `step` bytes apart in the output: a row, or the whole axis if rows are single
  // elements.
  const bool has_rows = plan.inner > 1;
  const std::int64_t step = has_rows ? width : 0;
  const std::int64_t lines = has_rows ? plan.count : 1;
  const std::int64_t length = has_rows ? plan.inner : plan.count;
  char* block = output;
  for (std::int64_t o = plan.outer; o > 0; --o, block += extent * row) {
    for (std::int64_t line = lines; line > 0; --line) {
      char* to = block;
      for (std::int64_t i = length; i > 0; --i, to += step, index += integer_size, update += width) {
        auto target = static_cast<std::int64_t>(load<Integer>(index));
        if (Wraps && target < 0) target += extent;
        move_element<Width>(to + target * row, update, width);
      }
    }
  }
  return true;
}

// Rows of a size that is known at compile time; short_row, long_row: of any size.
inline constexpr std::int64_t short_row = 0;
inline constexpr std::int64_t long_row = -1;
template <class Integer, std::int64_t Bytes>
STREW_INLINE void store_small_rows(const dense_plan& plan, char* output, const char* indices,
                                   const char* updates) noexcept {
  constexpr auto integer_size = static_cast<std::int64_t>(sizeof(Integer));
  const std::int64_t row = Bytes <= 0 ? plan.inner * plan.width : Bytes;
  const char* update = updates;
  char* block = output;
  for (std::int64_t o = plan.outer; o > 0; --o, block += plan.extent * row) {
    for (std::int64_t i = 0; i < plan.count; ++i, update += row) {
      char* const to = block + static_cast<std::int64_t>(load<Integer>(indices + i * integer_size)) * row;
      if constexpr (Bytes == long_row) {
        std::memcpy(to, update, static_cast<std::size_t>(row));
      } else {
        copy_small(to, update, row);
      }
    }
  }
}

template <class Integer>
bool scatter_small_rows(const dense_plan& plan, char* output, const char* data, const char* indices,
                        const char* updates) noexcept {
  STREW_RAN("scatter_small_rows", sizeof(Integer));
  if (!are_legal<Integer, false>(indices, plan.count, plan.extent)) return false;
  if (data != output) copy_small_data(output, data, plan.output_bytes);
  const std::int64_t row = plan.inner * plan.width;
  if (row == 4) {
    store_small_rows<Integer, 4>(plan, output, indices, updates);
  } else if (row == 8) {
    store_small_rows<Integer, 8>(plan, output, indices, updates);
  } else if (row == 16) {
    store_small_rows<Integer, 16>(plan, output, indices, updates);
  } else if (row <= longest_small_copy) {
    store_small_rows<Integer, short_row>(plan, output, indices, updates);
  } else {
    store_small_rows<Integer, long_row>(plan, output, indices, updates);
  }
  return true;
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_KERNELS_SMALL_SCATTER_HPP
