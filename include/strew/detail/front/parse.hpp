// SPDX-License-Identifier: Apache-2.0
// The operators: from the arguments of a call, by their roles, to its operands. One parser for all of them.
#ifndef STREW_DETAIL_FRONT_PARSE_HPP
#define STREW_DETAIL_FRONT_PARSE_HPP

#include <strew/config.hpp>
#include <strew/detail/constant_evaluation.hpp>
#include <strew/detail/front/argument_types.hpp>
#include <strew/detail/front/descriptor.hpp>
#include <strew/detail/front/element_value.hpp>
#include <strew/detail/front/operands.hpp>
#include <strew/detail/front/operators.hpp>
#include <strew/detail/front/shapes.hpp>
#include <strew/detail/front/submit.hpp>
#include <strew/detail/front/typed_indices.hpp>
#include <strew/detail/rules/check_operands.hpp>
#include <strew/detail/rules/operation.hpp>
#include <strew/detail/rules/targets.hpp>
#include <strew/detail/typed/reduction_step.hpp>
#include <strew/operators/reduction.hpp>
#include <strew/status.hpp>
#include <strew/view/index.hpp>
#include <strew/view/index_list.hpp>
#include <strew/view/integer.hpp>
#include <strew/view/layout.hpp>
#include <strew/view/tensor_view.hpp>

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// ---- Arguments by their roles

// The type of options, which may be braced.
template <role Options>
struct options_of {};
template <>
struct options_of<role::axis_options> {
  using options = axis_argument;
};
constexpr role options_role(const operation& of) noexcept {
  for (const role each : of.arguments) {
    if (is_options(each)) return each;
  }
  return role::none;
}

// Whether an argument, a view if it is a tensor, can have a role.
template <role As, role Options, class Argument>
constexpr bool can_be() noexcept {
  if constexpr (As == role::axis || As == role::index || As == role::offset || As == role::first_axis ||
                As == role::second_axis) {
    return index_integer<Argument>;
  } else if constexpr (As == role::reduction) {
    return reduction_like<Argument> && !index_integer<Argument>;
  } else if constexpr (As == role::positions) {
    return has_positions<Argument>;
  } else if constexpr (As == role::factor) {
    return is_factor<Argument>;
  } else if constexpr (As == role::axis_options) {
    return std::is_same_v<Argument, axis_argument> || index_integer<Argument>;  // as prepared calls keep it
  } else if constexpr (Options != role::none) {
    return std::is_same_v<Argument, typename options_of<Options>::options> == is_options(As);
  } else {
    return As != role::none;
  }
}

// The numbers of the arguments with the roles of an operator.
struct argument_places {
  std::size_t of[operation::most] = {};
  bool are_right = false;  // whether there is one for each role that is not optional, and no other one
};
template <const operation& Op, class Argument, std::size_t... Place>
constexpr void find_roles(bool* can, std::index_sequence<Place...>) noexcept {
  ((can[Place] = can_be<Op.arguments[Place], options_role(Op), Argument>()), ...);
}
template <const operation& Op, class... Inputs>
constexpr argument_places find_places() noexcept {
  bool can[sizeof...(Inputs) + 1][operation::most] = {};
  std::size_t count = 0;
  (find_roles<Op, Inputs>(can[count++], std::make_index_sequence<operation::most>{}), ...);
  argument_places found;
  std::size_t next = 0;
  for (std::size_t place = 0; place < operation::most; ++place) {
    found.of[place] = no_argument;
    const role as = Op.arguments[place];
    if (as == role::none) continue;
    if (next < count && can[next][place]) {
      found.of[place] = next++;
    } else if (!Op.is_optional(as)) {
      return found;
    }
  }
  found.are_right = next == count;
  return found;
}
template <const operation& Op, class... Inputs>
inline constexpr argument_places places_of = find_places<Op, Inputs...>();

template <const operation& Op, class Call, class... Inputs>
struct given_arguments {
  static constexpr const operation& op = Op;

  const Call& call;
  argument_list<std::index_sequence_for<Inputs...>, Inputs...> all;

