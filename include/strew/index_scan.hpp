// SPDX-License-Identifier: Apache-2.0
// The check of a whole tensor of indices before anything is written.
#ifndef STREW_INDEX_SCAN_HPP
#define STREW_INDEX_SCAN_HPP

#include <strew/config.hpp>
#include <strew/index.hpp>
#include <strew/integer.hpp>
#include <strew/layout.hpp>
#include <strew/loop_nest.hpp>
#include <strew/status.hpp>

#include <cstdint>
#include <limits>
#include <type_traits>

namespace strew::detail {

// The bits of all `limit - position` of a run of indices, or-ed, where position counts from the nearer end of the axis:
// the index itself, or for a negative one its distance to -1. Where `strict` is all ones a negative index adds its own
// bits, among them the sign. So the sign bit of the result says whether any index is bad. Written as it is because
// compilers turn it into vector code, which they do not do for `bad |= index >= extent`.
template <class I, class U, class Stride>
STREW_VECTORISED constexpr U collect_bad_bits(const I* indices, Stride stride, std::int64_t count, U limit,
                                              U strict) noexcept {
  U bad = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    const I index = indices[i * stride];
    const auto position = static_cast<U>(index < 0 ? ~index : index);
    bad = static_cast<U>(bad | static_cast<U>(limit - position) | (static_cast<U>(index) & strict));
  }
  return bad;
}

template <class U, class Stride>
STREW_VECTORISED constexpr U largest_of(const U* indices, Stride stride, std::int64_t count) noexcept {
  U largest = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    const U index = indices[i * stride];
    largest = index > largest ? index : largest;
  }
  return largest;
}

// Whether all of a run of indices are legal.
template <class I>
constexpr bool run_is_in_bounds(const I* indices, std::int64_t stride, std::int64_t count, std::int64_t extent,
                                index_rule rule) noexcept {
  using unsigned_type = std::make_unsigned_t<I>;
  constexpr auto largest = std::numeric_limits<I>::max();
  if (extent == 0) return count == 0;
  // The largest legal index, in the index's own type.
  const bool all_fit = static_cast<std::uint64_t>(extent - 1) >= static_cast<std::uint64_t>(largest);
  const auto limit = all_fit ? static_cast<unsigned_type>(largest) : static_cast<unsigned_type>(extent - 1);
  bool ok = false;
  with_stride(stride, [&](auto index_stride) {
    if constexpr (std::is_unsigned_v<I>) {
      ok = largest_of(indices, index_stride, count) <= limit;
    } else {
      const auto strict = static_cast<unsigned_type>(rule == index_rule::strict ? -1 : 0);
      ok = static_cast<I>(collect_bad_bits(indices, index_stride, count, limit, strict)) >= 0;
    }
  });
  return ok;
}

// Names the first bad index in row-major order. There is one.
template <class I>
STREW_COLD constexpr bool refuse_first_bad_index(const char* operation, const I* indices, const strided_layout& layout,
                                                 int axis, std::int64_t extent, index_rule rule,
                                                 status& error) noexcept {
  index_list coordinate = layout.extents();
  for (int k = 0; k < coordinate.size(); ++k) coordinate[k] = 0;
  while (normalize_index(indices[layout.offset(coordinate)], extent, rule) != out_of_bounds) {
    int k = coordinate.size() - 1;
    while (++coordinate[k] == layout.extent(k)) coordinate[k--] = 0;
  }
  const I value = indices[layout.offset(coordinate)];
  const std::int64_t low = rule == index_rule::strict ? 0 : -extent;
  refuse(error, errc::index_out_of_bounds, operation, "indices",
         extent == 0 ? "{a} = {0} names no element (axis {3} has extent 0)"
                     : "{a} = {0} is outside [{1}, {2}] (axis {3} has extent {4})",
         {static_cast<std::int64_t>(value), low, extent - 1, axis, extent}, coordinate);
  if (std::is_unsigned_v<I>) error.first_number_is_unsigned();
  return false;
}

// Checks every index against the extent of the axis it will be used on. O(layout.size()).
template <class I>
constexpr bool check_indices(const char* operation, const I* indices, const strided_layout& layout, int axis,
                             std::int64_t extent, index_rule rule, status& error) noexcept {
  loop_nest<1> nest;
  for (int k = 0; k < layout.rank(); ++k) nest.add_inner(layout.extent(k), {layout.stride(k)});
  bool ok = true;
  nest.for_each_run({}, [&](const per_operand<1>& at, std::int64_t count, const per_operand<1>& stride) {
    ok = ok && run_is_in_bounds(indices + at[0], stride[0], count, extent, rule);
  });
  return ok || refuse_first_bad_index(operation, indices, layout, axis, extent, rule, error);
}

}  // namespace strew::detail

#endif  // STREW_INDEX_SCAN_HPP
