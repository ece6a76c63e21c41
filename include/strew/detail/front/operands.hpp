// SPDX-License-Identifier: Apache-2.0
// What the operands of a call may be, and what the compiler says where they are something else. Its first error line
// says what to write instead, so these are assertions: an overload that is constrained away says nothing.
#ifndef STREW_DETAIL_FRONT_OPERANDS_HPP
#define STREW_DETAIL_FRONT_OPERANDS_HPP

#include <strew/config.hpp>
#include <strew/detail/external_tensors.hpp>
#include <strew/execution/executor.hpp>
#include <strew/status.hpp>
#include <strew/view/index.hpp>
#include <strew/view/index_list.hpp>
#include <strew/view/integer.hpp>
#include <strew/view/layout.hpp>
#include <strew/view/tensor_view.hpp>

#include <initializer_list>
#include <type_traits>
#include <utility>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// Indices with and without a policy for bad ones.
template <class Indices>
struct policy_traits {
  static constexpr index_policy policy = index_policy::error;
};
template <index_policy Policy, class Indices>
struct policy_traits<indices_with_policy<Policy, Indices>> {
  static constexpr index_policy policy = Policy;
};
template <class Indices>
inline constexpr index_policy policy_of = policy_traits<std::remove_cvref_t<Indices>>::policy;

template <class Indices>
constexpr const Indices& without_policy(const Indices& indices) noexcept {
  return indices;
}
template <index_policy Policy, class Indices>
constexpr const Indices& without_policy(const indices_with_policy<Policy, Indices>& indices) noexcept {
  return indices.indices;
}
template <class Indices>
using bare_indices = std::remove_cvref_t<decltype(without_policy(std::declval<const Indices&>()))>;

template <class T>
inline constexpr bool assigns_without_throwing = std::is_nothrow_copy_assignable_v<T>;
template <>
inline constexpr bool assigns_without_throwing<void> = true;

// What braces stand for in the place of an operand: it takes whatever is in them, and is no view.
struct braced_argument {
  braced_argument() = default;
  braced_argument(std::initializer_list<index_list>) {}
  template <class... Values>
  braced_argument(const Values&...) {}
  template <class Pointer>
  braced_argument(const Pointer&, const index_list&, const index_list& = {}) {}
};

// The axis of a call: an integer or a list of one.
struct axis_argument {
  index_list list;

  constexpr axis_argument(const std::initializer_list<list_entry>& values) noexcept : list(values) {}
  template <class Axis>
  constexpr axis_argument(const Axis& axis) noexcept : list(to_list(axis)) {
    if constexpr (std::is_base_of_v<index_list, Axis>) list.copy_saturated(axis);
  }

 private:
  template <class Axis>
  static constexpr index_list to_list(const Axis& axis) noexcept {
    constexpr bool is_list = std::is_convertible_v<const Axis&, index_list>;
    static_assert(is_list,
                  "strew: axis must be an integer or a list of one integer; the order is executor (if any), data, "
                  "indices, updates, axis, output (if any)");
    if constexpr (is_list) {
      return axis;
    } else {
      return {};
    }
  }
};
// Whether something is rather an output than an axis of whatever type.
template <class Argument, class Bare = std::remove_cvref_t<Argument>>
inline constexpr bool is_output_like = (std::is_class_v<Bare> ||
                                        std::is_array_v<Bare>)&&!std::is_convertible_v<const Bare&, index_list>;
// Whether it may be either: a container of integers that can be written, where the data are integers.
template <class Argument, class Data>
inline constexpr bool is_axis_or_output =
    is_external_tensor<Argument> && !is_output_like<Argument> && std::is_lvalue_reference_v<Argument> &&
    !std::is_const_v<view_element<viewed<Argument>>> &&
    std::is_integral_v<std::remove_const_t<view_element<viewed<Data>>>>;

// A view of an operand that is given by its address, and has a layout that was checked for its elements.
template <class E>
constexpr bool view_operand(const char* operation, E* data, const strided_layout& layout, const char* operand,
                            tensor_view<E>& view, status& error) noexcept {
  if (tensor_view<E>::try_bind(data, layout, view).ok()) return true;
  return refuse(error, errc::null_data, operation, operand, " is null, but extents {c} hold elements", {},
                layout.extents());
}

