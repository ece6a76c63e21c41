// SPDX-License-Identifier: Apache-2.0
// Operators as function objects: the forms of a call, once for all operators, which differ by their descriptors.
#ifndef STREW_DETAIL_FRONT_OPERATORS_HPP
#define STREW_DETAIL_FRONT_OPERATORS_HPP

#include <strew/config.hpp>
#include <strew/detail/external_tensors.hpp>
#include <strew/detail/front/argument_types.hpp>
#include <strew/detail/front/find_mistake.hpp>
#include <strew/detail/front/operands.hpp>
#include <strew/detail/mistakes.hpp>
#include <strew/detail/rules/operation.hpp>
#include <strew/execution/executor.hpp>
#include <strew/status.hpp>
#include <strew/view/index_list.hpp>
#include <strew/view/layout.hpp>
#include <strew/view/tensor_view.hpp>

#include <cstddef>
#include <type_traits>
#include <utility>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// How a call reports an error.
struct by_exception {
  using result = void;
  static constexpr bool throws = true;
  static constexpr void report(const status& error) { raise_if_error(error); }
};
struct by_status {
  using result = status;
  static constexpr bool throws = false;
  static constexpr const status& report(const status& error) noexcept { return error; }
};

// ---- The call

// Access to arguments by position.
template <std::size_t Position, class T>
struct argument_at {
  const T& value;
};
template <class Positions, class... T>
struct argument_list;
template <std::size_t... Position, class... T>
struct argument_list<std::index_sequence<Position...>, T...> : argument_at<Position, T>... {};
template <std::size_t Position, class T>
constexpr const T& take(const argument_at<Position, T>& argument) noexcept {
  return argument.value;
}

// An argument as operators use it: a view of an external tensor, or the argument itself. Tensors that are only read are
// viewed as const if possible. Written: the position of the output.
template <class Operator, std::size_t Position, std::size_t Written, class Data, class Argument>
constexpr decltype(auto) use_argument(Argument&& argument, status& error) noexcept {
  using constant = const std::remove_reference_t<Argument>&;
  if constexpr (is_value<Operator, Position, Data, Argument>()) {
    return static_cast<constant>(argument);
  } else if constexpr (Position != Written && is_external_tensor<constant>) {
    return view_external_tensor(static_cast<constant>(argument), error);
  } else {
    return view_external_tensor(static_cast<Argument&&>(argument), error);
  }
}
template <class Operator, std::size_t Position, std::size_t Written, class Data, class Argument>
using used_argument = std::remove_cvref_t<decltype(use_argument<Operator, Position, Written, Data>(
    std::declval<Argument>(), std::declval<status&>()))>;
template <bool IsFirst, class First, class Second>
constexpr const auto& pick(const First& first, const Second& second) noexcept {
  if constexpr (IsFirst) {
    return first;
  } else {
    return second;
  }
}

// Calls body(updates) with the value of a call as updates of elements T: a view of rank 0.
template <class T, class Value, class Body>
constexpr void with_repeated(const call_form& form, const tensor_view<T>&, const Value& value, status& error,
                             const Body& body) {
  using element = std::remove_const_t<T>;
  if constexpr (is_view<Value>) {
    body(repeated<tensor_view<const element>>{value});
  } else {
    const auto& number = as_number<element>(value);
    bool fits = true;
    const element held[] = {to_element<element>(number, fits)};  // an array, since & may be overloaded
    if (!fits && !refuse_value<element>(form.name, form.name_of_updates(), printed_value(number), error)) return;
    repeated<tensor_view<const element>> updates;
    static_cast<void>(tensor_view<const element>::try_bind(held, strided_layout::of_one_element(), updates.element));
    body(updates);
  }
}

// Runs an operator on the arguments from data on, whose first ones are its inputs.
template <class Operator, bool HasOutput, class Ex, std::size_t... Position, std::size_t... Input, class... Arguments>
constexpr void run_operator(Ex& ex, status& error, std::index_sequence<Position...>, std::index_sequence<Input...>,
                            Arguments&&... arguments) {
  constexpr std::size_t written = HasOutput ? sizeof...(Input) : 0;
  constexpr std::size_t updates_at = Operator::form.updates_at;
  using data = type_at<0, Arguments...>;
  // Views that are made here live as long as the list.
  const argument_list<std::index_sequence<Position...>, used_argument<Operator, Position, written, data, Arguments>...>
      all{{use_argument<Operator, Position, written, data>(static_cast<Arguments&&>(arguments), error)}...};
  if (!error.ok()) return;
  using output = std::remove_cvref_t<decltype(take<written>(all))>;
  const running_call<Ex, output> call{ex, error, take<written>(all)};
  if constexpr (!Operator::form.has_updates || (is_value<Operator, Position, data, Arguments>() || ...)) {
    with_repeated(Operator::form, take<0>(all), take<updates_at>(all), error, [&](const auto& updates) {
      Operator::run(call, pick<Input == updates_at>(updates, take<Input>(all))...);
    });
  } else {
    Operator::run(call, take<Input>(all)...);
  }
}

