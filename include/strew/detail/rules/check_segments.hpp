// SPDX-License-Identifier: Apache-2.0
// The rules for segments by offsets.
#ifndef STREW_DETAIL_RULES_CHECK_SEGMENTS_HPP
#define STREW_DETAIL_RULES_CHECK_SEGMENTS_HPP

#include <strew/config.hpp>
#include <strew/detail/rules/check_operands.hpp>
#include <strew/detail/rules/check_scatter.hpp>
#include <strew/detail/rules/operation.hpp>
#include <strew/detail/rules/targets.hpp>
#include <strew/status.hpp>
#include <strew/view/index.hpp>
#include <strew/view/index_list.hpp>
#include <strew/view/layout.hpp>

#include <cstdint>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// Checks that the updates have the extents of data, but for the axis of the segments.
constexpr bool check_updates_of_segments(const operation_rules& rules, const index_list& updates,
                                         const index_list& data, int axis, status& error) noexcept {
  index_list expected = data;
  if (updates.size() == data.size()) expected[axis] = updates[axis];
  return check_extents(rules.name, "updates", updates, expected, "data", error);
}

// All rules but those for the values of the offsets, whose layout is at.indices. Sets the axis.
constexpr bool check_segments(const operation_rules& rules, const scatter_layouts& at, const shared_memory& shared,
                              const index_list& given, int& axis, status& error) noexcept {
  const index_list& offsets = at.indices.extents();
  if (!check_output(rules.name, at.data, at.output, shared, error) ||
      !check_single_axis(rules.name, given, at.data.rank(), axis, error)) {
    return false;
  }
  if (offsets.size() != 1) {
    return refuse(error, errc::rank_mismatch, rules.name, "offsets", " has rank {0}, expected 1", {offsets.size()});
  }
  const std::int64_t segments = at.data.extent(axis);
  if (offsets[0] - 1 != segments) {
    return refuse(error, errc::extent_mismatch, rules.name, "offsets",
                  " has extent {0} on axis 0, expected one more than the {1} of data on axis {2}",
                  {offsets[0], segments, axis});
  }
  return check_updates_of_segments(rules, at.updates.extents(), at.data.extents(), axis, error) &&
         check_apart(rules.name, shared.indices, "offsets", error) &&
         check_apart(rules.name, shared.updates, "updates", error);
}

// Checks that the first of `segments` + 1 offsets is 0, that none is less than the one before, and that the last is the
// number of updates. offset_at(i) is the raw_index of offset i.
template <class OffsetAt>
STREW_COLD constexpr bool check_offsets(const operation_rules& rules, const strided_layout& updates, int axis,
                                        std::int64_t segments, const OffsetAt& offset_at, status& error) noexcept {
  const std::int64_t count = updates.extent(axis);
  std::int64_t least = 0;
  const auto is_legal = [&](std::int64_t i, std::int64_t low, std::int64_t high, const char* text) {
    const raw_index offset = offset_at(i);
    const bool is_huge = offset.is_unsigned && offset.bits < 0;
    if (!is_huge && offset.bits >= low && offset.bits <= high) {
      least = offset.bits;
      return true;
    }
    refuse(error, errc::index_out_of_bounds, rules.name, "offsets", text, {offset.bits, low, high, axis}, i);
    if (offset.is_unsigned) error.first_number_is_unsigned();
    return false;
  };
  if (!is_legal(0, 0, 0, "{c} = {0} is outside [{1}, {2}] (segments begin with the first update)")) return false;
  for (std::int64_t i = 1; i < segments; ++i) {
    if (!is_legal(i, least, count,
                  "{c} = {0} is outside [{1}, {2}] (from the offset before it to the number of updates on axis {3})")) {
      return false;
    }
  }
  return is_legal(segments, count, count, "{c} = {0} is outside [{1}, {2}] (the number of updates on axis {3})");
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_RULES_CHECK_SEGMENTS_HPP
