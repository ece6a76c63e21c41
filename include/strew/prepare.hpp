// SPDX-License-Identifier: Apache-2.0
// Prepared calls: an operator whose operands have the same layouts in every call, checked and planned once.
#ifndef STREW_PREPARE_HPP
#define STREW_PREPARE_HPP

#include <strew/config.hpp>
#include <strew/detail/front/argument_types.hpp>
#include <strew/detail/front/operands.hpp>
#include <strew/detail/front/operators.hpp>
#include <strew/detail/front/prepared_arguments.hpp>
#include <strew/detail/mistakes.hpp>
#include <strew/execution/prepared_scatter.hpp>
#include <strew/status.hpp>
#include <strew/view/element.hpp>
#include <strew/view/index.hpp>
#include <strew/view/integer.hpp>
#include <strew/view/layout.hpp>
#include <strew/view/operand_layouts.hpp>

#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>

namespace strew::inline STREW_ABI {

namespace detail::inline STREW_CODE {

template <class T, class Index, class Operator, class Positions, class... Rest>
struct prepared_type;
template <class T, class Index, class Operator, std::size_t... Position, class... Rest>
struct prepared_type<T, Index, Operator, std::index_sequence<Position...>, Rest...> {
  using type = prepared_scatter<T, Index, Operator,
                                kept_argument<T, find_value_position<T, Operator, Rest...>(), Position, Rest>...>;
};
template <class T, class Index, class Operator, class... Rest>
using prepared_call = typename prepared_type<T, Index, Operator, std::index_sequence_for<Rest...>, Rest...>::type;

// Makes a call whose types were checked of layouts in any form.
template <class T, class Index, class Operator, class... Kept, class Layouts, class... Rest>
constexpr status make_prepared(const Layouts& layouts, prepared_scatter<T, Index, Operator, Kept...>& result,
                               const Rest&... rest) {
  using prepared_type = prepared_scatter<T, Index, Operator, Kept...>;
  if constexpr (std::is_convertible_v<const Layouts&, const typename prepared_type::layouts_type&>) {
    return result.try_make(layouts, result, rest...);
  } else {
    constexpr bool has_updates = find_value_position<T, Operator, Rest...>() == call_form::none;
    operand_layouts named;
    status error;
    if (!name_layouts(Operator::form.name, has_bound_indices<Operator, Index>, has_updates, layouts, named, error)) {
      return error;
    }
    return result.try_make(named, result, rest...);
  }
}
template <class T, class Index, class Operator, class Layouts, class... Rest>
constexpr auto prepare_call(const Layouts& layouts, const Rest&... rest) {
  prepared_call<T, Index, Operator, Rest...> result;
  raise_if_error(make_prepared(layouts, result, rest...));
  return result;
}
template <std::size_t Count, class T, class Index, class Operator, class... Kept, class Layouts, class... Rest>
constexpr status try_prepare_call(const Layouts& layouts, prepared_scatter<T, Index, Operator, Kept...>& result,
                                  const Rest&... rest) {
  if constexpr (explain<find_mistake_of_prepared<T, Index, Operator, Count, Rest...>()>()) {
    return make_prepared(layouts, result, rest...);
  }
}

// Whether the layouts are followed by options, which may be braced, or by other arguments.
template <class Operator>
concept takes_options = requires {
  typename Operator::options;
};
template <class Operator>
concept takes_tensors = Operator::form.takes_tensors;
// Layouts with a list of those of the indices, or with a policy, or both.
template <class Operator, index_policy Policy>
using other_layouts = std::conditional_t<
    !takes_tensors<Operator>, layouts_with_policy<Policy>,
    std::conditional_t<Policy == index_policy::error, layouts_with_tensors, layouts_with_tensors_and_policy<Policy>>>;
// Those for an index type, which may be segments_by<..>.
template <class Operator, class Index>
using layouts_by_index =
    std::conditional_t<are_segments<Index>, layouts_with_segments, other_layouts<Operator, policy_of<Index>>>;
template <class Operator, class Index>
concept takes_other_layouts = takes_tensors<Operator> || are_segments<Index> || policy_of<Index>
!= index_policy::error;

template <index_policy Policy, class T, class Index, class Operator, class... Rest>
constexpr auto prepare_with_policy(const other_layouts<Operator, Policy>& layouts, const Rest&... rest) {
  using indices = indices_with_policy<Policy, Index>;
  if constexpr (explain<find_mistake_of_prepared<T, indices, Operator, 0, Rest...>()>()) {
    return prepare_call<T, indices, Operator>(layouts, rest...);
  }
}

template <class Argument>
concept follows_options = has_positions<Argument> || !std::is_void_v<typename converted_type_of<Argument>::type>;

// The type of a prepared call; options may be left out of Rest.
template <class T, class Index, class Operator, class... Rest>
struct named_prepared_type {
  using type = prepared_call<T, Index, Operator, Rest...>;
};
template <class T, class Index, takes_options Operator>
struct named_prepared_type<T, Index, Operator> {
  using type = prepared_call<T, Index, Operator, typename Operator::options>;
};
template <class Scatter>
using operator_of = typename std::remove_cvref_t<Scatter>::operator_type;

}  // namespace detail

// The type that strew::prepare returns, for members: strew::prepared<float, int, strew::scatter_update>. `Rest`: the
// types of the arguments that are not tensors, without options; std::int64_t for an axis.
template <element T, class Index, const auto& Scatter, class... Rest>
using prepared = typename detail::named_prepared_type<T, Index, detail::operator_of<decltype(Scatter)>, Rest...>::type;

// Checks and plans a call of any operator once, to run it on many sets of operands:
//
//   const auto update = strew::prepare<float, std::int64_t>(
//       strew::scatter_update, {data.layout(), indices.layout(), updates.layout(), output.layout()}, axis);
//   for (..) update.run(data.data(), indices.data(), updates.data(), output.data());
//
//   std::vector<std::byte> memory(update.bound_bytes());
//   const auto bound = update.bind(indices.data(), memory);  // if the indices stay the same, too
//   for (..) bound.run(data.data(), updates.data(), output.data());
//
// The layouts are those of data, indices, updates and output; without the last one the call is in place. They are
// followed by the arguments of the operator that are not tensors, in its order: axis, reduction, scaled_by, slice,
// options, value. The view of reduction::with_positions is kept: each run writes its numbers there. One value for all
// targets has no layout; the type of such elements needs a default constructor. So does a callable, and an assignment:
// a lambda with captures has neither. For a mask, its layout takes the place of the indices', and Index is its element
// type. Operators without indices have neither that layout nor Index. With layouts of these names:
//
//   strew::prepare<float>(strew::slice_scatter, {data, updates, output}, {.start = 2, .stop = 5, .step = 1})
//   strew::prepare<float, bool>(strew::masked_fill, {data, mask}, 0.5F)
//   strew::prepare<float, int>(strew::index_add, {bins, samples}, 0, 1)
//   strew::prepare<float, int>(strew::index_put, {data, {indices0, indices1}, values, output}, strew::reduction::sum)
//
//   strew::prepare<float, int>(strew::index_add, {data, strew::drop(indices), updates}, 0)
//   strew::prepare<float, int>(strew::index_put, {data, strew::drop(std::array{indices0, indices1}), values})
//   strew::prepare<float, int>(strew::index_add, {sums, strew::segments(offsets), values}, 0)
//   strew::prepare<float, int>(strew::index_add, {sums, rows, doubles}, 0, strew::converted_from<double>)
//
// A run has the result of the operator's call. Throws scatter_error: those errors of the operator that depend neither
// on addresses nor on the values of indices, and size_overflow for a layout that was made for smaller elements.
// O(rank), no heap.
template <element T, class Index = void, class Operator, std::size_t Count, class... Rest>
  requires(!detail::takes_options<Operator> && !detail::takes_tensors<Operator>)
STREW_KEYED [[nodiscard]] constexpr auto prepare(const detail::throwing<Operator>&,
                                                 const strided_layout (&layouts)[Count], const Rest&... rest) {
  if constexpr (detail::explain<detail::find_mistake_of_prepared<T, Index, Operator, Count, Rest...>()>()) {
    return detail::prepare_call<T, Index, Operator>(std::span<const strided_layout>(layouts), rest...);
  }
}
template <element T, class Index = void, detail::takes_options Operator, std::size_t Count>
STREW_KEYED [[nodiscard]] constexpr auto prepare(const detail::throwing<Operator>&,
                                                 const strided_layout (&layouts)[Count],
                                                 const typename Operator::options& options) {
  using chosen = typename Operator::options;
  if constexpr (detail::explain<detail::find_mistake_of_prepared<T, Index, Operator, Count, chosen>()>()) {
    return detail::prepare_call<T, Index, Operator>(std::span<const strided_layout>(layouts), options);
  }
}
// With a single value for all targets, which precedes the options.
template <element T, class Index = void, detail::takes_options Operator, std::size_t Count, class Value>
STREW_KEYED [[nodiscard]] constexpr auto prepare(const detail::throwing<Operator>&,
                                                 const strided_layout (&layouts)[Count], const Value& value,
                                                 const typename Operator::options& options) {
  using chosen = typename Operator::options;
  if constexpr (detail::explain<detail::find_mistake_of_prepared<T, Index, Operator, Count, Value, chosen>()>()) {
    return detail::prepare_call<T, Index, Operator>(std::span<const strided_layout>(layouts), value, options);
  }
}
// With reduction::with_positions or converted_from, which follow the options.
template <element T, class Index = void, detail::takes_options Operator, std::size_t Count, class Positions>
requires detail::follows_options<Positions> STREW_KEYED [[nodiscard]] constexpr auto prepare(
    const detail::throwing<Operator>&, const strided_layout (&layouts)[Count],
    const typename Operator::options& options, const Positions& positions) {
  using chosen = typename Operator::options;
  if constexpr (detail::explain<detail::find_mistake_of_prepared<T, Index, Operator, Count, chosen, Positions>()>()) {
    return detail::prepare_call<T, Index, Operator>(std::span<const strided_layout>(layouts), options, positions);
  }
}
template <element T, class Index = void, detail::takes_options Operator, std::size_t Count, class Value,
          class Positions>
requires detail::follows_options<Positions> STREW_KEYED [[nodiscard]] constexpr auto prepare(
    const detail::throwing<Operator>&, const strided_layout (&layouts)[Count], const Value& value,
    const typename Operator::options& options, const Positions& positions) {
  using chosen = typename Operator::options;
  if constexpr (detail::explain<
                    detail::find_mistake_of_prepared<T, Index, Operator, Count, Value, chosen, Positions>()>()) {
    return detail::prepare_call<T, Index, Operator>(std::span<const strided_layout>(layouts), value, options,
                                                    positions);
  }
}
// With the layouts as a struct.
template <element T, class Index, detail::takes_options Operator, class Layouts>
requires std::is_same_v<Layouts, operand_layouts> STREW_KEYED [[nodiscard]] constexpr auto prepare(
    const detail::throwing<Operator>&, const Layouts& layouts, const typename Operator::options& options) {
  if constexpr (detail::explain<
                    detail::find_mistake_of_prepared<T, Index, Operator, 0, typename Operator::options>()>()) {
    return detail::prepare_call<T, Index, Operator>(layouts, options);
  }
}
template <element T, class Index = void, detail::takes_tensors Operator, class... Rest>
STREW_KEYED [[nodiscard]] constexpr auto prepare(const detail::throwing<Operator>&, const layouts_with_tensors& layouts,
                                                 const Rest&... rest) {
  if constexpr (detail::explain<detail::find_mistake_of_prepared<T, Index, Operator, 0, Rest...>()>()) {
    return detail::prepare_call<T, Index, Operator>(layouts, rest...);
  }
}
// With a policy for indices that are out of bounds. An axis is no list.
template <element T, class Index = void, class Operator, class... Rest>
STREW_KEYED [[nodiscard]] constexpr auto prepare(const detail::throwing<Operator>&,
                                                 const detail::other_layouts<Operator, index_policy::drop>& layouts,
                                                 const Rest&... rest) {
  return detail::prepare_with_policy<index_policy::drop, T, Index, Operator>(layouts, rest...);
}
template <element T, class Index = void, class Operator, class... Rest>
STREW_KEYED [[nodiscard]] constexpr auto prepare(const detail::throwing<Operator>&,
                                                 const detail::other_layouts<Operator, index_policy::clip>& layouts,
                                                 const Rest&... rest) {
  return detail::prepare_with_policy<index_policy::clip, T, Index, Operator>(layouts, rest...);
}
template <element T, class Index = void, class Operator, class... Rest>
STREW_KEYED [[nodiscard]] constexpr auto prepare(const detail::throwing<Operator>&,
                                                 const detail::other_layouts<Operator, index_policy::wrap>& layouts,
                                                 const Rest&... rest) {
  return detail::prepare_with_policy<index_policy::wrap, T, Index, Operator>(layouts, rest...);
}
template <element T, class Index = void, class Operator, class... Rest>
STREW_KEYED [[nodiscard]] constexpr auto prepare(
    const detail::throwing<Operator>&, const detail::other_layouts<Operator, index_policy::assume_valid>& layouts,
    const Rest&... rest) {
  return detail::prepare_with_policy<index_policy::assume_valid, T, Index, Operator>(layouts, rest...);
}

// By segments.
template <element T, class Index = void, class Operator, class... Rest>
STREW_KEYED [[nodiscard]] constexpr auto prepare(const detail::throwing<Operator>&,
                                                 const layouts_with_segments& layouts, const Rest&... rest) {
  using offsets = segments_by<Index>;
  if constexpr (detail::explain<detail::find_mistake_of_prepared<T, offsets, Operator, 0, Rest...>()>()) {
    return detail::prepare_call<T, offsets, Operator>(layouts, rest...);
  }
}

// Without types: a mistake.
template <class T = void, class Operator, class... Rest>
  requires(std::is_void_v<T> && !detail::takes_options<Operator>)
constexpr void prepare(const detail::throwing<Operator>&, const detail::any_layouts&, const Rest&...) {
  detail::explain<detail::none_if(!std::is_void_v<T>, detail::mistake::types_of_prepared)>();
}
template <class T = void, detail::takes_options Operator>
  requires std::is_void_v<T>
constexpr void prepare(const detail::throwing<Operator>&, const detail::any_layouts&,
                       const typename Operator::options&) {
  detail::explain<detail::none_if(!std::is_void_v<T>, detail::mistake::types_of_prepared)>();
}
template <class T = void, detail::takes_options Operator, class Value>
  requires std::is_void_v<T>
constexpr void prepare(const detail::throwing<Operator>&, const detail::any_layouts&, const Value&,
                       const typename Operator::options&) {
  detail::explain<detail::none_if(!std::is_void_v<T>, detail::mistake::types_of_prepared)>();
}

// As prepare, without exceptions: returns the error, and leaves `result` as it was then. The type of `result`
// determines the arguments between the layouts and it.
template <element T, class Index, class Operator, std::size_t Count, class... Kept>
  requires(!detail::takes_tensors<Operator>)
STREW_KEYED constexpr status try_prepare(
    const detail::throwing<Operator>&, const strided_layout (&layouts)[Count],
    prepared_scatter<T, Index, Operator, Kept...>& result) requires(sizeof...(Kept) == 0) {
  return detail::try_prepare_call<Count>(std::span<const strided_layout>(layouts), result);
}
template <element T, class Index, class Operator, std::size_t Count, class A>
  requires(!detail::takes_tensors<Operator> && !detail::takes_options<Operator>)
STREW_KEYED constexpr status try_prepare(const detail::throwing<Operator>&, const strided_layout (&layouts)[Count],
                                         const std::type_identity_t<A>& a,
                                         prepared_scatter<T, Index, Operator, A>& result) {
  return detail::try_prepare_call<Count>(std::span<const strided_layout>(layouts), result, a);
}
template <element T, class Index, class Operator, std::size_t Count, class A, class B>
  requires(!detail::takes_tensors<Operator> && !detail::takes_options<Operator>)
STREW_KEYED constexpr status try_prepare(const detail::throwing<Operator>&, const strided_layout (&layouts)[Count],
                                         const std::type_identity_t<A>& a, const std::type_identity_t<B>& b,
                                         prepared_scatter<T, Index, Operator, A, B>& result) {
  return detail::try_prepare_call<Count>(std::span<const strided_layout>(layouts), result, a, b);
}
template <element T, class Index, class Operator, std::size_t Count, class A, class B, class C>
  requires(!detail::takes_tensors<Operator>)
STREW_KEYED constexpr status try_prepare(const detail::throwing<Operator>&, const strided_layout (&layouts)[Count],
                                         const std::type_identity_t<A>& a, const std::type_identity_t<B>& b,
                                         const std::type_identity_t<C>& c,
                                         prepared_scatter<T, Index, Operator, A, B, C>& result) {
  return detail::try_prepare_call<Count>(std::span<const strided_layout>(layouts), result, a, b, c);
}
template <element T, class Index, class Operator, std::size_t Count, class A, class B, class C, class D>
  requires(!detail::takes_tensors<Operator>)
STREW_KEYED constexpr status try_prepare(const detail::throwing<Operator>&, const strided_layout (&layouts)[Count],
                                         const std::type_identity_t<A>& a, const std::type_identity_t<B>& b,
                                         const std::type_identity_t<C>& c, const std::type_identity_t<D>& d,
                                         prepared_scatter<T, Index, Operator, A, B, C, D>& result) {
  return detail::try_prepare_call<Count>(std::span<const strided_layout>(layouts), result, a, b, c, d);
}
template <element T, class Index, detail::takes_options Operator, std::size_t Count, class A>
STREW_KEYED constexpr status try_prepare(const detail::throwing<Operator>&, const strided_layout (&layouts)[Count],
                                         const typename Operator::options& options,
                                         prepared_scatter<T, Index, Operator, A>& result) {
  return detail::try_prepare_call<Count>(std::span<const strided_layout>(layouts), result, options);
}
template <element T, class Index, detail::takes_options Operator, std::size_t Count, class V, class A>
STREW_KEYED constexpr status try_prepare(const detail::throwing<Operator>&, const strided_layout (&layouts)[Count],
                                         const std::type_identity_t<V>& value,
                                         const typename Operator::options& options,
                                         prepared_scatter<T, Index, Operator, V, A>& result) {
  return detail::try_prepare_call<Count>(std::span<const strided_layout>(layouts), result, value, options);
}
template <element T, class Index, detail::takes_options Operator, std::size_t Count, class A, class Positions>
requires detail::follows_options<Positions> STREW_KEYED constexpr status try_prepare(
    const detail::throwing<Operator>&, const strided_layout (&layouts)[Count],
    const typename Operator::options& options, const std::type_identity_t<Positions>& positions,
    prepared_scatter<T, Index, Operator, A, Positions>& result) {
  return detail::try_prepare_call<Count>(std::span<const strided_layout>(layouts), result, options, positions);
}
template <element T, class Index, detail::takes_options Operator, class Layouts, class A>
requires std::is_same_v<Layouts, operand_layouts> STREW_KEYED constexpr status try_prepare(
    const detail::throwing<Operator>&, const Layouts& layouts, const typename Operator::options& options,
    prepared_scatter<T, Index, Operator, A>& result) {
  return result.try_make(layouts, result, options);
}
// With a policy, or for index_put: by the type of `result`.
template <element T, class Index, class Operator, class... Kept>
  requires(detail::takes_other_layouts<Operator, Index> && sizeof...(Kept) == 0)
STREW_KEYED constexpr status try_prepare(const detail::throwing<Operator>&,
                                         const detail::layouts_by_index<Operator, Index>& layouts,
                                         prepared_scatter<T, Index, Operator, Kept...>& result) {
  return detail::try_prepare_call<0>(layouts, result);
}
template <element T, class Index, class Operator, class A>
requires detail::takes_other_layouts<Operator, Index> STREW_KEYED constexpr status try_prepare(
    const detail::throwing<Operator>&, const detail::layouts_by_index<Operator, Index>& layouts,
    const std::type_identity_t<A>& a, prepared_scatter<T, Index, Operator, A>& result) {
  return detail::try_prepare_call<0>(layouts, result, a);
}
template <element T, class Index, class Operator, class A, class B>
requires detail::takes_other_layouts<Operator, Index> STREW_KEYED constexpr status try_prepare(
    const detail::throwing<Operator>&, const detail::layouts_by_index<Operator, Index>& layouts,
    const std::type_identity_t<A>& a, const std::type_identity_t<B>& b,
    prepared_scatter<T, Index, Operator, A, B>& result) {
  return detail::try_prepare_call<0>(layouts, result, a, b);
}
template <element T, class Index, class Operator, class A, class B, class C>
requires detail::takes_other_layouts<Operator, Index> STREW_KEYED constexpr status try_prepare(
    const detail::throwing<Operator>&, const detail::layouts_by_index<Operator, Index>& layouts,
    const std::type_identity_t<A>& a, const std::type_identity_t<B>& b, const std::type_identity_t<C>& c,
    prepared_scatter<T, Index, Operator, A, B, C>& result) {
  return detail::try_prepare_call<0>(layouts, result, a, b, c);
}

}  // namespace strew

#endif  // STREW_PREPARE_HPP