template <class Operator, class Report, bool HasOutput, class First, class... Rest>
constexpr typename Report::result call_operator(First&& first, Rest&&... rest) {
  constexpr std::size_t has_data = has_executor<Operator, First, Rest...> ? 0 : 1;  // first
  constexpr std::make_index_sequence<sizeof...(Rest) + has_data> positions;
  constexpr std::make_index_sequence<sizeof...(Rest) + has_data - (HasOutput ? 1 : 0)> inputs;
  status error;
  if constexpr (has_data == 0) {
    run_operator<Operator, HasOutput>(first, error, positions, inputs, static_cast<Rest&&>(rest)...);
  } else {
    run_operator<Operator, HasOutput>(serial, error, positions, inputs, static_cast<First&&>(first),
                                      static_cast<Rest&&>(rest)...);
  }
  return Report::report(error);
}

// ---- The objects

template <class Operator, class Report>
class call_object {
  template <class First, class... Rest>
  static constexpr bool has_output = ends_with_output<Operator>(types_from_data<Operator, First, Rest...>{});
  // In a template g++ 14 folds comparisons of results for its warnings without instantiating a function, and then takes
  // call_never_throws for undefined. Constraints name this too, so that it is known before.
  template <class First, class... Rest>
  static constexpr bool is_noexcept = call_never_throws<Operator, Report, has_output<First, Rest...>, First, Rest...>();

 public:
  using operator_type = Operator;

  template <class First, class... Rest>
    requires((sizeof...(Rest) > 0 || !executor_like<First>)&&(is_noexcept<First, Rest...> || true))
  constexpr typename Report::result operator()(First&& first, Rest&&... rest) const
      noexcept(is_noexcept<First, Rest...>) {
    if constexpr (explain<mistake_in<Operator, has_output<First, Rest...>, First, Rest...>>()) {
      return call_operator<Operator, Report, has_output<First, Rest...>>(static_cast<First&&>(first),
                                                                         static_cast<Rest&&>(rest)...);
    }
  }

  // For braced arguments, which have no type.
  template <bool IsNever = true>
  constexpr void operator()(const braced_argument&, const braced_argument&, const braced_argument&) const {
    explain<none_if(!IsNever, mistake::braces)>();
  }
  template <bool IsNever = true>
  constexpr void operator()(const braced_argument&, const braced_argument&, const braced_argument&,
                            const braced_argument&) const {
    explain<none_if(!IsNever, mistake::braces)>();
  }
  template <bool IsNever = true>
  constexpr void operator()(const braced_argument&, const braced_argument&, const braced_argument&,
                            const braced_argument&, const braced_argument&) const {
    explain<none_if(!IsNever, mistake::braces)>();
  }
  template <bool IsNever = true>
  constexpr void operator()(const braced_argument&, const braced_argument&, const braced_argument&,
                            const braced_argument&, const braced_argument&, const braced_argument&) const {
    explain<none_if(!IsNever, mistake::braces)>();
  }
  template <bool IsNever = true>
  constexpr void operator()(const braced_argument&, const braced_argument&, const braced_argument&,
                            const braced_argument&, const braced_argument&, const braced_argument&,
                            const braced_argument&) const {
    explain<none_if(!IsNever, mistake::braces)>();
  }
};

// Operators with options, which may be braced, so that their parameter needs a type and a position. Each form is an
// overload, so that the compiler's first line can report a mistake, also in a braced operand.
template <class Operator, class Report>
  requires requires {
    typename Operator::options;
  }
class call_object<Operator, Report> {
  using result = typename Report::result;
  using options = typename Operator::options;

