// SPDX-License-Identifier: Apache-2.0
// The types `shapes` of operators, which strew/operators/extents.hpp uses: how the extents of operands are related.
#ifndef STREW_DETAIL_FRONT_SHAPES_HPP
#define STREW_DETAIL_FRONT_SHAPES_HPP

#include <strew/config.hpp>
#include <strew/detail/mistakes.hpp>
#include <strew/detail/rules/operation.hpp>
#include <strew/detail/rules/updates_extents.hpp>
#include <strew/status.hpp>
#include <strew/view/index_list.hpp>
#include <strew/view/integer.hpp>
#include <strew/view/slice_spec.hpp>

#include <cstdint>
#include <initializer_list>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// An integer argument, such as an axis. bool, double and lists are not accepted, so that arguments in a wrong order do
// not compile.
struct whole_number {
  list_item entry;

  template <class Argument>
  constexpr whole_number(const Argument& argument) noexcept : entry(to_entry(argument)) {}
  template <class Argument>
  constexpr whole_number(const std::initializer_list<Argument>& list) noexcept : entry(to_entry(list)) {}

  [[nodiscard]] constexpr std::int64_t value() const noexcept { return entry.value; }

 private:
  template <class Argument>
  static constexpr list_item to_entry(const Argument& argument) noexcept {
    constexpr bool is_integer = index_integer<Argument>;
    if constexpr (explain < is_integer ? mistake::none : mistake::no_integer > ()) {
      return argument;
    } else {
      return 0;
    }
  }
};

// An axis in the form of the rules, with the given value for messages.
constexpr const index_list& as_axis(const index_list& axis) noexcept {
  return axis;
}
constexpr index_list as_axis(const whole_number& axis) noexcept {
  return {axis.entry};
}

// An Operator has a type `shapes` with the members
//
//   name                  the operator in messages;
//   by                    how targets are addressed, on which the size of the workspace depends;
//   axis_may_be_left_out  whether the axis may be left out and is then 0; optional;
//   find_updates          find_updates(operation, result, error, data, ..) finds the extents of updates. The types of
//                         its parameters from data on are those of updates_extents, whose arguments may be braced.
//                         Missing if no other operand determines these extents.

// data, indices, axis: an integer, or a list of one if calls take that.
template <const operation_rules& Rules, bool AxisMayBeLeftOut = false, class Axis = whole_number>
struct shapes_with_axis_last {
  static constexpr const char* name = Rules.name;
  static constexpr addressing by = Rules.by;
  static constexpr bool axis_may_be_left_out = AxisMayBeLeftOut;

  static constexpr bool find_updates(const char* operation, index_list& result, status& error, const index_list& data,
                                     const index_list& indices, const Axis& axis) noexcept {
    if constexpr (by == addressing::rows) {
      return find_row_updates(operation, data, indices, as_axis(axis), result, error);
    } else {
      operation_rules rules = Rules;
      rules.name = operation;
      return find_element_updates(rules, data, indices, as_axis(axis), result, error);
    }
  }
};

// data, axis, indices.
template <const operation_rules& Rules>
struct shapes_with_axis_first {
  static constexpr const char* name = Rules.name;
  static constexpr addressing by = Rules.by;

  static constexpr bool find_updates(const char* operation, index_list& result, status& error, const index_list& data,
                                     const whole_number& axis, const index_list& indices) noexcept {
    return shapes_with_axis_last<Rules>::find_updates(operation, result, error, data, indices, axis);
  }
};

// data, indices.
template <const operation_rules& Rules>
struct shapes_of_multi_indices {
  static constexpr const char* name = Rules.name;
  static constexpr addressing by = addressing::multi_indices;

  static constexpr bool find_updates(const char* operation, index_list& result, status& error, const index_list& data,
                                     const index_list& indices) noexcept {
    return find_multi_index_updates(operation, data, indices, result, error);
  }
};

// For operators whose updates are one value, or not determined by the extents of other operands.
template <addressing By>
struct shapes_without_updates {
  static constexpr addressing by = By;
};

}  // namespace strew::detail

#endif  // STREW_DETAIL_FRONT_SHAPES_HPP
