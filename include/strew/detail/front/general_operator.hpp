// SPDX-License-Identifier: Apache-2.0
// The operators with reductions, tuples of indices or policies as objects: the forms of a call, for any signature.
#ifndef STREW_DETAIL_FRONT_GENERAL_OPERATOR_HPP
#define STREW_DETAIL_FRONT_GENERAL_OPERATOR_HPP

#include <strew/config.hpp>
#include <strew/detail/front/general.hpp>
#include <strew/detail/front/operands.hpp>
#include <strew/detail/front/operators.hpp>
#include <strew/detail/front/viewed.hpp>
#include <strew/detail/generic/combine.hpp>
#include <strew/detail/rules/policy.hpp>
#include <strew/executor.hpp>
#include <strew/reduction.hpp>
#include <strew/status.hpp>

#include <cstddef>
#include <type_traits>
#include <utility>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// Whether no argument of a call on elements of type T can make it throw: callables of the caller's may, and so may an
// element that is made of an argument.
template <class Argument>
inline constexpr bool is_plain_argument = std::is_arithmetic_v<Argument>;
template <index_policy Policy, class Indices>
inline constexpr bool is_plain_argument<indices_with_policy<Policy, Indices>> = true;
template <class Operator, class T, class Argument>
constexpr bool argument_never_throws() noexcept {
  if constexpr (is_view<Argument>) {
    return assigns_without_throwing<std::remove_const_t<view_element<Argument>>>;
  } else if constexpr (named_reduction<Argument>) {
    return reduces_without_throwing<T, Argument>();
  } else if constexpr (requires { Operator::value_position; } && std::is_convertible_v<const Argument&, T>) {
    return std::is_nothrow_constructible_v<T, const Argument&>;
  } else {
    return is_plain_argument<Argument>;
  }
}
template <class Operator, class Data, class... Rest>
inline constexpr bool arguments_never_throw =
    argument_never_throws<Operator, void, Data>() &&
    (argument_never_throws<Operator, std::remove_const_t<view_element<Data>>, Rest>() && ...);

// Whether an argument of a call is a tensor of another library, and not a value that converts to an element where the
// operator takes one. First and Second are the first arguments, of which either is data.
template <class Operator, std::size_t Position, class Argument, class First, class Second, class... Rest>
constexpr bool find_foreign_argument() noexcept {
  if constexpr (!is_foreign<Argument> || (Position == 0 && executor_like<First>)) {
    return false;
  } else if constexpr (requires { Operator::value_position; }) {
    constexpr std::size_t at = Operator::value_position + (executor_like<First> ? 1 : 0);
    using element = view_element<viewed<std::conditional_t<executor_like<First>, Second, First>>>;
    return Position != at || !std::is_convertible_v<Argument, std::remove_const_t<element>>;
  } else {
    return true;
  }
}
template <class Operator, class Positions, class... Arguments>
inline constexpr bool finds_foreign = false;
template <class Operator, std::size_t... Position, class... Arguments>
  requires(sizeof...(Arguments) > 1)
inline constexpr bool finds_foreign<Operator, std::index_sequence<Position...>, Arguments...> =
    (find_foreign_argument<Operator, Position, Arguments, Arguments...>() || ...);
template <class Operator, class... Arguments>
concept any_foreign = finds_foreign<Operator, std::index_sequence_for<Arguments...>, Arguments...>;

// An operator: Operator::run(ex, error, operands..) has an overload for each form of the call without an executor.
template <class Operator, class Report>
struct general_operator {
  using result = typename Report::result;

  template <executor_like Ex, class Data, class... Rest>
    requires(!any_foreign<Operator, Ex, const Data&, const Rest&...>)
  constexpr result operator()(Ex&& ex, const Data& data, const Rest&... rest) const
      noexcept(!Report::throws && executes_without_throwing<Ex> && arguments_never_throw<Operator, Data, Rest...>) {
    if constexpr (check_executor<Ex>()) {
      status error;
      Operator::run(ex, error, data, rest...);
      return Report::report(error);
    }
  }
  template <class Data, class... Rest>
    requires(!executor_like<Data> && !any_foreign<Operator, const Data&, const Rest&...>)
  constexpr result operator()(const Data& data, const Rest&... rest) const
      noexcept(!Report::throws && arguments_never_throw<Operator, Data, Rest...>) {
    status error;
    Operator::run(serial, error, data, rest...);
    return Report::report(error);
  }

  // With tensors of other libraries: the same on views of them.
  template <class... Arguments>
    requires any_foreign<Operator, Arguments...>
  constexpr result operator()(Arguments&&... arguments) const {
    return call_on_views(std::index_sequence_for<Arguments...>{}, static_cast<Arguments&&>(arguments)...);
  }

 private:
  template <std::size_t... Position, class... Arguments>
  constexpr result call_on_views(std::index_sequence<Position...>, Arguments&&... arguments) const {
    status error;
    const auto run = [&]<class... Views>(Views&&... views) -> result {
      if (!error.ok()) return Report::report(error);
      return (*this)(static_cast<Views&&>(views)...);
    };
    return run(view_if<find_foreign_argument<Operator, Position, Arguments, Arguments...>()>(
        static_cast<Arguments&&>(arguments), error)...);
  }

  template <bool IsForeign, class Argument>
  static constexpr decltype(auto) view_if(Argument&& argument, status& error) noexcept {
    if constexpr (IsForeign) {
      return view_foreign(static_cast<Argument&&>(argument), error);
    } else {
      return static_cast<Argument&&>(argument);
    }
  }
};

}  // namespace strew::detail

#endif  // STREW_DETAIL_FRONT_GENERAL_OPERATOR_HPP
