// SPDX-License-Identifier: Apache-2.0
// An operator as an object: the forms of a call, once for all operators. They differ by their signatures.
#ifndef STREW_DETAIL_FRONT_OPERATORS_HPP
#define STREW_DETAIL_FRONT_OPERATORS_HPP

#include <strew/config.hpp>
#include <strew/detail/external_tensors.hpp>
#include <strew/detail/front/back_end.hpp>
#include <strew/detail/front/operands.hpp>
#include <strew/detail/front/shapes.hpp>
#include <strew/detail/rules/operation.hpp>
#include <strew/execution/executor.hpp>
#include <strew/status.hpp>
#include <strew/view/index_list.hpp>

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

// What an operator is called with: an executor (if any), data and other inputs, the output (if any; else it is data).
// Of this an Operator says, positions being counted from data on,
//
//   form             the signature;
//   shapes           what strew/operators/extents.hpp asks for, see shapes.hpp;
//   options          the type of what may stand in braces, if anything may;
//   lacks_options    whether arguments are a call without them, or none;
//   run              run(call, data, ..), an overload for each form of a call: of views, without executor and output;
//   check_order      asserts what is wrong with arguments that no overload takes.
enum class tensor_order : unsigned char {
  usual,          // data, indices, updates, axis
  axis_first,     // data, axis, indices, updates
  updates_first,  // data, updates, indices, options
};
struct signature {
  const char* name;              // in messages
  std::size_t inputs;            // as many as each call has
  bool has_option = false;       // whether a reduction, say, may stand between them and the output
  std::size_t value = none;      // the position of an element, which may be a tensor itself
  std::size_t least_before = 0;  // how many stand before the options
  std::size_t most_before = 0;
  tensor_order order = tensor_order::usual;
  bool has_indices = true;     // or a mask
  bool has_updates = true;     // as a tensor
  bool takes_tensors = false;  // whether indices are several tensors