  template <bool HasOutput, class... Arguments>  // as above
  static constexpr bool is_noexcept = call_never_throws<Operator, Report, HasOutput, Arguments...>();
  // Whether the options may follow Count arguments, of which the first may be an executor.
  template <class First, std::size_t Count>
  static constexpr bool takes = (Count - executor_like<First> >= Operator::form.least_before) &&
                                (Count - executor_like<First> <= Operator::form.most_before);
  template <std::size_t Count>
  static constexpr bool is_most = Count == Operator::form.most_before + 1;
  // Whether Count arguments are too many and begin with no executor. Operators with an axis take such calls by the form
  // with an output: find_mistake recognises them.
  template <class First, std::size_t Count>
  static constexpr bool has_wrong_executor =
      is_most<Count> && !std::is_same_v<options, axis_argument> && !executor_like<First> && !is_tensor_like<First>;
  template <class Positions>
  static constexpr bool is_option =
      has_positions<std::remove_cvref_t<Positions>> || is_reduction<std::remove_cvref_t<Positions>>;
  // Whether the last argument is an output, rather than positions in place.
  template <class Output>
  static constexpr bool is_output = !has_positions<std::remove_cvref_t<Output>>;
  template <class First, class... Rest>
  static constexpr bool lacks_options = sizeof...(Rest) > Operator::form.most_before + 2 +
                                                              (has_positions<std::remove_cvref_t<Rest>> || ... || 0) ||
                                        detail::lacks_options<Operator>(types_from_data<Operator, First, Rest...>{});
  template <class First, class... Rest>
  static constexpr bool has_output = ends_with_output<Operator>(types_from_data<Operator, First, Rest...>{});
  template <class First, class... Rest>
  static constexpr mistake mistake_without_options() noexcept {
    constexpr mistake order = find_missing_options<Operator>(types_from_data<Operator, First, Rest...>{});
    if constexpr (order != mistake::none) {
      return order;
    } else {
      return mistake_in<Operator, has_output<First, Rest...>, First, Rest...>;
    }
  }
  template <class... Arguments>
  static constexpr bool is_noexcept_without_options() noexcept {
    if constexpr (mistake_without_options<Arguments...>() != mistake::none) {
      return true;
    } else {
      return is_noexcept<has_output<Arguments...>, Arguments...>;
    }
  }

 public:
  using operator_type = Operator;

  template <class A = braced_argument, class B = braced_argument>
    requires(takes<A, 2> && (is_noexcept<false, A, B, const options&> || true))
  constexpr result operator()(A&& a, B&& b, const options& chosen) const
      noexcept(is_noexcept<false, A, B, const options&>) {
    if constexpr (explain<mistake_in<Operator, false, A, B, const options&>>()) {
      return call_operator<Operator, Report, false>(static_cast<A&&>(a), static_cast<B&&>(b), chosen);
    }
  }
  template <class A = braced_argument, class B = braced_argument, class Output = braced_argument>
    requires(takes<A, 2> && (is_noexcept<true, A, B, const options&, Output> || true))
  constexpr result operator()(A&& a, B&& b, const options& chosen, Output&& output) const
      noexcept(is_noexcept<true, A, B, const options&, Output>) {
    if constexpr (explain<mistake_in<Operator, true, A, B, const options&, Output>>()) {
      return call_operator<Operator, Report, true>(static_cast<A&&>(a), static_cast<B&&>(b), chosen,
                                                   static_cast<Output&&>(output));
    }
  }
  template <class A = braced_argument, class B = braced_argument, class C = braced_argument>
    requires((takes<A, 3> || has_wrong_executor<A, 3>)&&(is_noexcept<false, A, B, C, const options&> || true))
  constexpr result operator()(A&& a, B&& b, C&& c, const options& chosen) const
      noexcept(is_noexcept<false, A, B, C, const options&>) {
    if constexpr (explain<mistake_in<Operator, false, A, B, C, const options&>>()) {
      return call_operator<Operator, Report, false>(static_cast<A&&>(a), static_cast<B&&>(b), static_cast<C&&>(c),
                                                    chosen);
    }
  }
  template <class A = braced_argument, class B = braced_argument, class C = braced_argument,
            class Output = braced_argument>
    requires((takes<A, 3> || is_most<3>)&&(is_noexcept<is_output<Output>, A, B, C, const options&, Output> || true))
  constexpr result operator()(A&& a, B&& b, C&& c, const options& chosen, Output&& output) const
      noexcept(is_noexcept<is_output<Output>, A, B, C, const options&, Output>) {
    if constexpr (explain<mistake_in<Operator, is_output<Output>, A, B, C, const options&, Output>>()) {
      return call_operator<Operator, Report, is_output<Output>>(
          static_cast<A&&>(a), static_cast<B&&>(b), static_cast<C&&>(c), chosen, static_cast<Output&&>(output));
    }
  }
  template <class A, class B = braced_argument, class C = braced_argument, class D = braced_argument>
    requires((takes<A, 4> || has_wrong_executor<A, 4>)&&(is_noexcept<false, A, B, C, D, const options&> || true))
  constexpr result operator()(A&& a, B&& b, C&& c, D&& d, const options& chosen) const
      noexcept(is_noexcept<false, A, B, C, D, const options&>) {
    if constexpr (explain<mistake_in<Operator, false, A, B, C, D, const options&>>()) {
      return call_operator<Operator, Report, false>(static_cast<A&&>(a), static_cast<B&&>(b), static_cast<C&&>(c),
                                                    static_cast<D&&>(d), chosen);
    }
  }
  template <class A, class B = braced_argument, class C = braced_argument, class D = braced_argument,
            class Output = braced_argument>
    requires(is_most<4> && (is_noexcept<is_output<Output>, A, B, C, D, const options&, Output> || true))
  constexpr result operator()(A&& a, B&& b, C&& c, D&& d, const options& chosen, Output&& output) const
      noexcept(is_noexcept<is_output<Output>, A, B, C, D, const options&, Output>) {
    if constexpr (explain<mistake_in<Operator, is_output<Output>, A, B, C, D, const options&, Output>>()) {
      return call_operator<Operator, Report, is_output<Output>>(static_cast<A&&>(a), static_cast<B&&>(b),
                                                                static_cast<C&&>(c), static_cast<D&&>(d), chosen,
                                                                static_cast<Output&&>(output));
    }
  }

