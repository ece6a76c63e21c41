// SPDX-License-Identifier: Apache-2.0
// What operators are called with, and what is wrong with arguments that no operator takes.
#ifndef STREW_DETAIL_FRONT_SIGNATURE_HPP
#define STREW_DETAIL_FRONT_SIGNATURE_HPP

#include <strew/config.hpp>
#include <strew/detail/external_tensors.hpp>
#include <strew/detail/front/operands.hpp>
#include <strew/detail/front/typed_indices.hpp>
#include <strew/detail/mistakes.hpp>
#include <strew/execution/executor.hpp>
#include <strew/operators/reduction.hpp>
#include <strew/operators/reduction_kind.hpp>
#include <strew/status.hpp>
#include <strew/view/index.hpp>
#include <strew/view/integer.hpp>

#include <cstddef>
#include <string_view>
#include <type_traits>
#include <utility>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// What an operator is called with: an executor (if any), data and other inputs, the output (if any; else it is data).
// Of this an Operator says, positions being counted from data on,
//
//   form              the signature;
//   shapes            what strew/operators/extents.hpp asks for, see shapes.hpp;
//   options           the type of what may stand in braces, if anything may;
//   lacks_options     whether arguments are a call without them, or none;
//   reductions        those that it has, if any; needs_reduction where it cannot be left out;
//   run               run(call, data, ..), an overload for each form of a call: of views, without executor and output;
//   find_wrong_order  the mistake in arguments that no overload takes, where form.wrong_order does not tell;
//   find_own_mistake  what else may be wrong with arguments.
enum class tensor_order : unsigned char {
  usual,          // data, indices, updates, axis
  axis_first,     // data, axis, indices, updates
  updates_first,  // data, updates, indices, options
};
struct signature {
  const char* name;              // in messages
  std::size_t inputs;            // as many as each call has
  bool has_option = false;       // whether a reduction, say, may stand between them and the output
  std::size_t least_before = 0;  // how many stand before the options
  std::size_t most_before = 0;
  tensor_order order = tensor_order::usual;
  bool has_indices = true;  // or a mask
  bool has_mask = false;
  bool has_updates = true;     // as a tensor; else they are one value
  bool takes_value = true;     // whether one value may stand in the place of updates
  bool takes_tensors = false;  // whether indices are several tensors
  std::size_t beside = none;   // how many arguments each call has beside its tensors, where `inputs` does not tell
  mistake wrong_order = mistake::none;

  static constexpr std::size_t none = 99;

  [[nodiscard]] constexpr const char* name_of_updates() const noexcept { return has_updates ? "updates" : "value"; }
  [[nodiscard]] constexpr std::size_t beside_tensors() const noexcept {
    return beside != none ? beside : inputs - (has_indices ? 3 : 2);
  }
  [[nodiscard]] constexpr std::size_t indices_at() const noexcept {
    return !has_indices ? none : order == tensor_order::usual ? 1 : 2;
  }
  [[nodiscard]] constexpr std::size_t updates_at() const noexcept {
    return order == tensor_order::axis_first ? 3 : order == tensor_order::updates_first || !has_indices ? 1 : 2;
  }
};

// What an operator is given beside its inputs.
template <class Ex, class Output>
struct running_call {
  using executor_type = Ex;
  using output_type = Output;

  Ex& ex;
  status& error;
  const Output& output;
};

// Whether an argument stands in an executor's place. A const one may be callable only where it is not const: that is
// said when it is called.
template <class Argument>
concept executor_like = executor<std::remove_cvref_t<Argument>>;

// ---- Lists of types

template <class...>
struct type_list {};

template <std::size_t Position, class T>
struct type_at_position {
  using type = T;
};
template <class Positions, class... T>
struct types_by_position;
template <std::size_t... Position, class... T>
struct types_by_position<std::index_sequence<Position...>, T...> : type_at_position<Position, T>... {};
template <std::size_t Position, class T>
constexpr type_at_position<Position, T> find_type(const type_at_position<Position, T>*) noexcept;
template <std::size_t Position, class... T>
using type_at = typename decltype(find_type<Position>(
    static_cast<const types_by_position<std::index_sequence_for<T...>, T...>*>(nullptr)))::type;

// ---- What the types of arguments say, as Arguments&& deduces them

// Where there are as many arguments as can be, what is no executor is one that cannot be called.
template <class Operator, class First, class... Rest>
inline constexpr bool has_executor = executor_like<First> || (Operator::form.most_before > 0 &&
                                                              sizeof...(Rest) == Operator::form.most_before + 2);
template <class Operator, class First, class... Rest>
using types_from_data =
    std::conditional_t<has_executor<Operator, First, Rest...>, type_list<Rest...>, type_list<First, Rest...>>;

template <class Operator, class... Arguments>
constexpr bool ends_with_output(type_list<Arguments...>) noexcept {
  if constexpr (sizeof...(Arguments) <= Operator::form.inputs) {
    return false;
  } else {
    using last = type_at<sizeof...(Arguments) - 1, Arguments...>;
    return !Operator::form.has_option || is_view<last> || is_external_tensor<last>;
  }
}