  static constexpr std::size_t none = 99;
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

template <class...>
inline constexpr bool is_never = false;

// ---- What the types of arguments say, as Arguments&& deduces them

template <class...>
struct type_list {};
template <class Types>
struct first_in;
template <class First, class... Rest>
struct first_in<type_list<First, Rest...>> {
  using type = First;
};

// Where there are as many arguments as can be, what is no executor is one that cannot be called.
template <class Operator, class First, class... Rest>
inline constexpr bool has_executor = executor_like<First> || (Operator::form.most_before > 0 &&
                                                              sizeof...(Rest) == Operator::form.most_before + 2);
template <class Operator, class First, class... Rest>
using types_from_data =
    std::conditional_t<has_executor<Operator, First, Rest...>, type_list<Rest...>, type_list<First, Rest...>>;

// What a call on elements of type T passes on may throw where callables of the caller's are, and where an element is
// made of an argument. signatures.hpp has more on reductions.
template <class Argument>
inline constexpr bool is_plain_argument = std::is_arithmetic_v<Argument>;
template <index_policy Policy, class Indices>
inline constexpr bool is_plain_argument<indices_with_policy<Policy, Indices>> = true;
template <class T, class Option>
inline constexpr bool option_never_throws = is_plain_argument<Option>;

template <class Operator, class T, class Argument>
constexpr bool argument_never_throws() noexcept {
  using bare = std::remove_cvref_t<Argument>;
  if constexpr (is_view<bare>) {
    return assigns_without_throwing<std::remove_const_t<view_element<bare>>>;
  } else if constexpr (Operator::form.value != signature::none && std::is_convertible_v<const bare&, T>) {
    return std::is_nothrow_constructible_v<T, const bare&>;
  } else if constexpr (is_external_tensor<Argument>) {
    return assigns_without_throwing<std::remove_const_t<view_element<viewed<Argument>>>>;
  } else {
    return option_never_throws<T, bare>;
  }
}
template <class Operator>
constexpr bool arguments_never_throw() noexcept {
  return true;
}
template <class Operator, class Data, class... Rest>
constexpr bool arguments_never_throw() noexcept {
  using element = std::remove_const_t<view_element<viewed<Data>>>;
  return argument_never_throws<Operator, void, Data>() && (argument_never_throws<Operator, element, Rest>() && ...);
}
template <class Operator, class Report, class First, class... Rest>
constexpr bool call_never_throws() noexcept {
  if constexpr (Report::throws) {
    return false;
  } else if constexpr (executor_like<First>) {
    return executes_without_throwing<First> && arguments_never_throw<Operator, Rest...>();
  } else {
    return arguments_never_throw<Operator, First, Rest...>();
  }
}

template <class Operator, class... Arguments>
constexpr bool ends_with_output(type_list<Arguments...>) noexcept {
  if constexpr (sizeof...(Arguments) <= Operator::form.inputs) {
    return false;
  } else {
    using last = typename decltype((std::type_identity<Arguments>{}, ...))::type;
    return !Operator::form.has_option || is_view<last> || is_external_tensor<last>;
  }
}

// A reduction in the output's place; signatures.hpp knows them.
template <class Argument>
inline constexpr bool is_reduction = false;
template <class Output>
constexpr bool check_no_reduction() noexcept {
  static_assert(!is_reduction<Output>,
                "strew: this operator takes no reduction: what follows its operands is the output");
  return !is_reduction<Output>;
}

// ---- The call

// The arguments by their positions.
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

// An argument as operators take it: a view of a tensor of another library, or itself. What is only read is viewed as if
// it were const, where it can be.
template <bool IsWritten, bool IsValue, class Argument>
constexpr decltype(auto) opened(Argument&& argument, status& error) noexcept {
  using constant = const std::remove_reference_t<Argument>&;
  if constexpr (IsValue) {
    return static_cast<constant>(argument);
  } else if constexpr (!IsWritten && is_external_tensor<constant>) {
    return view_external_tensor(static_cast<constant>(argument), error);
  } else {
    return view_external_tensor(static_cast<Argument&&>(argument), error);
  }
}
template <class Operator, std::size_t Position, class Data, class Argument>
constexpr bool is_value() noexcept {
  if constexpr (Position == Operator::form.value) {
    return std::is_convertible_v<Argument, std::remove_const_t<view_element<viewed<Data>>>>;
  } else {
    return false;
  }
}

template <class Operator, bool HasOutput, class Ex, std::size_t... Input, class... Arguments>
constexpr void run_operator(Ex& ex, status& error, std::index_sequence<Input...>, const Arguments&... arguments) {
  constexpr std::size_t written = HasOutput ? sizeof...(Input) : 0;
  const argument_list<std::index_sequence_for<Arguments...>, Arguments...> all{{arguments}...};
  using output = std::remove_cvref_t<decltype(take<written>(all))>;
  const running_call<Ex, output> call{ex, error, take<written>(all)};
  if constexpr (check_no_reduction<output>()) {
    if constexpr (!requires { Operator::run(call, take<Input>(all)...); }) {
      static_cast<void>(Operator::check_order(type_list<Arguments...>{}));
    } else if constexpr (check_data_is_writable<output, HasOutput>()) {
      if (error.ok()) Operator::run(call, take<Input>(all)...);
    }
  }
}

// Positions are those of the rest.
template <class Operator, class Report, bool HasOutput, std::size_t... Position, class First, class... Rest>
constexpr typename Report::result call_operator(std::index_sequence<Position...>, First&& first, Rest&&... rest) {
  using data = typename first_in<types_from_data<Operator, First, Rest...>>::type;
  constexpr std::size_t shift = has_executor<Operator, First, Rest...> ? 0 : 1;  // to positions from data on
  constexpr std::size_t inputs = sizeof...(Rest) + shift - (HasOutput ? 1 : 0);
  constexpr std::size_t written = HasOutput ? inputs : 0;
  constexpr std::make_index_sequence<inputs> positions;
  constexpr bool has_external_tensor = is_external_tensor<First> || (is_external_tensor<Rest> || ...);
  status error;
  if constexpr (shift == 1) {
    if constexpr (!has_external_tensor) {
      run_operator<Operator, HasOutput>(serial, error, positions, first, rest...);
    } else {
      run_operator<Operator, HasOutput>(serial, error, positions,
                                        opened<written == 0, false>(static_cast<First&&>(first), error),
                                        opened<written == Position + 1, is_value<Operator, Position + 1, data, Rest>()>(
                                            static_cast<Rest&&>(rest), error)...);
    }
  } else if constexpr (check_executor<First>()) {
    if constexpr (!has_external_tensor) {
      run_operator<Operator, HasOutput>(first, error, positions, rest...);
    } else {
      run_operator<Operator, HasOutput>(
          first, error, positions,
          opened<written == Position, is_value<Operator, Position, data, Rest>()>(static_cast<Rest&&>(rest), error)...);
    }
  }
  return Report::report(error);
}
template <class Operator, class Report>
class call_object {
 public:
  using operator_type = Operator;

