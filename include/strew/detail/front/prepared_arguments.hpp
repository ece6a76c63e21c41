// SPDX-License-Identifier: Apache-2.0
// The arguments of a prepared call that are not tensors: their types, what is kept of them, and mistakes.
#ifndef STREW_DETAIL_FRONT_PREPARED_ARGUMENTS_HPP
#define STREW_DETAIL_FRONT_PREPARED_ARGUMENTS_HPP

#include <strew/config.hpp>
#include <strew/detail/external_tensors.hpp>
#include <strew/detail/front/argument_types.hpp>
#include <strew/detail/front/find_mistake.hpp>
#include <strew/detail/front/operands.hpp>
#include <strew/detail/mistakes.hpp>
#include <strew/execution/executor.hpp>
#include <strew/view/index.hpp>
#include <strew/view/integer.hpp>
#include <strew/view/layout.hpp>
#include <strew/view/operand_layouts.hpp>
#include <strew/view/tensor_view.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// In the place of an operand that an operator does not have.
struct no_operand {};

// The layouts of a prepared call in any form, where its types are missing.
struct any_layouts {
  any_layouts(std::initializer_list<braced_argument>) {}
  template <class Layouts>
  any_layouts(const Layouts&) {}
};

// The value of a prepared call for all targets.
template <class T>
class kept_value {
 public:
  constexpr kept_value() = default;
  template <class Value>
    requires(is_value_of<T, Value>() && !is_fraction<T, Value>)
  constexpr kept_value(const Value& value) : kept_value(as_number<T>(value), true) {}

  [[nodiscard]] constexpr bool fits() const noexcept { return fits_; }
  [[nodiscard]] constexpr const printed_number& given() const noexcept { return given_; }
  [[nodiscard]] constexpr const T* data() const noexcept { return held_; }

 private:
  template <class Number>
  constexpr kept_value(const Number& number, bool fits)
      : held_{to_element<T>(number, fits)}, fits_{fits}, given_{fits ? printed_number{} : printed_value(number)} {}

  T held_[1]{};  // an array, since & may be overloaded
  bool fits_ = true;
  printed_number given_;  // for the message, if it does not fit
};
template <class Argument>
inline constexpr bool is_kept_value = false;
template <class T>
inline constexpr bool is_kept_value<kept_value<T>> = true;

// Whether an argument that is no tensor is required: neither an option, such as a reduction, nor a value.
template <class Operator, class Argument>
constexpr bool is_required() noexcept {
  if constexpr (requires { typename Operator::options; }) {
    using options = typename Operator::options;  // an axis is kept as an integer
    return std::is_same_v<Argument, options> || (std::is_same_v<options, axis_argument> && index_integer<Argument>);
  } else {
    return index_integer<Argument>;
  }
}
// The position of a value among the arguments that are no tensors, or call_form::none.
template <class T, class Operator, class... Rest>
constexpr std::size_t find_value_position() noexcept {
  constexpr const call_form& form = Operator::form;
  constexpr std::size_t position = form.others_before_updates;
  if constexpr (!form.takes_value || sizeof...(Rest) <= position) {
    return call_form::none;
  } else {
    using argument = type_at<position, Rest...>;
    constexpr std::size_t required =
        (std::size_t{0} + ... + (is_kept_value<Rest> || is_value_of<T, Rest>() || is_required<Operator, Rest>()));
    constexpr bool is_value = is_kept_value<argument> || is_value_of<T, argument>();
    constexpr bool is_surely = !form.has_updates || is_kept_value<argument> || !is_required<Operator, argument>();
    return is_value && (is_surely || required > form.beside_tensors) ? position : call_form::none;
  }
}

// The position of converted_from among the arguments that are no tensors, or call_form::none.
template <class... Rest>
constexpr std::size_t find_converted_position() noexcept {
  constexpr bool converts[] = {!std::is_void_v<typename converted_type_of<Rest>::type>..., false};
  for (std::size_t i = 0; i < sizeof...(Rest); ++i) {
    if (converts[i]) return i;
  }
  return call_form::none;
}
// The element type of the updates of a prepared call on elements T.
template <class T, class... Rest>
struct prepared_updates {
  using type = T;
};
template <class T, class... Rest>
  requires(find_converted_position<Rest...>() != call_form::none)
