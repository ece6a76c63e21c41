// SPDX-License-Identifier: Apache-2.0
// The rules for the values of indices, and the error for an illegal one.
#ifndef STREW_DETAIL_RULES_TARGETS_HPP
#define STREW_DETAIL_RULES_TARGETS_HPP

#include <strew/config.hpp>
#include <strew/detail/rules/operation.hpp>
#include <strew/detail/rules/policy.hpp>
#include <strew/detail/rules/target_axis.hpp>
#include <strew/status.hpp>
#include <strew/view/index.hpp>
#include <strew/view/index_list.hpp>
#include <strew/view/integer.hpp>
#include <strew/view/layout.hpp>

#include <cstdint>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// The constraint on the indices of a call: each selects an element of its axis of the output.
struct index_constraint {
  const operation_rules& rules;
  index_policy policy;
  target_axes axes;
  const strided_layout& output;
  bool looks_for_slice = true;  // whether the call is faster if its indices are a slice

  // The number of indices that address a target together.
  [[nodiscard]] constexpr int count() const noexcept { return rules.by == addressing::numbers ? 1 : axes.count; }
  // The number of elements from which the indices of component j select.
  [[nodiscard]] constexpr std::int64_t extent(int j) const noexcept {
    return rules.by == addressing::numbers ? output.size() : output.extent(axes.first + j);
  }
  // Whether indices have to be checked. With clip and wrap only an axis of extent 0 makes an index illegal.
  [[nodiscard]] constexpr bool needs_check() const noexcept {
    if (policy == index_policy::error || (policy == index_policy::assume_valid && STREW_ASSERTS != 0)) return true;
    if (policy == index_policy::drop || policy == index_policy::assume_valid) return false;
    for (int j = 0; j < count(); ++j) {
      if (extent(j) == 0) return true;
    }
    return false;
  }
  [[nodiscard]] constexpr bool takes_any() const noexcept {
    return policy == index_policy::clip || policy == index_policy::wrap;
  }
};

// An index by its bits, those of a std::uint64_t if it is unsigned.
struct raw_index {
  std::int64_t bits;
  bool is_unsigned;
};

// Whether an index of component j is illegal, given that needs_check is true.
constexpr bool is_bad_index(const index_constraint& constraint, const raw_index& index, int j) noexcept {
  if (constraint.takes_any()) return constraint.extent(j) == 0;
  const std::int64_t value = index.is_unsigned && index.bits < 0 ? int64_max : index.bits;  // no extent exceeds that
  return normalize_index(value, constraint.extent(j), constraint.rules.rule) == out_of_bounds;
}

// Sets the error that the index of component j at a position is illegal; returns false.
STREW_COLD constexpr bool refuse_index(const index_constraint& constraint, const raw_index& index,
                                       const index_list& position, int j, status& error) noexcept {
  const std::int64_t extent = constraint.extent(j);
  index_list coordinate = position;
  if (constraint.rules.by == addressing::multi_indices) coordinate.push_back(j);
  refuse(error, errc::index_out_of_bounds, constraint.rules.name, "indices",
         extent == 0 ? constraint.rules.texts.no_element : constraint.rules.texts.out_of_bounds,
         {index.bits, constraint.rules.rule == index_rule::strict ? 0 : -extent, extent - 1, constraint.axes.first + j,
          extent},
         coordinate);
  if (index.is_unsigned) error.first_number_is_unsigned();
  return false;
}

// Advances to the next coordinate in row-major order. If `is_alone` (all indices have this layout) axes of stride 0 are
// skipped, since indices are equal along them. The first illegal index in row-major order is found all the same: it has
// coordinate 0 on these axes.
constexpr bool next_distinct(const strided_layout& layout, bool is_alone, index_list& coordinate) noexcept {
  for (int k = coordinate.size(); k-- > 0;) {
    if (is_alone && layout.stride(k) == 0) continue;
    if (++coordinate[k] < layout.extent(k)) return true;
    coordinate[k] = 0;
  }
  return false;
}

// Calls found(position, j, index) for the first illegal index, in row-major order of the positions and then of the
// components, and returns what it does; true if there is none. index_at(j, position) is the index of component j.
template <class IndexAt, class Found>
STREW_COLD constexpr bool find_first_bad_index(const index_constraint& constraint, const strided_layout& positions,
                                               const IndexAt& index_at, const Found& found) noexcept {
  index_list position = positions.extents();
  for (int k = 0; k < position.size(); ++k) position[k] = 0;
  const bool is_alone = constraint.rules.by != addressing::tensors;
  do {
    for (int j = 0; j < constraint.count(); ++j) {
      const raw_index index = index_at(j, position);
      if (is_bad_index(constraint, index, j)) return found(position, j, index);
    }
  } while (next_distinct(positions, is_alone, position));
  return true;
}
// Sets the error for that index.
template <class IndexAt>
STREW_COLD constexpr bool refuse_first_bad_index(const index_constraint& constraint, const strided_layout& positions,
                                                 const IndexAt& index_at, status& error) noexcept {
  return find_first_bad_index(constraint, positions, index_at,
                              [&](const index_list& position, int j, const raw_index& index) {
                                return refuse_index(constraint, index, position, j, error);
                              });
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_RULES_TARGETS_HPP