// Whether argument number Position is one value for all targets, of elements of Data.
template <class Operator, std::size_t Position, class Data, class Argument>
constexpr bool is_value() noexcept {
  constexpr const signature& form = Operator::form;
  if constexpr (!form.takes_value || Position != form.updates_at()) {
    return false;
  } else {
    using element = std::remove_const_t<view_element<viewed<Data>>>;
    if constexpr (is_value_of<element, Argument>()) {
      return true;
    } else if constexpr (!form.has_updates && !std::is_void_v<element> && !is_view<Argument>) {
      return std::is_convertible_v<Argument, element>;
    } else {
      return false;
    }
  }
}
// What an operator is called with for an argument: a view for a tensor.
template <class Operator, std::size_t Position, class Data, class Argument>
using input_type = typename std::conditional_t<is_value<Operator, Position, Data, Argument>(),
                                               std::remove_cvref<Argument>, viewed_operand<Argument>>::type;

// ---- Reductions

// Whether a reduction is known at run time only.
template <class R>
inline constexpr bool is_dynamic_reduction = false;
template <class Argument>
inline constexpr bool is_reduction = named_reduction<Argument> || is_dynamic_reduction<Argument>;

// What may stand in a reduction's place. Views are callable with two integers.
template <class R>
concept reduction_like = !is_view<R>;

template <class T, class R, reduction_set Set>
constexpr mistake find_mistake_of_reduction() noexcept {
  if constexpr (is_dynamic_element<T> && !is_reduction<R>) {
    return mistake::unnamed_reduction;
  } else if constexpr (named_reduction<R>) {
    if constexpr (!Set.contains(R::kind) || (omits_init<R> && !Set.may_omit_init)) {
      return mistake::not_offered;
    } else if constexpr (!is_dynamic_element<T>) {
      return reducible_by<T, R> ? mistake::none : mistake::not_reducible;
    } else {
      return mistake::none;
    }
  } else if constexpr (!is_dynamic_element<T>) {
    return reducible_by<T, R> ? mistake::none : mistake::not_reducible;
  } else {
    return mistake::none;
  }
}

// ---- Mistakes

template <class Argument>
constexpr bool has_unassignable_elements() noexcept {
  if constexpr (is_external_tensor<Argument>) {
    return !element<typename viewed_element<Argument>::type>;
  } else {
    return false;
  }
}

// The name of a reduction. A string may be a tensor of characters.
template <class Argument, class Data>
constexpr bool is_name() noexcept {
  if constexpr (std::is_convertible_v<Argument, std::string_view>) {
    return !std::is_same_v<std::remove_const_t<view_element<viewed<Data>>>, char>;
  } else {
    return false;
  }
}

template <class Operator, class Indices, class Updates, class Output>
constexpr mistake find_mistake_of_indices() noexcept {
  using bare = bare_indices<Indices>;
  using index = std::remove_const_t<view_element<bare>>;
  using updates = std::remove_const_t<view_element<Updates>>;
  using output = std::remove_const_t<view_element<Output>>;
  if constexpr (Operator::form.takes_tensors) {
    return are_tensors_of_indices<bare> ? mistake::none : mistake::no_tuple;
  } else if constexpr (Operator::form.has_mask) {
    return std::is_same_v<index, bool> ? mistake::none : mistake::no_mask;
  } else if constexpr (!is_view<bare>) {
    return index_integer<bare> ? Operator::form.wrong_order : mistake::no_indices;  // an axis
  } else if constexpr (std::is_same_v<index, output> && !std::is_same_v<updates, output> && index_integer<updates>) {
    return mistake::swapped;
  } else {
    return index_integer<index> ? mistake::none : mistake::index_type;
  }
}

template <class Operator, class Data, class Updates>
constexpr mistake find_mistake_of_updates() noexcept {
  using element = std::remove_const_t<view_element<Data>>;
  constexpr const signature& form = Operator::form;
  if constexpr (is_value<Operator, form.updates_at(), Data, Updates>()) {
    return std::is_floating_point_v<Updates> && std::is_integral_v<element> ? mistake::fraction : mistake::none;
  } else if constexpr (is_view<Updates>) {
    return std::is_same_v<std::remove_const_t<view_element<Updates>>, element> ? mistake::none : mistake::element_types;
  } else {
    return !form.has_updates  ? mistake::no_value
           : form.takes_value ? mistake::no_updates_or_value
                              : mistake::no_updates;
  }
}

template <class Operator, class T, class... Inputs>
constexpr mistake find_mistake_of_option() noexcept {
  if constexpr (requires { Operator::reductions; }) {
    using last = type_at<sizeof...(Inputs) - 1, Inputs...>;
    constexpr bool is_given = sizeof...(Inputs) > Operator::form.updates_at() + 1 && !index_integer<last>;
    using reduce = std::conditional_t<is_given, last, reduction::none_type>;
    if constexpr (Operator::needs_reduction && std::is_same_v<reduce, reduction::none_type>) {
      return mistake::missing_reduction;
    } else {
      return find_mistake_of_reduction<T, reduce, Operator::reductions>();
    }
  } else if constexpr (requires { Operator::template find_own_mistake<Inputs...>(); }) {
    return Operator::template find_own_mistake<Inputs...>();
  } else {
    return mistake::none;
  }
}

