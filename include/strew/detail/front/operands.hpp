// SPDX-License-Identifier: Apache-2.0
// Operands of a call: indices with a policy, axes, one value in the place of updates.
#ifndef STREW_DETAIL_FRONT_OPERANDS_HPP
#define STREW_DETAIL_FRONT_OPERANDS_HPP

#include <strew/config.hpp>
#include <strew/detail/external_tensors.hpp>
#include <strew/detail/front/element_value.hpp>
#include <strew/detail/mistakes.hpp>
#include <strew/execution/executor.hpp>
#include <strew/operators/reduction.hpp>
#include <strew/status.hpp>
#include <strew/view/index.hpp>
#include <strew/view/index_list.hpp>
#include <strew/view/integer.hpp>
#include <strew/view/layout.hpp>
#include <strew/view/tensor_view.hpp>

#include <cstdint>
#include <initializer_list>
#include <type_traits>
#include <utility>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

struct conversion;

// Indices with and without a policy, and the offsets of segments in their place.
template <class Indices>
struct policy_traits {
  using bare = Indices;
  static constexpr index_policy policy = index_policy::error;
  static constexpr bool are_segments = false;
};
template <index_policy Policy, class Indices>
struct policy_traits<indices_with_policy<Policy, Indices>> : policy_traits<Indices> {
  using bare = Indices;
  static constexpr index_policy policy = Policy;
};
template <class Offsets>
struct policy_traits<segments_by<Offsets>> {
  using bare = Offsets;
  static constexpr index_policy policy = index_policy::error;
  static constexpr bool are_segments = true;
};
template <class Indices>
inline constexpr index_policy policy_of = policy_traits<std::remove_cvref_t<Indices>>::policy;
// Also if there is a policy around them, which is a mistake.
template <class Indices>
inline constexpr bool are_segments = policy_traits<std::remove_cvref_t<Indices>>::are_segments;
template <class Indices>
using bare_indices = typename policy_traits<std::remove_cvref_t<Indices>>::bare;

template <class Indices>
constexpr const Indices& without_policy(const Indices& indices) noexcept {
  return indices;
}
template <index_policy Policy, class Indices>
constexpr const Indices& without_policy(const indices_with_policy<Policy, Indices>& indices) noexcept {
  return indices.indices;
}
// Indices wrapped as those of type Like are.
template <class Like, class Indices>
constexpr decltype(auto) wrapped_as(const Indices& indices) noexcept {
  if constexpr (are_segments<Like>) {
    return segments_by<Indices>{indices};
  } else if constexpr (policy_of<Like> != index_policy::error) {
    return indices_with_policy<policy_of<Like>, Indices>{indices};
  } else {
    return (indices);
  }
}

template <class T>
inline constexpr bool assigns_without_throwing = std::is_nothrow_copy_assignable_v<T>;
template <>
inline constexpr bool assigns_without_throwing<void> = true;

// The default type of a deduced operand, so that a braced list reaches the static_assert texts.
struct braced_argument {
  braced_argument() = default;
  braced_argument(std::initializer_list<index_list>) {}
  template <class... Values>
  braced_argument(const Values&...) {}
  template <class Pointer>
  braced_argument(const Pointer&, const index_list&, const index_list& = {}) {}
};

// The type of the updates of a prepared call that converts them; void for other arguments.
template <class Argument>
struct converted_type_of {
  using type = void;
};

// The axis of a call: an integer, or a list of one.
struct axis_argument {
  index_list list;

  constexpr axis_argument(const std::initializer_list<list_item>& values) noexcept : list(values) {}
  template <class Axis>
    requires(!has_positions<Axis> && !named_reduction<Axis> && std::is_void_v<typename converted_type_of<Axis>::type>)
  constexpr axis_argument(const Axis& axis) noexcept : list(to_list(axis)) {
    if constexpr (std::is_base_of_v<index_list, Axis>) list.copy_saturated(axis);
  }

 private:
  template <class Axis>
  static constexpr index_list to_list(const Axis& axis) noexcept {
    constexpr bool is_list = std::is_convertible_v<const Axis&, index_list>;
    if constexpr (explain<none_if(is_list, mistake::no_axis)>()) {
      return axis;
    } else {
      return {};
    }
  }
};
// Whether an argument is an output rather than an axis of any type.
template <class Argument, class Bare = std::remove_cvref_t<Argument>>
inline constexpr bool is_output_like = (std::is_class_v<Bare> ||
                                        std::is_array_v<Bare>)&&!std::is_convertible_v<const Bare&, index_list>;