struct prepared_updates<T, Rest...> {
  using type = typename converted_type_of<type_at<find_converted_position<Rest...>(), Rest...>>::type;
};

// What a prepared call keeps of argument number Position among those that are no tensors: of an axis an integer.
template <class T, std::size_t ValuePosition, std::size_t Position, class Argument>
constexpr auto keep_argument(const Argument& argument) {
  if constexpr (Position == ValuePosition) {
    return kept_value<T>(argument);
  } else if constexpr (std::is_same_v<Argument, axis_argument>) {
    return argument.list.size() > 0 ? argument.list[0] : std::int64_t{0};
  } else if constexpr (index_integer<Argument>) {
    return saturate(argument);
  } else {
    return argument;
  }
}
template <class T, std::size_t ValuePosition, std::size_t Position, class Argument>
using kept_argument = decltype(keep_argument<T, ValuePosition, Position>(std::declval<const Argument&>()));

// The arguments of a call in the operator's order: 0 is data, 1 the indices, 2 updates, 3 + i entry i of the others, of
// which the one at position Left is not used.
template <const operation& Op, bool HasIndices, std::size_t Others, std::size_t Left>
constexpr auto order_of_arguments() noexcept {
  std::array<std::size_t, 2 + (HasIndices ? 1 : 0) + Others - (Left < Others ? 1 : 0)> order{};
  std::size_t found = 0;
  std::size_t next = 0;
  const auto take_next = [&] {
    if (next == Left) ++next;
    if (next < Others) order[found++] = 3 + next++;
  };
  for (const role each : Op.arguments) {
    if (each == role::data) order[found++] = 0;
    if (is_of_indices(each) && HasIndices) order[found++] = 1;
    if (each == role::updates || each == role::value) order[found++] = 2;
    if (!is_of_tensor(each) && each != role::none) take_next();
  }
  while (found < order.size()) take_next();  // too many
  return order;
}
// Calls body with the tensors and a tuple of the other arguments of a call, in the operator's order.
template <class Operator, std::size_t Left = call_form::none, class Body, class Data, class Indices, class Updates,
          class... Others>
constexpr auto call_in_order(const Body& body, const Data& data, const Indices& indices, const Updates& updates,
                             const std::tuple<Others...>& others) {
  constexpr bool has_indices = Operator::form.has_indices && !std::is_same_v<Indices, no_operand>;
  constexpr auto order = order_of_arguments<Operator::op, has_indices, sizeof...(Others), Left>();
  const auto all = std::tuple_cat(std::tuple<const Data&, const Indices&, const Updates&>(data, indices, updates),
                                  std::apply([](const auto&... each) { return std::tie(each...); }, others));
  return [&]<std::size_t... Place>(std::index_sequence<Place...>) {
    return body(std::get<order[Place]>(all)...);
  }
  (std::make_index_sequence<order.size()>{});
}

// For call_in_order: the types of the arguments, to find mistakes.
struct find_types {
  template <class... Inputs>
  constexpr type_list<Inputs...> operator()(const Inputs&...) const noexcept {
    return {};
  }
};
// Index: the type of the indices, alone or as indices_with_policy, or void.
template <class T, class Index, class Operator>
struct mistake_of_prepared_call {
  using bare = bare_indices<Index>;
  static constexpr index_policy policy = policy_of<Index>;
  using view_of_indices = tensor_view<const std::conditional_t<std::is_void_v<bare>, char, bare>>;
  using views = std::conditional_t<Operator::form.takes_tensors, std::span<const view_of_indices>, view_of_indices>;
  using indices = std::conditional_t<Operator::form.has_indices && !std::is_void_v<bare>,
                                     decltype(wrapped_as<Index>(std::declval<const views&>())), no_operand>;

