// SPDX-License-Identifier: Apache-2.0
// The first mistake in the types of a call's arguments, and whether the call may throw.
#ifndef STREW_DETAIL_FRONT_FIND_MISTAKE_HPP
#define STREW_DETAIL_FRONT_FIND_MISTAKE_HPP

#include <strew/config.hpp>
#include <strew/detail/external_tensors.hpp>
#include <strew/detail/front/argument_types.hpp>
#include <strew/detail/front/operands.hpp>
#include <strew/detail/front/typed_indices.hpp>
#include <strew/detail/mistakes.hpp>
#include <strew/execution/executor.hpp>
#include <strew/operators/reduction.hpp>
#include <strew/operators/reduction_kind.hpp>
#include <strew/view/element.hpp>
#include <strew/view/index.hpp>
#include <strew/view/integer.hpp>

#include <cstddef>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

template <class Argument>
constexpr bool has_unassignable_elements() noexcept {
  if constexpr (is_external_tensor<Argument>) {
    return !element<typename viewed_element<Argument>::type>;
  } else {
    return false;
  }
}

// Whether an argument is the name of a reduction. (A string may also be a tensor of characters.)
template <class Argument, class Data>
constexpr bool is_name() noexcept {
  if constexpr (std::is_convertible_v<Argument, std::string_view>) {
    return !std::is_same_v<std::remove_const_t<view_element<viewed<Data>>>, char>;
  } else {
    return false;
  }
}

// Whether elements T are those of a mask for elements Of. A mask whose type is known at run time only goes with data of
// that kind.
template <class T, class Of>
inline constexpr bool is_mask_element = std::is_same_v<T, bool> || std::is_same_v<T, char> ||
                                        std::is_same_v<T, signed char> || std::is_same_v<T, unsigned char> ||
                                        std::is_same_v<T, std::byte> ||
                                        (is_dynamic_element<T> && is_dynamic_element<Of>);

// Whether an argument is a tensor, or was meant to be one.
template <class Argument, class Bare = std::remove_cvref_t<Argument>>
inline constexpr bool is_tensor_like = is_view<Bare> || is_external_tensor<Argument> || expression_like<Bare>;

// Whether an integer in the place of indices is one index, rather than an axis in another operator's order.
template <class Operator, class Updates, class T>
constexpr bool is_one_index() noexcept {
  constexpr const operation& op = Operator::op;
  if (Operator::form.others_before_updates > 0 || !(op.has(role::axis) || op.has(role::axis_options))) return true;
  constexpr bool are_updates =
      is_view<Updates> ? std::is_same_v<std::remove_const_t<view_element<Updates>>, T> : !index_integer<Updates>;
  return !index_integer<T> && are_updates;
}

// Whether one of the tensors of indices is an expression.
template <class Indices>
inline constexpr bool has_expression = false;
template <class... Tensors>
inline constexpr bool has_expression<std::tuple<Tensors...>> =
    ((!is_external_tensor<const Tensors&> && expression_like<Tensors>) || ...);

template <class Operator, class Indices, class Updates, class Output>
constexpr mistake find_mistake_of_indices() noexcept {
  using bare = bare_indices<Indices>;
  using index = std::remove_const_t<view_element<bare>>;
  using updates = std::remove_const_t<view_element<Updates>>;
  using output = std::remove_const_t<view_element<Output>>;
  if constexpr (are_segments<Indices>) {
    if constexpr (policy_of<Indices> != index_policy::error) {
      return mistake::policy_of_segments;
    } else if constexpr (!takes_segments(Operator::op)) {
      return mistake::no_segments;
    } else if constexpr (is_value<Operator, Operator::form.updates_at, Output, Updates>()) {
      return mistake::value_of_segments;
    } else if constexpr (!is_view<bare>) {
      return expression_like<bare> ? mistake::expression : mistake::no_indices;
    } else {
      return index_integer<index> ? mistake::none : mistake::index_type;
    }
  } else if constexpr (policy_of<Indices> != index_policy::error &&
                       (Operator::form.has_mask || Operator::op.has(role::cache_options))) {
    return mistake::no_policy;
  } else if constexpr (Operator::form.takes_tensors) {
    return are_tensors_of_indices<bare> ? mistake::none
           : has_expression<bare>       ? mistake::expression
                                        : mistake::no_tuple;
  } else if constexpr (Operator::form.has_mask) {
    return is_mask_element<index, output>            ? mistake::none
           : !is_view<bare> && expression_like<bare> ? mistake::expression
                                                     : mistake::no_mask;
  } else if constexpr (!is_view<bare>) {
    return expression_like<bare>                       ? mistake::expression
           : !index_integer<bare>                      ? mistake::no_indices
           : is_one_index<Operator, Updates, output>() ? mistake::one_index
                                                       : Operator::form.wrong_order;  // an axis
  } else if constexpr (std::is_same_v<index, output> && !std::is_same_v<updates, output> && index_integer<updates>) {
    return mistake::swapped;
  } else {
    return index_integer<index> ? mistake::none : mistake::index_type;
  }
}