  template <class First, class... Rest>
    requires(sizeof...(Rest) > 0 || !executor_like<First>)
  constexpr typename Report::result operator()(First&& first, Rest&&... rest) const
      noexcept(call_never_throws<Operator, Report, First, Rest...>()) {
    constexpr bool has_output = ends_with_output<Operator>(types_from_data<Operator, First, Rest...>{});
    return call_operator<Operator, Report, has_output>(std::index_sequence_for<Rest...>{}, static_cast<First&&>(first),
                                                       static_cast<Rest&&>(rest)...);
  }
};

// With options that may stand in braces, for which a parameter needs a type and a place. Each form is one overload,
// where the compiler's first line can say what is wrong with an operand, be it braced.
template <class Operator, class Report>
  requires requires {
    typename Operator::options;
  }
class call_object<Operator, Report> {
  using result = typename Report::result;
  using options = typename Operator::options;

  template <class... Arguments>
  static constexpr bool is_noexcept = call_never_throws<Operator, Report, Arguments...>();

  // Whether the options may follow so many arguments, of which the first may be an executor.
  template <class First, std::size_t Count>
  static constexpr bool takes = (Count - executor_like<First> >= Operator::form.least_before) &&
                                (Count - executor_like<First> <= Operator::form.most_before);
  template <std::size_t Count>
  static constexpr bool is_most = Count == Operator::form.most_before + 1;
  template <class First, class... Rest>
  static constexpr bool lacks_options = sizeof...(Rest) > Operator::form.most_before + 2 ||
                                        Operator::lacks_options(types_from_data<Operator, First, Rest...>{});

 public:
  using operator_type = Operator;

  template <class A = braced_argument, class B = braced_argument>
    requires(takes<A, 2>)
  constexpr result operator()(A&& a, B&& b, const options& chosen) const noexcept(is_noexcept<A, B>) {
    return call_operator<Operator, Report, false>(std::index_sequence_for<B, options>{}, static_cast<A&&>(a),
                                                  static_cast<B&&>(b), chosen);
  }
  template <class A = braced_argument, class B = braced_argument, class Output = braced_argument>
    requires(takes<A, 2>)
  constexpr result operator()(A&& a, B&& b, const options& chosen, Output&& output) const
      noexcept(is_noexcept<A, B, Output>) {
    return call_operator<Operator, Report, true>(std::index_sequence_for<B, options, Output>{}, static_cast<A&&>(a),
                                                 static_cast<B&&>(b), chosen, static_cast<Output&&>(output));
  }
  template <class A = braced_argument, class B = braced_argument, class C = braced_argument>
    requires(takes<A, 3>)
  constexpr result operator()(A&& a, B&& b, C&& c, const options& chosen) const noexcept(is_noexcept<A, B, C>) {
    return call_operator<Operator, Report, false>(std::index_sequence_for<B, C, options>{}, static_cast<A&&>(a),
                                                  static_cast<B&&>(b), static_cast<C&&>(c), chosen);
  }
  template <class A = braced_argument, class B = braced_argument, class C = braced_argument,
            class Output = braced_argument>
    requires(takes<A, 3> || is_most<3>)
  constexpr result operator()(A&& a, B&& b, C&& c, const options& chosen, Output&& output) const
      noexcept(is_noexcept<A, B, C, Output>) {
    return call_operator<Operator, Report, true>(std::index_sequence_for<B, C, options, Output>{}, static_cast<A&&>(a),
                                                 static_cast<B&&>(b), static_cast<C&&>(c), chosen,
                                                 static_cast<Output&&>(output));
  }
  template <class A, class B = braced_argument, class C = braced_argument, class D = braced_argument>
    requires(takes<A, 4>)
  constexpr result operator()(A&& a, B&& b, C&& c, D&& d, const options& chosen) const
      noexcept(is_noexcept<A, B, C, D>) {
    return call_operator<Operator, Report, false>(std::index_sequence_for<B, C, D, options>{}, static_cast<A&&>(a),
                                                  static_cast<B&&>(b), static_cast<C&&>(c), static_cast<D&&>(d),
                                                  chosen);
  }
  template <class A, class B = braced_argument, class C = braced_argument, class D = braced_argument,
            class Output = braced_argument>
    requires(is_most<4>)
  constexpr result operator()(A&& a, B&& b, C&& c, D&& d, const options& chosen, Output&& output) const
      noexcept(is_noexcept<A, B, C, D, Output>) {
    return call_operator<Operator, Report, true>(std::index_sequence_for<B, C, D, options, Output>{},
                                                 static_cast<A&&>(a), static_cast<B&&>(b), static_cast<C&&>(c),
                                                 static_cast<D&&>(d), chosen, static_cast<Output&&>(output));
  }