  template <class Updates, class... Rest>
  static constexpr mistake find_in_order() noexcept {
    using inputs = decltype(call_in_order<Operator>(find_types{}, std::declval<const tensor_view<const T>&>(),
                                                    std::declval<const indices&>(), std::declval<const Updates&>(),
                                                    std::declval<const std::tuple<const Rest&...>&>()));
    return find_mistake_of_inputs<Operator, true, tensor_view<T>>(inputs{});
  }
  template <class... Given>
  static constexpr mistake find() noexcept {
    constexpr std::size_t at = find_value_position<T, Operator, Given...>();
    constexpr bool needs_value = !Operator::form.has_updates;
    constexpr bool needs_axis = Operator::form.others_before_updates > 0;
    if constexpr (std::is_const_v<T> || std::is_const_v<bare>) {
      return mistake::const_of_prepared;
    } else if constexpr (policy != index_policy::error && !Operator::form.has_indices) {
      return mistake::layouts_of_prepared;
    } else if constexpr (Operator::form.has_indices && std::is_void_v<bare> && !Operator::op.may_omit_indices) {
      return mistake::types_of_prepared;
    } else if constexpr ((needs_axis && sizeof...(Given) == 0) || (needs_value && at == call_form::none)) {
      return mistake::missing_argument_of_prepared;
    } else if constexpr (Operator::form.has_option && (is_name<Given, tensor_view<T>>() || ...)) {
      return mistake::string_as_reduction;
    } else if constexpr (constexpr std::size_t converted = find_converted_position<Given...>();
                         converted != call_form::none) {
      using updates = converted_updates<tensor_view<const typename prepared_updates<T, Given...>::type>>;
      return at != call_form::none
                 ? mistake::nothing_to_convert
                 : find_without<updates, converted, Given...>(std::make_index_sequence<sizeof...(Given) - 1>{});
    } else if constexpr (at == call_form::none) {
      return find_in_order<tensor_view<const T>, Given...>();
    } else {
      using value = std::conditional_t<is_kept_value<type_at<at, Given...>>, T, type_at<at, Given...>>;
      return find_without<value, at, Given...>(std::make_index_sequence<sizeof...(Given) - 1>{});
    }
  }
  template <class Value, std::size_t At, class... Given, std::size_t... Position>
  static constexpr mistake find_without(std::index_sequence<Position...>) noexcept {
    return find_in_order<Value, type_at<(Position < At ? Position : Position + 1), Given...>...>();
  }
};

// Scatters on one axis without options, whose dense plans are kept.
template <class Operator>
concept has_dense_plan = Operator::op.has(role::axis_options);

template <class Operator, class Index>
inline constexpr bool has_bound_indices = Operator::form.has_indices && !std::is_void_v<bare_indices<Index>>;

template <class T, class First>
inline constexpr bool is_address_of = std::is_convertible_v<First, const T*>;

// The mistake in the first argument of a run: an executor, or the address of data.
template <class T, class First>
constexpr mistake find_mistake_of_first() noexcept {
  using bare = std::remove_cvref_t<First>;
  constexpr bool is_tensor = is_view<bare> || is_external_tensor<First>;
  return is_address_of<T, First> || executor<First> ? mistake::none
         : std::is_class_v<bare> && !is_tensor      ? mistake::no_executor
                                                    : mistake::address_of_data;
}
// The mistake in the address of what is written: the output, or data in place.
template <class T, class Given>
constexpr mistake find_mistake_of_written(bool is_in_place) noexcept {
  return std::is_convertible_v<Given, T*> ? mistake::none
         : !is_address_of<T, Given>       ? mistake::address_of_output
         : is_in_place                    ? mistake::const_data
                                          : mistake::const_output;
}

// The addresses of the operands of a call. Update: the type of its updates.
template <class T, class Operator, class Index, bool HasUpdates, class Update = T>
struct operand_addresses {
  static constexpr bool has_indices = has_bound_indices<Operator, Index>;
  static constexpr bool has_tensors = Operator::form.takes_tensors;
  using one_index = const std::conditional_t<has_indices, bare_indices<Index>, char>*;
  using index_address = std::conditional_t<has_tensors, std::span<const one_index>, one_index>;