template <class Operator, class Data, class Updates>
constexpr mistake find_mistake_of_updates() noexcept {
  using element = std::remove_const_t<view_element<Data>>;
  constexpr const call_form& form = Operator::form;
  if constexpr (is_value<Operator, Operator::form.updates_at, Data, Updates>()) {
    return is_fraction<element, Updates> ? mistake::fraction : mistake::none;
  } else if constexpr (is_converted<Updates>) {
    return form.has_updates ? mistake_of_converted<element, Updates> : mistake::no_value;
  } else if constexpr (is_view<Updates>) {
    return std::is_same_v<std::remove_const_t<view_element<Updates>>, element> ? mistake::none : mistake::element_types;
  } else {
    return expression_like<std::remove_cvref_t<Updates>> ? mistake::expression
           : !form.has_updates                           ? mistake::no_value
           : form.takes_value                            ? mistake::no_updates_or_value
                                                         : mistake::no_updates;
  }
}

template <class Operator, class T, class... Inputs>
constexpr mistake find_mistake_of_option() noexcept {
  if constexpr (Operator::op.has(role::reduction)) {
    using last = type_at<sizeof...(Inputs) - 1, Inputs...>;
    constexpr bool is_given = sizeof...(Inputs) > Operator::form.updates_at + 1 && !index_integer<last>;
    using reduce = std::conditional_t<is_given, last, reduction::none_type>;
    if constexpr (Operator::op.needs_reduction && std::is_same_v<reduce, reduction::none_type>) {
      return mistake::missing_reduction;
    } else {
      return find_mistake_of_reduction<T, reduce, Operator::op.reductions>();
    }
  } else if constexpr (constexpr mistake found =
                           find_mistake_of_reduction<T, decltype(reduction_of<Operator::op.combines>()),
                                                     Operator::op.reductions>();
                       found != mistake::none) {
    return found;
  } else if constexpr (constexpr std::size_t last = sizeof...(Inputs) - 1;
                       Operator::op.has(role::positions) && has_positions<type_at<last, Inputs...>>) {
    constexpr mistake found_in_positions =
        find_mistake_of_reduction<T, type_at<last, Inputs...>, Operator::op.reductions>();
    return found_in_positions == mistake::not_offered ? mistake::positions_as_reduction : found_in_positions;
  } else if constexpr (Operator::op.has(role::factor) && sizeof...(Inputs) > Operator::form.updates_at + 1) {
    if (is_dynamic_element<T>) return mistake::unnamed_reduction;
    return is_no_factor<T, type_at<sizeof...(Inputs) - 1, Inputs...>> ? mistake::factor : mistake::none;
  } else {
    return mistake::none;
  }
}

// Whether the last argument has numbers of which data, but not they, are distributed, or the reverse.
template <bool IsDistributed, class Last>
inline constexpr bool mixes_numbers = false;
template <bool IsDistributed, class R, class Numbers>
inline constexpr bool mixes_numbers<IsDistributed, reduction::with_positions_type<R, Numbers>> =
    is_distributed<Numbers> != IsDistributed;