// Of arguments that an overload of run takes.
template <class Operator, class Output, class... Inputs>
constexpr mistake find_mistake_of_operands() noexcept {
  constexpr const signature& form = Operator::form;
  using data = type_at<0, Inputs...>;
  using updates = type_at<form.updates_at(), Inputs...>;
  if constexpr (!is_view<data>) {
    return mistake::no_data;
  } else {
    // Write indices may be left out.
    constexpr bool has_indices =
        form.has_indices && (form.order != tensor_order::updates_first || sizeof...(Inputs) > 3);
    if constexpr (has_indices) {
      using indices = type_at<has_indices ? form.indices_at() : 0, Inputs...>;
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
    } else {
      return find_mistake_of_option<Operator, view_element<Output>, Inputs...>();
    }
  }
}

template <class Operator, class... Inputs>
constexpr mistake find_wrong_order(type_list<Inputs...> inputs) noexcept {
  constexpr std::size_t count = sizeof...(Inputs);
  if constexpr (Operator::form.has_option && count > Operator::form.updates_at() + 2) {
    if constexpr (is_view<type_at<count - 2, Inputs...>> && !is_view<type_at<count - 1, Inputs...>>) {
      return mistake::reduction_behind_output;
    } else {
      return Operator::form.wrong_order;
    }
  } else if constexpr (requires { Operator::find_wrong_order(inputs); }) {
    return Operator::find_wrong_order(inputs);
  } else {
    return Operator::form.wrong_order;
  }
}

// Of arguments as operators see them; `Output` is data's type in place.
template <class Operator, bool HasOutput, class Output, class... Inputs>
constexpr mistake find_mistake_of_inputs(type_list<Inputs...> inputs) noexcept {
  if constexpr (HasOutput && is_reduction<Output>) {
    return mistake::no_such_option;
  } else if constexpr (!requires(const running_call<const serial_executor, Output>& call, const Inputs&... input) {
                         Operator::run(call, input...);
                       }) {
    return find_wrong_order<Operator>(inputs);
  } else if constexpr (!HasOutput && is_view<Output> && std::is_const_v<view_element<Output>>) {
    return mistake::const_data;
  } else {
    return find_mistake_of_operands<Operator, Output, Inputs...>();
  }
}

template <class Operator, bool HasOutput, std::size_t... Input, class... Arguments>
constexpr mistake find_mistake_of_arguments(std::index_sequence<Input...>, type_list<Arguments...>) noexcept {
  using data = type_at<0, Arguments...>;
  if constexpr (((std::rank_v < std::remove_reference_t < Arguments >>> 1) || ...)) {
    return mistake::array_of_arrays;
  } else if constexpr ((has_unassignable_elements<Arguments>() || ...)) {
    return mistake::unassignable_elements;
  } else if constexpr ((holds_bits<std::remove_cvref_t<Arguments>> || ...)) {
    return mistake::bits;
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

template <class Executor>
constexpr mistake find_mistake_of_executor() noexcept {
  return executor<Executor> ? mistake::none : mistake::no_executor;
}

// The first mistake in a call, whose arguments are as Arguments&& deduces them.
template <class Operator, bool HasOutput, class First, class... Rest>
constexpr mistake find_mistake() noexcept {
  if constexpr (has_executor<Operator, First, Rest...> && !executor<First>) {
    return mistake::no_executor;
  } else {
    return find_mistake_from_data<Operator, HasOutput>(types_from_data<Operator, First, Rest...>{});
  }
}
template <class Operator, bool HasOutput, class First, class... Rest>
inline constexpr mistake mistake_in = find_mistake<Operator, HasOutput, First, Rest...>();

// ---- What a call may throw

// What a call on elements of type T passes on may throw where callables of the caller's are, and where an element is
// made of an argument.
template <class Argument>
inline constexpr bool is_plain_argument = std::is_arithmetic_v<Argument>;
template <index_policy Policy, class Indices>
inline constexpr bool is_plain_argument<indices_with_policy<Policy, Indices>> = true;
template <class T, class Option>
inline constexpr bool option_never_throws = is_plain_argument<Option>;
template <class T, named_reduction R>
inline constexpr bool option_never_throws<T, R> = reduces_without_throwing<T, R>();

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
template <class Operator, std::size_t... Position, class... Arguments>
constexpr bool arguments_never_throw(std::index_sequence<Position...>, type_list<Arguments...>) noexcept {
  return (argument_never_throws<Operator, Position, type_at<0, Arguments...>, Arguments>() && ...);
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

#endif  // STREW_DETAIL_FRONT_SIGNATURE_HPP