  // The number of the argument with one of two roles; no_argument if it was left out.
  static constexpr std::size_t number_of(role as, role or_as) noexcept {
    const std::size_t place = Op.place_of(as, or_as);
    return place == no_argument ? no_argument : places_of<Op, Inputs...>.of[place];
  }
  static constexpr bool has(role as) noexcept { return number_of(as, as) != no_argument; }
  template <role As, role OrAs = As>
  [[nodiscard]] constexpr const auto& get() const noexcept {
    return take<number_of(As, OrAs)>(all);
  }
  [[nodiscard]] constexpr const auto& data() const noexcept { return get<role::data>(); }
  [[nodiscard]] constexpr const auto& updates() const noexcept { return get<role::updates, role::value>(); }
  // 0 if it was left out. A list is not copied: a copy of a value of 2^63 or more is printed as the largest integer.
  [[nodiscard]] constexpr decltype(auto) axis() const noexcept {
    if constexpr (has(role::axis)) {
      return index_list(get<role::axis>());
    } else if constexpr (!has(role::axis_options)) {
      return index_list(0);
    } else if constexpr (index_integer<std::remove_cvref_t<decltype(get<role::axis_options>())>>) {
      return index_list(get<role::axis_options>());
    } else {
      return (get<role::axis_options>().list);
    }
  }
};

// ---- From arguments to operands

// The role of the argument by which an operator addresses its targets. Each has an overload of submit_by, beside its
// way_of: in submit_indices.hpp, submit_reductions.hpp (also for plain operators with indices that wrap, or several
// tensors of them), submit_slices.hpp, submit_masks.hpp or submit_caches.hpp, of which an operator's header includes
// one.
constexpr role addressing_role(const operation& of) noexcept {
  for (const role each : {role::indices, role::tensors, role::mask, role::slice_options, role::index, role::offset}) {
    if (each == role::indices && of.has(role::cache_options)) return role::cache_options;
    if (of.has(each)) return each;
  }
  return role::none;
}
template <role>
struct by_role {};

// ---- The operators

// The type `operator_type` of the objects of an operator.
template <const operation& Op>
struct described : options_of<options_role(Op)> {
  static_assert(Op.combines == reduction_kind::none || Op.reductions.contains(Op.combines),
                "tensors of run-time types take the reductions of this set alone");

  static constexpr const operation& op = Op;
  static constexpr call_form form{Op};
  using shapes = shapes_by<addressing_role(Op), Op>;

  template <class Call, class... Inputs>
    requires(places_of<Op, Inputs...>.are_right)
  static constexpr void run(const Call& call, const Inputs&... inputs) {
    using given_type = given_arguments<Op, Call, Inputs...>;
    const given_type given{call, {{inputs}...}};
    constexpr by_role<addressing_role(Op)> by;
    using element = std::remove_const_t<view_element<std::remove_cvref_t<decltype(given.data())>>>;
    if constexpr (given_type::has(role::factor)) {
      const auto& number = as_number<element>(given.template get<role::factor>().alpha);
      bool fits = true;
      const scaled_sum<element> reduce{to_element<element>(number, fits)};
      if (!fits && !refuse_value<element>(form.name, "alpha", printed_value(number), call.error)) {
        return end_refused(given.data(), form.name, call.error);
      }
      submit_by(by, given, reduce);
    } else if constexpr (given_type::has(role::reduction)) {
      const auto& reduce = given.template get<role::reduction>();
      using asked = std::remove_cvref_t<decltype(reduce)>;
      using used = std::conditional_t<is_dynamic_element<element>, asked, reduction_for<element, asked>>;
      if constexpr (std::is_same_v<used, asked>) {
        submit_by(by, given, reduce);
      } else {
        submit_by(by, given, used{});
      }
    } else if constexpr (given_type::has(role::positions)) {
      submit_by(by, given, given.template get<role::positions>());
    } else {
      submit_by(by, given, reduction_of<Op.combines>());
    }
  }
};

}  // namespace strew::detail

#endif  // STREW_DETAIL_FRONT_PARSE_HPP