// The mistake in arguments for which there is an overload of run.
template <class Operator, class Output, class... Inputs>
constexpr mistake find_mistake_of_operands() noexcept {
  constexpr const call_form& form = Operator::form;
  using data = type_at<0, Inputs...>;
  using updates = type_at<Operator::form.updates_at, Inputs...>;
  if constexpr (!is_view<data>) {
    return expression_like<std::remove_cvref_t<data>> ? mistake::expression : mistake::no_data;
  } else {
    constexpr bool has_indices = form.has_indices && (!Operator::op.may_omit_indices || sizeof...(Inputs) > 3);
    if constexpr (has_indices) {
      using indices = type_at<has_indices ? Operator::form.indices_at : 0, Inputs...>;
      constexpr mistake found = find_mistake_of_indices<Operator, indices, updates, Output>();
      if constexpr (found != mistake::none) return found;
    }
    if constexpr (constexpr mistake found = find_mistake_of_updates<Operator, data, updates>();
                  found != mistake::none && found != mistake::element_types) {
      return found;
    } else if constexpr (!is_view<Output>) {
      return index_integer<Output> && form.wrong_order != mistake::none ? form.wrong_order : mistake::no_output;
    } else if constexpr (std::is_const_v<view_element<Output>>) {
      return mistake::const_output;
    } else if constexpr (found != mistake::none ||
                         !std::is_same_v<std::remove_const_t<view_element<data>>, view_element<Output>>) {
      return mistake::element_types;
    } else if constexpr (mixes_numbers<is_distributed<data>, type_at<sizeof...(Inputs) - 1, Inputs...>>) {
      return mistake::positions_of_distributed;
    } else {
      return find_mistake_of_option<Operator, view_element<Output>, Inputs...>();
    }
  }
}

// Whether arguments are a call without options, or no legal call. A container of integers in the position of an axis
// may be the output: with containers as data, or if the axis may be left out, the caller must be explicit.
template <class Operator, class... Arguments>
constexpr bool lacks_options(type_list<Arguments...>) noexcept {
  using options = typename Operator::options;
  if constexpr (!std::is_same_v<options, axis_argument>) {
    return (!std::is_convertible_v<const Arguments&, const options&> && ...);
  } else if constexpr (sizeof...(Arguments) > 4) {
    return has_positions<std::remove_cvref_t<type_at<3, Arguments...>>>;
  } else if constexpr (sizeof...(Arguments) == 4) {
    using data = type_at<0, Arguments...>;
    using last = type_at<3, Arguments...>;
    return is_output_like<last> ||
           (is_axis_or_output<last, data> && (Operator::op.may_omit_axis || is_external_tensor<data>));
  } else {
    return sizeof...(Arguments) < 4;
  }
}
// The mistake in arguments without options.
template <class Operator, class... Arguments>
constexpr mistake find_missing_options(type_list<Arguments...>) noexcept {
  using options = typename Operator::options;
  constexpr std::size_t count = sizeof...(Arguments);
  if constexpr (!std::is_same_v<options, axis_argument>) {
    return Operator::op.missing_options;
  } else if constexpr (count == 4) {
    if (is_axis_or_output<type_at<3, Arguments...>, type_at<0, Arguments...>>) return mistake::output_or_axis;
    return Operator::op.may_omit_axis ? mistake::none : mistake::missing_axis;
  } else {
    constexpr bool lacks_axis = count == 3 || (count > 4 && lacks_options<Operator>(type_list<Arguments...>{}));
    return !lacks_axis                  ? mistake::order_with_axis_last
           : Operator::op.may_omit_axis ? mistake::none
                                        : mistake::missing_axis;
  }
}

template <class Operator, class... Inputs>
constexpr mistake find_wrong_order(type_list<Inputs...> inputs) noexcept {
  constexpr std::size_t count = sizeof...(Inputs);
  if constexpr (Operator::form.has_option && count > Operator::form.updates_at + 2) {
    if constexpr (is_view<type_at<count - 2, Inputs...>> && !is_view<type_at<count - 1, Inputs...>>) {
      return mistake::reduction_behind_output;
    } else {
      return Operator::form.wrong_order;
    }
  } else if constexpr (requires { typename Operator::options; }) {
    return find_missing_options<Operator>(inputs);
  } else {
    return Operator::form.wrong_order;
  }
}