// What must hold of the operands, one after the other: with the first that does not the compiler has said enough.
template <class Data, class Updates, class Output>
constexpr bool check_operand_types() noexcept {
  using data = std::remove_const_t<view_element<Data>>;
  using updates = std::remove_const_t<view_element<Updates>>;
  using output = view_element<Output>;
  if constexpr (!check_no_bits<Data, Updates, Output>()) {
    return false;
  } else if constexpr (!is_view<Data>) {
    static_assert(is_view<Data>,
                  "strew: data must be a strew::tensor_view: strew::tensor_view{pointer, {2, 3}}, or a tensor that "
                  "strew::as_view takes; for one whose type is known at run time include strew/runtimes.hpp or "
                  "strew/dynamic.hpp. What stands before it must be an executor, callable as ex(n, body)");
    return false;
  } else if constexpr (!is_view<Updates>) {
    static_assert(is_view<Updates>,
                  "strew: updates must be a strew::tensor_view: strew::tensor_view{pointer, {2, 3}}, or a tensor that "
                  "strew::as_view takes; for one whose type is known at run time include strew/runtimes.hpp or "
                  "strew/dynamic.hpp");
    return false;
  } else if constexpr (!is_view<Output>) {
    static_assert(is_view<Output>,
                  "strew: output must be a strew::tensor_view: strew::tensor_view{pointer, {2, 3}}, or a tensor that "
                  "strew::as_view takes; for one whose type is known at run time include strew/runtimes.hpp or "
                  "strew/dynamic.hpp");
    return false;
  } else if constexpr (std::is_const_v<output>) {
    static_assert(!std::is_const_v<output>,
                  "strew: output is written, so its elements must not be const, nor die with a temporary");
    return false;
  } else if constexpr (!std::is_same_v<data, output> || !std::is_same_v<updates, output>) {
    static_assert(std::is_same_v<data, output> && std::is_same_v<updates, output>,
                  "strew: data, updates and output must have one element type: operators convert no elements");
    return false;
  } else {
    return true;
  }
}

// The same with indices.
template <class Data, class Indices, class Updates, class Output>
constexpr bool check_scatter_types() noexcept {
  using indices = std::remove_const_t<view_element<Indices>>;
  using updates = std::remove_const_t<view_element<Updates>>;
  using output = std::remove_const_t<view_element<Output>>;
  constexpr bool are_swapped =
      std::is_same_v<indices, output> && !std::is_same_v<updates, output> && index_integer<updates>;
  if constexpr (is_view<Data> && !is_view<Indices>) {
    static_assert(is_view<Indices>,
                  "strew: indices must be a strew::tensor_view: strew::tensor_view{pointer, {2, 3}}, or a tensor that "
                  "strew::as_view takes; for one whose type is known at run time include strew/runtimes.hpp or "
                  "strew/dynamic.hpp");
    return false;
  } else if constexpr (is_view<Data> && are_swapped) {
    static_assert(!are_swapped, "strew: indices and updates are swapped: indices stand before updates");
    return false;
  } else if constexpr (is_view<Data> && !index_integer<view_element<Indices>>) {
    static_assert(
        index_integer<view_element<Indices>>,
        "strew: indices must be integers of 8 to 64 bits, signed or unsigned: not bool, char or floating point");
    return false;
  } else {
    return check_operand_types<Data, Updates, Output>();
  }
}

// In place data is the output.
template <class Data, bool HasOutput>
constexpr bool check_data_is_writable() noexcept {
  constexpr bool is_const = !HasOutput && std::is_const_v<view_element<Data>>;
  static_assert(!is_const,
                "strew: without an output data is written, so its elements must not be const, nor die with a "
                "temporary; an output is the last argument");
  return !is_const;
}

template <class Ex>
constexpr bool check_executor() noexcept {
  static_assert(executor<Ex>,
                "strew: an executor must be callable as ex(n, body), and not be const unless it is so too");
  return executor<Ex>;
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_FRONT_OPERANDS_HPP
