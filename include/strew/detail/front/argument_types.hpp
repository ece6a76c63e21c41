// SPDX-License-Identifier: Apache-2.0
// The properties of a call by the types of its arguments. The arguments of a call are an executor (if any), data and
// other inputs, the output (if any; otherwise it is data); positions count from data on.
#ifndef STREW_DETAIL_FRONT_ARGUMENT_TYPES_HPP
#define STREW_DETAIL_FRONT_ARGUMENT_TYPES_HPP

#include <strew/config.hpp>
#include <strew/detail/external_tensors.hpp>
#include <strew/detail/front/descriptor.hpp>
#include <strew/detail/front/operands.hpp>
#include <strew/detail/mistakes.hpp>
#include <strew/execution/executor.hpp>
#include <strew/operators/reduction.hpp>
#include <strew/operators/reduction_kind.hpp>
#include <strew/status.hpp>
#include <strew/view/index.hpp>
#include <strew/view/integer.hpp>

#include <cstddef>
#include <type_traits>
#include <utility>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// The arguments of run that are no inputs: executor, status and output.
template <class Ex, class Output>
struct running_call {
  using executor_type = Ex;
  using output_type = Output;

  Ex& ex;
  status& error;
  const Output& output;
};

// Whether an argument is an executor. A const one may be callable only as non-const; that is reported later.
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

// ---- Properties of arguments by their types, as deduced from Arguments&&

// With the largest number of arguments the first must be an executor, even if it cannot be called.
template <class Operator, class First, class... Rest>
inline constexpr bool has_executor = executor_like<First> ||
                                     (Operator::form.most_before > 0 &&
                                      sizeof...(Rest) == Operator::form.most_before + 2 +
                                                             (has_positions<std::remove_cvref_t<Rest>> || ... || 0));
template <class Operator, class First, class... Rest>
using types_from_data =
    std::conditional_t<has_executor<Operator, First, Rest...>, type_list<Rest...>, type_list<First, Rest...>>;

template <class Operator, class... Arguments>
constexpr bool ends_with_output(type_list<Arguments...>) noexcept {
  if constexpr (sizeof...(Arguments) <= Operator::form.inputs) {
    return false;
  } else {
    using last = type_at<sizeof...(Arguments) - 1, Arguments...>;
    constexpr bool are_positions = Operator::op.has(role::positions) && has_positions<std::remove_cvref_t<last>>;
    return (!Operator::form.has_option && !are_positions) || is_view<last> || is_external_tensor<last>;
  }
}

// Whether argument number Position is one value for all targets, of elements of Data.
template <class Operator, std::size_t Position, class Data, class Argument>
constexpr bool is_value() noexcept {
  constexpr const call_form& form = Operator::form;
  if constexpr (!form.takes_value || Position != Operator::form.updates_at) {
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
// The type of an argument for `run`: a view for a tensor.
template <class Operator, std::size_t Position, class Data, class Argument>
using input_type = typename std::conditional_t<is_value<Operator, Position, Data, Argument>(),
                                               std::remove_cvref<Argument>, viewed_operand<Argument>>::type;

// ---- Reductions

// Whether a reduction is known at run time only.
template <class R>
inline constexpr bool is_dynamic_reduction = false;
template <class Argument>
inline constexpr bool is_reduction = named_reduction<Argument> || is_dynamic_reduction<Argument>;

// Satisfied by types that may be reductions. Views are excluded, which are callable with two integers.
template <class R>
concept reduction_like = !is_view<R>;

// Whether tensors of a type are divided among processes.
template <class Data>
inline constexpr bool is_distributed = false;
// The parts of a reduction with positions.
template <class R>
struct parts_of_positions;
template <class Reduction, class Numbers>
struct parts_of_positions<reduction::with_positions_type<Reduction, Numbers>> {
  using reduction_type = Reduction;
  using numbers_type = Numbers;
};
template <class T, class R, class Numbers, reduction_set Set>
constexpr mistake find_mistake_of_positions() noexcept {
  using number = view_element<Numbers>;
  constexpr bool are_dynamic = is_dynamic_element<T>;
  constexpr bool is_none = std::is_same_v<R, reduction::none_type>;
  if constexpr (!is_none && !is_one_of<R, reduction::min_type, reduction::max_type> &&
                !(are_dynamic && is_dynamic_reduction<R>)) {
    return mistake::positions_of_reduction;
  } else if constexpr (std::is_const_v<number> || !(are_dynamic ? is_dynamic_element<number> : index_integer<number>)) {
    return mistake::numbers_of_positions;
  } else if constexpr (is_none || is_dynamic_reduction<R>) {
    return mistake::none;
  } else if constexpr (!Set.has_order) {
    return mistake::not_offered;
  } else {
    return are_dynamic || reducible_by<T, R> ? mistake::none : mistake::not_reducible;
  }
}

template <class T, class R, reduction_set Set>
constexpr mistake find_mistake_of_reduction() noexcept {
  if constexpr (has_positions<R>) {
    using parts = parts_of_positions<R>;
    return find_mistake_of_positions<T, typename parts::reduction_type, typename parts::numbers_type, Set>();
  } else if constexpr (is_dynamic_element<T> && !is_reduction<R>) {
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

}  // namespace strew::detail

#endif  // STREW_DETAIL_FRONT_ARGUMENT_TYPES_HPP