// The mistake in the viewed arguments; in place `Output` is data's type.
template <class Operator, bool HasOutput, class Output, class... Inputs>
constexpr mistake find_mistake_of_inputs(type_list<Inputs...> inputs) noexcept {
  if constexpr (HasOutput && (is_reduction<Output> || has_positions<Output>)) {
    return mistake::no_such_option;
  } else if constexpr (!requires(const running_call<const serial_executor, Output>& call, const Inputs&... input) {
                         Operator::run(call, input...);
                       }) {
    return find_wrong_order<Operator>(inputs);
  } else if constexpr (!HasOutput && is_view<Output> && std::is_const_v<view_element<Output>>) {
    return mistake::const_data;
  } else if constexpr ((0 + ... + ((is_converted<Inputs> || are_segments<Inputs> || has_positions<Inputs>) ? 1 : 0)) >
                       1) {
    return mistake::no_combination;
  } else {
    return find_mistake_of_operands<Operator, Output, Inputs...>();
  }
}

// The mistake in a call with a tensor of bits. As indices bytes in their place would be refused, too.
template <class Operator, class... Arguments>
constexpr mistake find_mistake_of_bits() noexcept {
  constexpr std::size_t at = Operator::form.has_mask ? call_form::none : Operator::form.indices_at;
  if constexpr (at < sizeof...(Arguments)) {
    if (holds_bits<std::remove_cvref_t<type_at<at, Arguments...>>>) return mistake::index_type;
  }
  return mistake::bits;
}

template <class Operator, bool HasOutput, std::size_t... Input, class... Arguments>
constexpr mistake find_mistake_of_arguments(std::index_sequence<Input...>, type_list<Arguments...>) noexcept {
  using data = type_at<0, Arguments...>;
  if constexpr (((std::rank_v < std::remove_reference_t < Arguments >>> 1) || ...)) {
    return mistake::array_of_arrays;
  } else if constexpr ((has_unassignable_elements<Arguments>() || ...)) {
    return mistake::unassignable_elements;
  } else if constexpr ((holds_bits<std::remove_cvref_t<Arguments>> || ...)) {
    return find_mistake_of_bits<Operator, Arguments...>();
  } else if constexpr (Operator::form.has_option && (is_name<Arguments, data>() || ...)) {
    return mistake::string_as_reduction;
  } else {
    using output = viewed<type_at<HasOutput ? sizeof...(Arguments) - 1 : 0, Arguments...>>;
    return find_mistake_of_inputs<Operator, HasOutput, output>(
        type_list<input_type<Operator, Input, data, type_at<Input, Arguments...>>...>{});
  }
}
template <class Operator, bool HasOutput, class... Arguments>
constexpr mistake find_mistake_from_data(type_list<Arguments...> arguments) noexcept {
  constexpr std::size_t inputs = sizeof...(Arguments) - (HasOutput ? 1 : 0);
  return find_mistake_of_arguments<Operator, HasOutput>(std::make_index_sequence<inputs>{}, arguments);
}

// The first mistake in a call with arguments as deduced from Arguments&&.
template <class Operator, bool HasOutput, class First, class... Rest>
constexpr mistake find_mistake() noexcept {
  if constexpr (Operator::op.has(role::positions) && (is_reduction<std::remove_cvref_t<Rest>> || ...)) {
    return mistake::positions_as_reduction;
  } else if constexpr (has_executor<Operator, First, Rest...> && !executor<First>) {
    return mistake::no_executor;
  } else {
    constexpr mistake found = find_mistake_from_data<Operator, HasOutput>(types_from_data<Operator, First, Rest...>{});
    if constexpr (found == mistake::none || is_tensor_like<First> || has_executor<Operator, First, Rest...> ||
                  sizeof...(Rest) < 2) {
      return found;
    } else {
      // A call but for what precedes data, such as a policy of std::execution or a number of threads. Where an axis
      // follows the operands, updates are in the place of the axis, and the axis is in that of the output.
      constexpr type_list<Rest...> rest;
      using before_last = type_at<sizeof...(Rest) - 2, Rest...>;
      using last = std::remove_cvref_t<type_at<sizeof...(Rest) - 1, Rest...>>;
      constexpr bool is_shifted = HasOutput && std::is_same_v<before_last, const axis_argument&> && index_integer<last>;
      constexpr bool has_output = Operator::op.may_omit_indices ? HasOutput : ends_with_output<Operator>(rest);
      return (is_shifted && is_tensor_like<type_at<0, Rest...>>) ||
                     find_mistake_from_data<Operator, has_output>(rest) == mistake::none
                 ? mistake::no_executor
                 : found;
    }
  }
}
template <class Operator, bool HasOutput, class First, class... Rest>
inline constexpr mistake mistake_in = find_mistake<Operator, HasOutput, First, Rest...>();