// Whether an argument may be an axis or an output: a writable container of integers, with data of integers.
template <class Argument, class Data>
inline constexpr bool is_axis_or_output =
    is_external_tensor<Argument> && !is_output_like<Argument> && std::is_lvalue_reference_v<Argument> &&
    !std::is_const_v<view_element<viewed<Argument>>> &&
    std::is_integral_v<std::remove_const_t<view_element<viewed<Data>>>>;

// The error that an operand has elements and no memory; returns false.
STREW_COLD constexpr bool refuse_null(const char* operation, const char* operand, const strided_layout& layout,
                                      status& error) noexcept {
  return refuse(error, errc::null_data, operation, operand, " is null, but extents {c} hold elements", {},
                layout.extents());
}
// Makes a view of an operand from its address and a layout that was checked for its elements.
template <class E>
constexpr bool view_operand(const char* operation, E* data, const strided_layout& layout, const char* operand,
                            tensor_view<E>& view, status& error) noexcept {
  return tensor_view<E>::try_bind(data, layout, view).ok() || refuse_null(operation, operand, layout, error);
}

// A view for reading. This and other functions of views have overloads for other operands.
template <class T>
constexpr tensor_view<const std::remove_const_t<T>> read_only(const tensor_view<T>& view) noexcept {
  return view;
}

// Whether an argument is the factor of a sum.
template <class Argument>
inline constexpr bool is_factor = false;
// Whether a factor is a floating-point number and the elements are integers, or no value of elements T, such as a
// pointer, which a cast makes a bool.
template <class T, class Factor>
inline constexpr bool is_no_factor = false;

// Whether the element type is known at run time only.
template <class T>
inline constexpr bool is_dynamic_element = false;

// Ends a call that was refused before it compared its operands. Distributed tensors have an overload, which tells the
// other ranks.
template <class Data>
constexpr void end_refused(const Data&, const char*, status&) noexcept {}

// ---- One value for all targets

// The update of every target: a view of one element, of rank 0.
template <class View>
struct repeated {
  View element;
};
template <class View>
struct view_traits<repeated<View>> {
  using element_type = view_element<View>;
};
template <class Updates>
inline constexpr bool is_repeated = false;
template <class View>
inline constexpr bool is_repeated<repeated<View>> = true;
// The view of updates, or of the one element.
template <class View>
constexpr const View& element_of(const View& updates) noexcept {
  return updates;
}
template <class View>
constexpr const View& element_of(const repeated<View>& updates) noexcept {
  return updates.element;
}
template <class View>
constexpr const repeated<View>& read_only(const repeated<View>& updates) noexcept {
  return updates;
}

// ---- Updates of another element type

// Updates that are converted. View: that of the updates as they are.
template <class View>
struct converted_updates {
  View updates;
};
template <class Updates>
inline constexpr bool is_converted = false;
template <class View>
inline constexpr bool is_converted<converted_updates<View>> = true;
template <class View>
constexpr const converted_updates<View>& read_only(const converted_updates<View>& updates) noexcept {
  return updates;
}
template <class View>
constexpr const View& element_of(const converted_updates<View>& updates) noexcept {
  return updates.updates;
}
// How updates become elements T; null if they are these.
template <class T, class Updates>
inline constexpr const conversion* conversion_of_updates = nullptr;
// The mistake in updates that are converted to elements T; specialised beside the operator that makes them.
template <class T, class Updates>
inline constexpr mistake mistake_of_converted = mistake::no_conversion;

// Whether an argument in the place of updates is a value for elements T: it is no tensor and converts to T. A T is
// always a value, even if it is a container.
template <class T, class Argument>
constexpr bool is_value_of() noexcept {
  using bare = std::remove_cvref_t<Argument>;
  // Excludes pointers, which convert to bool, also those to members, and lambdas, which become pointers first.
  constexpr bool is_pointer = std::is_pointer_v<bare> || std::is_member_pointer_v<bare> || requires(const bare& value) {
    requires std::is_pointer_v<decltype(+value)>;
  };
  constexpr bool is_none = std::is_void_v<T> || std::is_same_v<bare, braced_argument> || is_view<bare> ||
                           is_external_tensor<Argument> || (is_pointer && std::is_arithmetic_v<T>);
  if constexpr (std::is_same_v<bare, T>) {
    return true;
  } else if constexpr (is_none) {
    return false;
  } else if constexpr (is_dynamic_element<T>) {
    return built_in_number<bare> || complex_element<bare>;
  } else {
    // Complex numbers convert by explicit constructors to those of fewer bits.
    return std::is_convertible_v<const bare&, T> || (complex_element<T> && complex_element<bare>);
  }
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_FRONT_OPERANDS_HPP
