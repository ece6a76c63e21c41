// SPDX-License-Identifier: Apache-2.0
// Which extents and strides are a layout, in 128 bits.
#ifndef STREW_TESTS_FUZZ_LAYOUT_RULES_HPP
#define STREW_TESTS_FUZZ_LAYOUT_RULES_HPP

#include "support/coordinates.hpp"
#include "support/wide.hpp"

#include <strew/config.hpp>
#include <strew/status.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace strew::test {

inline errc code_of_layout(const coordinate& extents, const coordinate& strides, std::size_t element_size) {
  if (extents.size() > max_rank || strides.size() > max_rank) return errc::too_many_axes;
  if (extents.size() != strides.size()) return errc::rank_mismatch;
  const wide limit = std::numeric_limits<std::ptrdiff_t>::max();
  wide count = 1;
  wide span = 1;
  bool is_large = false;
  for (std::size_t k = 0; k < extents.size(); ++k) {
    if (extents[k] < 0) return errc::negative_extent;
    const std::int64_t extent = std::max<std::int64_t>(extents[k], 1);
    const wide stride = strides[k];
    count *= extent;
    span += wide(extent - 1) * (stride < wide(0) ? -stride : stride);
    is_large = is_large || count > limit || span > limit;
    count = std::min(count, limit);  // so that no product of two overflows 128 bits
    span = std::min(span, limit + wide(1));
  }
  is_large = is_large || wide(element_size) > limit || span * wide(element_size) > limit;
  return is_large ? errc::size_overflow : errc::ok;
}

}  // namespace strew::test

#endif  // STREW_TESTS_FUZZ_LAYOUT_RULES_HPP