// ---- What a call may throw

// A call may throw if it has a callable of the caller, or constructs an element from an argument.
template <class Argument>
inline constexpr bool is_plain_argument = std::is_arithmetic_v<Argument>;
template <index_policy Policy, class Indices>
inline constexpr bool is_plain_argument<indices_with_policy<Policy, Indices>> = true;
template <class Offsets>
inline constexpr bool is_plain_argument<segments_by<Offsets>> = true;
template <class T, class Option>
inline constexpr bool option_never_throws = is_plain_argument<Option>;
template <class T, named_reduction R>
inline constexpr bool option_never_throws<T, R> = reduces_without_throwing<T, R>();

template <class T, class R, class Numbers>
inline constexpr bool option_never_throws<T, reduction::with_positions_type<R, Numbers>> =
    is_dynamic_element<T> || reduces_without_throwing<T, R>();

template <class Operator, class Argument>
inline constexpr bool are_options = false;
template <class Operator, class Argument>
  requires requires {
    typename Operator::options;
  }
inline constexpr bool are_options<Operator, Argument> = std::is_same_v<Argument, typename Operator::options>;

template <class Operator, std::size_t Position, class Data, class Argument>
constexpr bool argument_never_throws() noexcept {
  using bare = std::remove_cvref_t<Argument>;
  using element = std::remove_const_t<view_element<viewed<Data>>>;
  if constexpr (is_view<bare>) {
    return assigns_without_throwing<std::remove_const_t<view_element<bare>>>;
  } else if constexpr (is_value<Operator, Position, Data, Argument>()) {
    return is_dynamic_element<element> || std::is_nothrow_constructible_v<element, const bare&>;
  } else if constexpr (is_external_tensor<Argument>) {
    return assigns_without_throwing<std::remove_const_t<view_element<viewed<Argument>>>>;
  } else {
    return are_options<Operator, bare> || option_never_throws<element, bare>;
  }
}

// Whether what some operators do without a reduction among their arguments is known not to throw.
template <class Operator, class T>
constexpr bool combines_without_throwing() noexcept {
  if constexpr (Operator::op.combines == reduction_kind::none || is_dynamic_element<T>) {
    return true;
  } else {
    return reduces_without_throwing<T, decltype(reduction_of<Operator::op.combines>())>();
  }
}
// Whether an argument, which may be a reduction, is known not to throw.
template <class T, class Argument>
constexpr bool reduction_never_throws() noexcept {
  if constexpr (named_reduction<Argument> || std::is_invocable_v<const Argument&, const T&, const T&>) {
    return reduces_without_throwing<T, Argument>();
  } else {
    return true;
  }
}

template <class Operator, std::size_t... Position, class... Arguments>
constexpr bool arguments_never_throw(std::index_sequence<Position...>, type_list<Arguments...>) noexcept {
  using element = std::remove_const_t<view_element<viewed<type_at<0, Arguments...>>>>;
  return combines_without_throwing<Operator, element>() &&
         (argument_never_throws<Operator, Position, type_at<0, Arguments...>, Arguments>() && ...);
}
template <class Operator, class Report, bool HasOutput, class First, class... Rest>
constexpr bool call_never_throws() noexcept {
  if constexpr (Report::throws) {
    return false;
  } else if constexpr (mistake_in<Operator, HasOutput, First, Rest...> != mistake::none) {
    return true;
  } else if constexpr (executor_like<First>) {
    return executes_without_throwing<First> &&
           arguments_never_throw<Operator>(std::index_sequence_for<Rest...>{}, type_list<Rest...>{});
  } else {
    return arguments_never_throw<Operator>(std::index_sequence_for<First, Rest...>{}, type_list<First, Rest...>{});
  }
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_FRONT_FIND_MISTAKE_HPP
