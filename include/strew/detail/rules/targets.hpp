// SPDX-License-Identifier: Apache-2.0
// What operators ask of tuples of indices, and how they name a bad one.
#ifndef STREW_DETAIL_RULES_TARGETS_HPP
#define STREW_DETAIL_RULES_TARGETS_HPP

#include <strew/config.hpp>
#include <strew/detail/rules/operands.hpp>
#include <strew/detail/rules/policy.hpp>
#include <strew/detail/rules/scatter.hpp>
#include <strew/index.hpp>
#include <strew/index_list.hpp>
#include <strew/layout.hpp>
#include <strew/status.hpp>

#include <cstdint>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// How the indices of a call name places.
enum class naming : unsigned char {
  coordinate,  // one index: the coordinate on one axis
  tuple,       // the last axis of the indices holds a coordinate for each axis
  views,       // one tensor of coordinates for each axis
  number,      // one index: the row-major number of an element
};

struct target_rules {
  const char* operation;
  index_rule rule;
  index_policy policy;
  naming by;
};

// updates is shaped positions + data[axes:], `positions` being the extents of the indices or all but their last.
constexpr bool check_tuple_updates(const char* operation, const index_list& updates, const index_list& positions,
                                   const index_list& data, int axes, const char* positions_name,
                                   status& error) noexcept {
  const int rank = positions.size() + data.size() - axes;
  if (updates.size() != rank) {
    return refuse(error, errc::rank_mismatch, operation, "updates",
                  " has rank {0}, expected {1} ({2} axes of {o} and {3} of data)",
                  {updates.size(), rank, positions.size(), data.size() - axes}, {}, positions_name);
  }
  for (int k = 0; k < rank; ++k) {
    const bool from_positions = k < positions.size();
    const int source = from_positions ? k : k - positions.size() + axes;
    const std::int64_t expected = from_positions ? positions[k] : data[source];
    if (updates[k] != expected) {
      return refuse(error, errc::extent_mismatch, operation, "updates",
                    " has extent {0} on axis {1}, expected {2} as {o} has on axis {3}",
                    {updates[k], k, expected, source}, {}, from_positions ? positions_name : "data");
    }
  }
  return true;
}

// The extents of tuples and how many numbers one has: indices has a rank of at least 1, and its last extent is at most
// the rank of data.
constexpr bool check_tuples(const char* operation, const index_list& indices, int data_rank, index_list& positions,
                            int& count, status& error) noexcept {
  if (indices.size() < 1) {
    return refuse(error, errc::rank_mismatch, operation, "indices", " has rank 0, expected at least 1");
  }
  const int last = indices.size() - 1;
  if (indices[last] > data_rank) {
    return refuse(error, errc::extent_mismatch, operation, "indices",
                  " has extent {0} on axis {1}, expected at most {2} (the rank of data)",
                  {indices[last], last, data_rank});
  }
  count = static_cast<int>(indices[last]);
  positions = index_list();
  for (int k = 0; k < last; ++k) positions.push_back(indices[k]);
  return true;
}

// Whether an index may be found bad: under policies that take any, only where the axis has no element at all.
constexpr bool needs_check(const target_rules& rules, const index_list& extents) noexcept {
  if (rules.policy == index_policy::error || (rules.policy == index_policy::assume_valid && STREW_ASSERTS != 0)) {
    return true;
  }
  if (rules.policy == index_policy::drop || rules.policy == index_policy::assume_valid) return false;
  for (int j = 0; j < extents.size(); ++j) {
    if (extents[j] == 0) return true;
  }
  return false;
}

// Whether an index is bad, given that needs_check is true.
constexpr bool is_bad_target(const target_rules& rules, std::int64_t bits, bool is_unsigned,
                             std::int64_t extent) noexcept {
  if (rules.policy == index_policy::clip || rules.policy == index_policy::wrap) return extent == 0;
  return resolve_index(bits, is_unsigned, extent, rules.rule, index_policy::error) == out_of_bounds;
}

// Says that component j of the tuple at a position is bad.
STREW_COLD constexpr bool refuse_target(const target_rules& rules, std::int64_t bits, bool is_unsigned,
                                        const index_list& position, int j, int axis, std::int64_t extent,
                                        status& error) noexcept {
  index_list coordinate = position;
  if (rules.by == naming::tuple) coordinate.push_back(j);
  const char* text = "{a} = {0} is outside [{1}, {2}] (axis {3} of data has extent {4})";
  if (extent == 0) text = "{a} = {0} names no element (axis {3} of data has extent 0)";
  if (rules.by == naming::coordinate) {  // as the plain scatters say it
    text = extent == 0 ? "{a} = {0} names no element (axis {3} has extent 0)"
                       : "{a} = {0} is outside [{1}, {2}] (axis {3} has extent {4})";
  }
  if (rules.by == naming::views) {
    text = extent == 0 ? "{a} for axis {3} = {0} names no element (axis {3} of data has extent 0)"
                       : "{a} for axis {3} = {0} is outside [{1}, {2}] (axis {3} of data has extent {4})";
  }
  if (rules.by == naming::number) {
    text = extent == 0 ? "{a} = {0} names no element (data has none)"
                       : "{a} = {0} is outside [{1}, {2}] (data has {4} elements)";
  }
  refuse(error, errc::index_out_of_bounds, rules.operation, "indices", text,
         {bits, rules.rule == index_rule::strict ? 0 : -extent, extent - 1, axis, extent}, coordinate);
  if (is_unsigned) error.first_number_is_unsigned();
  return false;
}

// Names the first bad index, in row-major order of the positions and then of the components. There is one. bits(j,
// position) are those of component j.
template <class Bits, class IsUnsigned>
constexpr bool refuse_first_bad_target(const target_rules& rules, const strided_layout& positions, int count,
                                       int first_axis, const index_list& extents, const Bits& bits,
                                       const IsUnsigned& is_unsigned, status& error) noexcept {
  index_list position = positions.extents();
  for (int k = 0; k < position.size(); ++k) position[k] = 0;
  for (;;) {
    for (int j = 0; j < count; ++j) {
      const std::int64_t value = bits(j, position);
      if (is_bad_target(rules, value, is_unsigned(j), extents[j])) {
        return refuse_target(rules, value, is_unsigned(j), position, j, first_axis + j, extents[j], error);
      }
    }
    // With several views an axis of stride 0 is so in one of them alone.
    if (rules.by != naming::views) {
      if (!next_distinct(positions, position)) return true;
      continue;
    }
    int k = position.size();
    while (k-- > 0) {
      if (++position[k] < positions.extent(k)) break;
      position[k] = 0;
    }
    if (k < 0) return true;
  }
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_RULES_TARGETS_HPP