  // Without options. In their place braces are options.
  template <class A = braced_argument, class B = braced_argument, class C = braced_argument, class... Rest>
    requires(lacks_options<A, B, C, Rest...> &&
             (Operator::form.least_before > 2 || !std::is_same_v<C, braced_argument>))
  constexpr result operator()(A&& a, B&& b, C&& c, Rest&&... rest) const noexcept(is_noexcept<A, B, C, Rest...>) {
    using types = types_from_data<Operator, A, B, C, Rest...>;
    if constexpr (Operator::check_order(types{})) {
      return call_operator<Operator, Report, ends_with_output<Operator>(types{})>(
          std::index_sequence_for<B, C, Rest...>{}, static_cast<A&&>(a), static_cast<B&&>(b), static_cast<C&&>(c),
          static_cast<Rest&&>(rest)...);
    }
  }
  template <class... Few>
    requires(sizeof...(Few) < 3 && Operator::lacks_options(type_list<Few...>{}))
  constexpr result operator()(const Few&...) const { static_cast<void>(Operator::check_order(type_list<Few...>{})); }
};

template <class Operator>
using throwing = call_object<Operator, by_exception>;
template <class Operator>
using attempted = call_object<Operator, by_status>;

// The first scatters on an axis: data, indices, updates, axis (0 where it may be left out), output (if any).
template <const operation_rules& Rules, bool AxisMayBeLeftOut = false>
struct scatter_on_axis {
  static constexpr signature form{.name = Rules.name, .inputs = 3, .least_before = 3, .most_before = 3};
  static constexpr const operation_rules& rules = Rules;
  using options = axis_argument;
  using shapes = shapes_with_axis_last<Rules, AxisMayBeLeftOut, index_list>;

  template <class Call, class Data, class Indices, class Updates>
  static constexpr void run(const Call& call, const Data& data, const Indices& indices, const Updates& updates,
                            const axis_argument& axis) {
    if constexpr (check_scatter_types<Data, bare_indices<Indices>, Updates, typename Call::output_type>()) {
      scatter_on_one_axis<Rules, only_none>(call, data, indices, updates, axis.list, reduction::none);
    }
  }
  template <class Call, class Data, class Indices, class Updates>
  static constexpr void run(const Call& call, const Data& data, const Indices& indices, const Updates& updates) {
    run(call, data, indices, updates, 0);
  }

  // Whether these are a call without an axis, or none. A container of integers in the axis's place may be the output:
  // with containers for data, or where the axis may be left out, one has to say.
  template <class... Arguments>
  static constexpr bool lacks_options(type_list<Arguments...>) noexcept {
    return sizeof...(Arguments) < 4;
  }
  template <class Data, class Indices, class Updates, class Last>
  static constexpr bool lacks_options(type_list<Data, Indices, Updates, Last>) noexcept {
    return is_output_like<Last> || (is_axis_or_output<Last, Data> && (AxisMayBeLeftOut || is_external_tensor<Data>));
  }

  template <class... Arguments>
  static constexpr bool check_order(type_list<Arguments...>) noexcept {
    constexpr bool is_call = sizeof...(Arguments) == 3 || sizeof...(Arguments) == 4;
    static_assert(is_call, "strew: the order is executor (if any), data, indices, updates, axis, output (if any)");
    static_assert(
        !is_call || AxisMayBeLeftOut,
        "strew: an axis is missing; the order is executor (if any), data, indices, updates, axis, output (if any)");
    return is_call && AxisMayBeLeftOut;
  }
  template <class Data, class Indices, class Updates, class Last>
    requires is_axis_or_output<Last, Data>
  static constexpr bool check_order(type_list<Data, Indices, Updates, Last>) noexcept {
    static_assert(is_never<Last>,
                  "strew: is this the output or a list of axes? Say strew::as_view(output) or an integer for the axis");
    return false;
  }
};

}  // namespace strew::detail

#endif  // STREW_DETAIL_FRONT_OPERATORS_HPP