  const T* data = nullptr;
  index_address indices{};
  const Update* updates = nullptr;
  T* output = nullptr;

  template <class Given>
  static constexpr mistake find_mistake_of_indices() noexcept {
    return std::is_convertible_v<Given, index_address> ? mistake::none
           : has_tensors                               ? mistake::addresses_of_tensors
           : Operator::form.has_mask                   ? mistake::address_of_mask
                                                       : mistake::address_of_indices;
  }

  // The addresses from arguments in the order of a call: data, indices (if any and not bound), updates (if any), output
  // (if not in place). They are converted as an initialiser is, never cast: a cast takes any pointer.
  template <bool AreBound, class... Addresses>
  static constexpr operand_addresses take(Addresses&&... given) noexcept {
    constexpr std::size_t named = has_indices && !AreBound ? 1 : 0;
    constexpr std::size_t most = 2 + named + (HasUpdates ? 1 : 0);
    constexpr bool is_in_place = sizeof...(given) + 1 == most;
    operand_addresses result;
    if constexpr (explain<none_if(sizeof...(given) == most || is_in_place, mistake::addresses_of_prepared)>()) {
      constexpr std::size_t written = is_in_place ? 0 : most - 1;
      if constexpr (explain<find_mistake<named, written, Addresses...>()>()) {
        const std::tuple<Addresses&...> all(given...);
        result.data = std::get<0>(all);
        if constexpr (named == 1) result.indices = std::get<1>(all);
        if constexpr (HasUpdates) result.updates = std::get<1 + named>(all);
        result.output = std::get<written>(all);
      }
    }
    return result;
  }

 private:
  template <std::size_t Named, std::size_t Written, class... Addresses>
  static constexpr mistake find_mistake() noexcept {
    if (!is_address_of<T, type_at<0, Addresses...>>) return mistake::address_of_data;
    if constexpr (Named == 1) {
      if (constexpr mistake found = find_mistake_of_indices<type_at<1, Addresses...>>(); found != mistake::none) {
        return found;
      }
    }
    if constexpr (HasUpdates) {
      if (!is_address_of<Update, type_at<1 + Named, Addresses...>>) return mistake::address_of_updates;
    }
    return find_mistake_of_written<T, type_at<Written, Addresses...>>(Written == 0);
  }
};

// The layouts of a call in the order of its operator: data, indices (or a mask), updates, output. Without the last one
// the call is in place.
constexpr bool name_layouts(const char* operation, bool has_indices, bool has_updates,
                            std::span<const strided_layout> given, operand_layouts& named, status& error) noexcept {
  const std::size_t indices = has_indices ? 1 : 0;
  const std::size_t most = 2 + indices + (has_updates ? 1 : 0);
  if (given.size() != most && given.size() + 1 != most) {
    return refuse(error, errc::count_mismatch, operation, "layouts", " has {0} entries, expected {1} or {2}",
                  {saturate(given.size()), saturate(most - 1), saturate(most)});
  }
  named.data = given[0];
  if (has_indices) named.indices = given[1];
  if (has_updates) named.updates = given[1 + indices];
  named.output = given[given.size() == most ? most - 1 : 0];
  return true;
}

// The mistake in a prepared call with Count layouts; 0 if the layouts are a struct.
template <class T, class Index, class Operator, std::size_t Count, class... Rest>
constexpr mistake find_mistake_of_prepared() noexcept {
  constexpr mistake found = mistake_of_prepared_call<T, Index, Operator>::template find<Rest...>();
  constexpr bool has_value = find_value_position<T, Operator, Rest...>() != call_form::none;
  constexpr std::size_t most = 2 + (has_bound_indices<Operator, Index> ? 1 : 0) + (has_value ? 0 : 1);
  constexpr bool is_right = Count == 0 || Count == most || Count + 1 == most;
  return found == mistake::none && !is_right ? mistake::layouts_of_prepared : found;
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_FRONT_PREPARED_ARGUMENTS_HPP
