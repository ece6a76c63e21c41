// SPDX-License-Identifier: Apache-2.0
// How the extents of operands are related, for strew/operators/extents.hpp.
#ifndef STREW_DETAIL_FRONT_SHAPES_HPP
#define STREW_DETAIL_FRONT_SHAPES_HPP

#include <strew/config.hpp>
#include <strew/detail/front/descriptor.hpp>
#include <strew/detail/mistakes.hpp>
#include <strew/detail/rules/check_operands.hpp>
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
    if constexpr (explain<none_if(is_integer, mistake::no_integer)>()) {
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

// The shapes of an operator have the members
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

// data, extents of each tensor of indices, the number of these.
template <const operation_rules& Rules>
struct shapes_of_tensors {
  static constexpr const char* name = Rules.name;
  static constexpr addressing by = Rules.by;

  static constexpr bool find_updates(const char* operation, index_list& result, status& error, const index_list& data,
                                     const index_list& indices, const whole_number& tensors) noexcept {
    return find_tensor_updates(operation, data, indices, tensors.value(), result, error);
  }
};

// data, indices that are numbers of elements.
template <const operation_rules& Rules>
struct shapes_of_numbers {
  static constexpr const char* name = Rules.name;
  static constexpr addressing by = Rules.by;

  static constexpr bool find_updates(const char* operation, index_list& result, status& error, const index_list& data,
                                     const index_list& indices) noexcept {
    if (!check_shapes(operation, data, indices, error)) return false;
    result = indices;
    return true;
  }
};

// For operators whose updates are one value, or not determined by the extents of other operands.
template <addressing By>
struct shapes_without_updates {
  static constexpr addressing by = By;
};

// By the role of the argument by which an operator addresses its targets; see submit_slices.hpp for others.
template <role By, const operation& Op>
struct shapes_by : shapes_without_updates<addressing::slices> {};
template <const operation& Op>
constexpr auto find_shapes() noexcept {
  constexpr call_form form{Op};
  if constexpr (!form.has_updates) {
    return shapes_without_updates<Op.rules.by>{};
  } else if constexpr (Op.rules.by == addressing::multi_indices) {
    return shapes_of_multi_indices<Op.rules>{};
  } else if constexpr (Op.rules.by == addressing::numbers) {
    return shapes_of_numbers<Op.rules>{};
  } else if constexpr (form.others_before_updates > 0) {
    return shapes_with_axis_first<Op.rules>{};
  } else if constexpr (Op.has(role::axis_options)) {
    return shapes_with_axis_last<Op.rules, Op.may_omit_axis, index_list>{};
  } else {
    return shapes_with_axis_last<Op.rules, Op.may_omit_axis>{};
  }
}
template <const operation& Op>
struct shapes_by<role::indices, Op> : decltype(find_shapes<Op>()) {};
template <const operation& Op>
struct shapes_by<role::tensors, Op> : shapes_of_tensors<Op.rules> {};

}  // namespace strew::detail

#endif  // STREW_DETAIL_FRONT_SHAPES_HPP