  // With positions and an output. A reduction in their place is a mistake that has a text.
  template <class A = braced_argument, class B = braced_argument, class C = braced_argument, class Positions,
            class Output = braced_argument>
    requires(is_option<Positions>&& takes<A, 3> &&
             (is_noexcept<true, A, B, C, const options&, Positions, Output> || true))
  constexpr result operator()(A&& a, B&& b, C&& c, const options& chosen, Positions&& positions, Output&& output) const
      noexcept(is_noexcept<true, A, B, C, const options&, Positions, Output>) {
    if constexpr (explain<mistake_in<Operator, true, A, B, C, const options&, Positions, Output>>()) {
      return call_operator<Operator, Report, true>(static_cast<A&&>(a), static_cast<B&&>(b), static_cast<C&&>(c),
                                                   chosen, static_cast<Positions&&>(positions),
                                                   static_cast<Output&&>(output));
    }
  }
  template <class A, class B = braced_argument, class C = braced_argument, class D = braced_argument, class Positions,
            class Output = braced_argument>
    requires(is_option<Positions>&& is_most<4> &&
             (is_noexcept<true, A, B, C, D, const options&, Positions, Output> || true))
  constexpr result operator()(A&& a, B&& b, C&& c, D&& d, const options& chosen, Positions&& positions,
                              Output&& output) const
      noexcept(is_noexcept<true, A, B, C, D, const options&, Positions, Output>) {
    if constexpr (explain<mistake_in<Operator, true, A, B, C, D, const options&, Positions, Output>>()) {
      return call_operator<Operator, Report, true>(static_cast<A&&>(a), static_cast<B&&>(b), static_cast<C&&>(c),
                                                   static_cast<D&&>(d), chosen, static_cast<Positions&&>(positions),
                                                   static_cast<Output&&>(output));
    }
  }

  // Calls without options: a mistake. Braces in the options' position are options.
  template <class A = braced_argument, class B = braced_argument, class C = braced_argument, class... Rest>
    requires(lacks_options<A, B, C, Rest...> &&
             (Operator::form.least_before > 2 || !std::is_same_v<C, braced_argument>))
  constexpr result operator()(A&& a, B&& b, C&& c, Rest&&... rest) const
      noexcept(is_noexcept_without_options<A, B, C, Rest...>()) {
    if constexpr (explain<mistake_without_options<A, B, C, Rest...>()>()) {
      return call_operator<Operator, Report, has_output<A, B, C, Rest...>>(
          static_cast<A&&>(a), static_cast<B&&>(b), static_cast<C&&>(c), static_cast<Rest&&>(rest)...);
    }
  }
  template <class... Few>
    requires(sizeof...(Few) < 3 && detail::lacks_options<Operator>(type_list<Few...>{}))
  constexpr result operator()(const Few&...) const { explain<find_missing_options<Operator>(type_list<Few...>{})>(); }
};

template <class Operator>
using throwing = call_object<Operator, by_exception>;
template <class Operator>
using attempted = call_object<Operator, by_status>;

}  // namespace strew::detail

#endif  // STREW_DETAIL_FRONT_OPERATORS_HPP
