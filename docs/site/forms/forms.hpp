// SPDX-License-Identifier: Apache-2.0
// Which calls of an operator compile: every choice of the arguments that may be left out, and what may stand in the
// place of an argument, asked of the compiler.
#ifndef STREW_DOCS_SITE_FORMS_FORMS_HPP
#define STREW_DOCS_SITE_FORMS_FORMS_HPP

#include <strew/dynamic.hpp>
#include <strew/strew.hpp>

#include <complex>
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace forms {

using strew::detail::mistake;
using strew::detail::type_list;

// An argument as documents write it, and a type of it. What may be left out has a default.
template <class T>
struct argument {
  using type = T;
  const char* name;
  const char* left_out = nullptr;  // what holds without it
};

template <class List>
inline constexpr bool is_empty_list = std::is_same_v<List, type_list<>>;
template <class Operator>
constexpr bool compiles(type_list<>) {
  return false;
}
template <class Operator, class First, class... Rest>
constexpr bool compiles(type_list<First, Rest...>) {
  using namespace strew::detail;
  using from_data = types_from_data<Operator, First, Rest...>;
  if constexpr (is_empty_list<from_data>) {
    return false;
  } else if constexpr (requires { typename Operator::options; }) {
    using options = const typename Operator::options&;
    constexpr bool has_options = std::is_same_v<First, options> || (std::is_same_v<Rest, options> || ...);
    if constexpr (has_options) {
      constexpr bool has_output = !std::is_same_v<type_at<sizeof...(Rest), First, Rest...>, options>;
      return mistake_in<Operator, has_output, First, Rest...> == mistake::none;
    } else if constexpr (find_missing_options<Operator>(from_data{}) != mistake::none) {
      return false;
    } else {
      return mistake_in<Operator, ends_with_output<Operator>(from_data{}), First, Rest...> == mistake::none;
    }
  } else {
    return mistake_in<Operator, ends_with_output<Operator>(from_data{}), First, Rest...> == mistake::none;
  }
}

template <class... Lists>
struct joined;
template <>
struct joined<> {
  using type = type_list<>;
};
template <class... First, class... Lists>
struct joined<type_list<First...>, Lists...> {
  template <class... Rest>
  static type_list<First..., Rest...> append(type_list<Rest...>);
  using type = decltype(append(typename joined<Lists...>::type{}));
};
template <std::size_t Mask, std::size_t... Position, class... T>
auto choose(std::index_sequence<Position...>, type_list<T...>) ->
    typename joined<std::conditional_t<(Mask >> Position) & 1, type_list<T>, type_list<>>...>::type;

// The types with U in the place of one.
template <std::size_t Place, class U, std::size_t... Position, class... T>
auto replace(std::index_sequence<Position...>, type_list<T...>)
    -> type_list<std::conditional_t<Position == Place, U, T>...>;
template <std::size_t Place, class U, class List, std::size_t Count>
using replaced = decltype(replace<Place, U>(std::make_index_sequence<Count>{}, List{}));

// ---- What is asked of each operator

using number = float;
using data_view = const strew::tensor_view<number>&;
using index_view = const strew::tensor_view<const std::int64_t>&;
using mask_view = const strew::tensor_view<const bool>&;
template <class T>
using view_of = const strew::tensor_view<T>&;

struct lambda {
  template <class T>
  constexpr T operator()(const T& current, const T&) const {
    return current;
  }
};

// The arguments with elements of another type.
template <class T, class Argument>
struct with_elements {
  using type = Argument;
};
template <class T>
struct with_elements<T, data_view> {
  using type = view_of<T>;
};
template <class T>
struct with_elements<T, const number&> {
  using type = const T&;
};
template <class T>
struct with_elements<T, const strew::scaled_by<number>&> {
  using type = const strew::scaled_by<T>&;
};
template <class Operator, class T, class... Arguments>
constexpr bool compiles_with_elements(type_list<Arguments...>) {
  return compiles<Operator>(type_list<typename with_elements<T, Arguments>::type...>{});
}

template <class Operator, class List>
std::string elements_of() {
  std::string found;
  const auto add = [&]<class T>(std::type_identity<T>, const char* name) {
    if (compiles_with_elements<Operator, T>(List{})) found += (found.empty() ? "" : ", ") + std::string(name);
  };
  add(std::type_identity<std::int32_t>{}, "integers");
  add(std::type_identity<float>{}, "floating point");
  add(std::type_identity<bool>{}, "bool");
  add(std::type_identity<std::complex<float>>{}, "complex");
  add(std::type_identity<std::string>{}, "std::string");
  return found;
}

template <class Operator, class List, std::size_t Count, std::size_t Place>
void print_reductions() {
  const auto add = [&]<class R>(std::type_identity<R>, const char* name) {
    using with_reduction = replaced<Place, const R&, List, Count>;
    const std::string found = elements_of<Operator, with_reduction>();
    if (!found.empty()) std::cout << "reduction\t" << name << '\t' << found << '\n';
  };
  namespace red = strew::reduction;
  add(std::type_identity<std::remove_cvref_t<decltype(red::none)>>{}, "none");
  add(std::type_identity<std::remove_cvref_t<decltype(red::sum)>>{}, "sum");
  add(std::type_identity<std::remove_cvref_t<decltype(red::sub)>>{}, "sub");
  add(std::type_identity<std::remove_cvref_t<decltype(red::prod)>>{}, "prod");
  add(std::type_identity<std::remove_cvref_t<decltype(red::min)>>{}, "min");
  add(std::type_identity<std::remove_cvref_t<decltype(red::max)>>{}, "max");
  add(std::type_identity<std::remove_cvref_t<decltype(red::mean)>>{}, "mean");
  add(std::type_identity<decltype(red::without_init(red::sum))>{}, "without_init(sum)");
  add(std::type_identity<decltype(red::without_init(red::mean))>{}, "without_init(mean)");
  add(std::type_identity<lambda>{}, "any callable");
}

// What may stand in the place of the indices.
template <class Operator, class List, std::size_t Count, std::size_t Place>
void print_indices() {
  std::string found;
  const auto add = [&]<class T>(std::type_identity<T>, const char* name) {
    if (compiles<Operator>(replaced<Place, T, List, Count>{})) found += (found.empty() ? "" : ", ") + std::string(name);
  };
  add(std::type_identity<view_of<const std::int8_t>>{}, "int8");
  add(std::type_identity<view_of<const std::int16_t>>{}, "int16");
  add(std::type_identity<view_of<const std::int32_t>>{}, "int32");
  add(std::type_identity<view_of<const std::int64_t>>{}, "int64");
  add(std::type_identity<view_of<const std::uint8_t>>{}, "uint8");
  add(std::type_identity<view_of<const std::uint16_t>>{}, "uint16");
  add(std::type_identity<view_of<const std::uint32_t>>{}, "uint32");
  add(std::type_identity<view_of<const std::uint64_t>>{}, "uint64");
  add(std::type_identity<view_of<const bool>>{}, "bool");
  add(std::type_identity<view_of<const char>>{}, "char");
  add(std::type_identity<view_of<const float>>{}, "float");
  if (!found.empty()) std::cout << "indices\t" << found << '\n';
}

template <class Operator, class List, std::size_t Count, std::size_t Place, class Bare>
void print_policies() {
  const auto add = [&]<class T>(std::type_identity<T>, const char* name) {
    if (compiles<Operator>(replaced<Place, const T&, List, Count>{})) std::cout << "policy\t" << name << '\n';
  };
  add(std::type_identity<decltype(strew::drop(std::declval<Bare>()))>{}, "drop");
  add(std::type_identity<decltype(strew::clip(std::declval<Bare>()))>{}, "clip");
  add(std::type_identity<decltype(strew::wrap(std::declval<Bare>()))>{}, "wrap");
  add(std::type_identity<decltype(strew::assume_valid(std::declval<Bare>()))>{}, "assume_valid");
}

template <class... T>
constexpr std::size_t required_mask(const argument<T>&... arguments) {
  std::size_t mask = 0, bit = 1;
  ((mask |= arguments.left_out == nullptr ? bit : 0, bit <<= 1), ...);
  return mask;
}

// The position of the last argument of a type, or how many there are.
template <class Wanted, class... T>
constexpr std::size_t place_of() {
  std::size_t place = sizeof...(T), k = 0;
  ((place = std::is_same_v<Wanted, T> ? k : place, ++k), ...);
  return place;
}

// Prints the calls of an operator and what stands in the place of its arguments: lines of fields between tabs.
//
//   operator   name
//   call       arguments, for each choice that compiles
//   executor   1 if each of them compiles with an executor first, and those alone
//   value      1 if one value may stand in the place of the updates
//   argument   name, what holds if it is left out (empty where it may not be)
//   indices    types of indices
//   policy     one that may stand around the indices
//   elements   kinds of element types
//   reduction  name, kinds of element types
//
// `IndexPlace` and `UpdatesPlace` count from data on; the reduction is the argument of type `Reduction`.
struct no_reduction {};
template <class Operator, std::size_t IndexPlace, std::size_t UpdatesPlace, class Reduction = no_reduction, class... T>
void print(const char* name, const argument<T>&... arguments) {
  using all = type_list<T...>;
  constexpr std::size_t count = sizeof...(T);
  constexpr std::index_sequence_for<T...> positions;
  std::cout << "operator\t" << name << '\n';
  const std::size_t required = required_mask(arguments...);
  const char* const names[] = {arguments.name...};
  bool alike = true;
  const auto one = [&]<std::size_t Mask>(std::integral_constant<std::size_t, Mask>) {
    using chosen = decltype(choose<Mask>(positions, all{}));
    using behind_executor = typename joined<type_list<const strew::serial_executor&>, chosen>::type;
    constexpr bool is_call = compiles<Operator>(chosen{});
    constexpr bool is_call_behind_executor = compiles<Operator>(behind_executor{});
    alike = alike && is_call == is_call_behind_executor;
    // Without a required argument another one stands in its place: the output, or a number for the updates.
    if (!is_call || (Mask & required) != required) return;
    std::string text;
    for (std::size_t k = 0; k < count; ++k) {
      if ((Mask >> k) & 1) text += (text.empty() ? "" : ", ") + std::string(names[k]);
    }
    std::cout << "call\t" << text << '\n';
  };
  [&]<std::size_t... Mask>(std::index_sequence<Mask...>) {
    (one(std::integral_constant<std::size_t, Mask>{}), ...);
  }
  (std::make_index_sequence<(std::size_t{1} << count)>{});
  std::cout << "executor\t" << (alike ? "1" : "0") << '\n';
  (static_cast<void>(std::cout << "argument\t" << arguments.name << '\t'
                               << (arguments.left_out != nullptr ? arguments.left_out : "") << '\n'),
   ...);
  if constexpr (UpdatesPlace < count) {
    std::cout << "value\t" << (compiles<Operator>(replaced<UpdatesPlace, const int&, all, count>{}) ? "1" : "0")
              << '\n';
  }
  if constexpr (IndexPlace < count) {
    using bare = strew::detail::type_at<IndexPlace, T...>;
    print_indices<Operator, all, count, IndexPlace>();
    print_policies<Operator, all, count, IndexPlace, bare>();
  }
  // Where a reduction may be left out, elements are those of the call without it.
  constexpr std::size_t reduction_at = place_of<Reduction, T...>();
  constexpr std::size_t every = (std::size_t{1} << count) - 1;
  constexpr std::size_t without_reduction = every & ~(reduction_at < count ? std::size_t{1} << reduction_at : 0);
  std::cout << "elements\t" << elements_of<Operator, decltype(choose<without_reduction>(positions, all{}))>() << '\n';
  if constexpr (reduction_at < count) print_reductions<Operator, all, count, reduction_at>();
}

}  // namespace forms

#endif  // STREW_DOCS_SITE_FORMS_FORMS_HPP
