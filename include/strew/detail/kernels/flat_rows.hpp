// SPDX-License-Identifier: Apache-2.0
// Loops for contiguous rows of some sizes, with indices that are read in place.
#ifndef STREW_DETAIL_KERNELS_FLAT_ROWS_HPP
#define STREW_DETAIL_KERNELS_FLAT_ROWS_HPP

#include <strew/config.hpp>
#include <strew/detail/kernel_counter.hpp>
#include <strew/detail/kernels/index_loops.hpp>
#include <strew/detail/kernels/scatter_loops.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// Whether rows are contiguous in the output and in the updates.
constexpr bool may_scatter_flat_rows(const scattered_run& rows) noexcept {
  return rows.axis_stride == rows.width && rows.from_stride == rows.width;
}

// Scatters contiguous rows of `Bytes` each, with indices that are read in place.
template <std::size_t Bytes, class Integer>
STREW_INLINE void scatter_flat_rows_of(const scattered_run& rows, const char* index, std::int64_t count) noexcept {
  constexpr auto stride = static_cast<std::int64_t>(Bytes);
  STREW_EXPECT(may_scatter_flat_rows(rows) && rows.width == stride);
  STREW_RAN("scatter_flat_rows", Bytes, sizeof(Integer));
  char* const to = rows.to;
  const char* from = rows.from;
  for (; count > 0; --count, index += sizeof(Integer), from += stride) {
    std::memcpy(to + static_cast<std::int64_t>(load<Integer>(index)) * stride, from, Bytes);
  }
}
// Returns false, with nothing done, for rows of other sizes. Not inlined into callers that are compiled for size.
template <class Integer>
STREW_NOINLINE bool scatter_flat_rows(const scattered_run& rows, const char* index, std::int64_t count) noexcept {
  switch (rows.width) {
    case 64:
      scatter_flat_rows_of<64, Integer>(rows, index, count);
      return true;
    case 128:
      scatter_flat_rows_of<128, Integer>(rows, index, count);
      return true;
    case 256:
      scatter_flat_rows_of<256, Integer>(rows, index, count);
      return true;
    default:
      return false;
  }
}

// The loops for rows of row_bytes bytes as elements, or null if there are none.
inline const scatter_loops* loops_for_rows(const scatter_loops& element, std::int64_t unit,
                                           std::int64_t row_bytes) noexcept {
  if (row_bytes == unit) return &element;
  const scatter_loops* loops = element.wider;
  while (loops != nullptr && loops->width != row_bytes) loops = loops->wider;
  return loops;
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_KERNELS_FLAT_ROWS_HPP
