// SPDX-License-Identifier: Apache-2.0
// Operators whose operands keep their layouts from call to call, so that shapes are checked and planned once.
#ifndef STREW_PREPARE_HPP
#define STREW_PREPARE_HPP

#include <strew/config.hpp>
#include <strew/detail/front/back_end.hpp>
#include <strew/detail/front/layouts_alone.hpp>
#include <strew/detail/front/operands.hpp>
#include <strew/detail/front/operators.hpp>
#include <strew/detail/front/signature.hpp>
#include <strew/detail/mistakes.hpp>
#include <strew/detail/plan/dense_plan.hpp>
#include <strew/detail/plan/schedule.hpp>
#include <strew/detail/plan/scratch.hpp>
#include <strew/detail/rules/check_scatter.hpp>
#include <strew/execution/executor.hpp>
#include <strew/status.hpp>
#include <strew/view/element.hpp>
#include <strew/view/index.hpp>
#include <strew/view/index_list.hpp>
#include <strew/view/integer.hpp>
#include <strew/view/layout.hpp>
#include <strew/view/tensor_view.hpp>

#if !STREW_COMPILED
#include <strew/detail/kernels/run_schedule.hpp>
#endif

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>

namespace strew::inline STREW_ABI {

// How the operands of a prepared call lie in memory, in elements of their own. Operators without indices, and fills,
// whose updates are one value, leave the layout of these as it is.
struct operand_layouts {
  strided_layout data;
  strided_layout indices;  // or a mask
  strided_layout updates;
  strided_layout output;
};

// The same of index_put, whose indices are several tensors: a list of their layouts, in the order of the axes. Without
// the last layout the call is made in place. Where updates are one value they have no layout: {data, {..}, output}, or
// {data, {..}} in place.
class layouts_with_tensors {
 public:
  constexpr layouts_with_tensors() noexcept = default;
  STREW_KEYED constexpr layouts_with_tensors(const strided_layout& data,
                                             std::span<const strided_layout> indices) noexcept
      : layouts_with_tensors(data, indices, data) {}
  STREW_KEYED constexpr layouts_with_tensors(const strided_layout& data,
                                             std::initializer_list<strided_layout> indices) noexcept
      : layouts_with_tensors(data, indices, data) {}
  STREW_KEYED constexpr layouts_with_tensors(const strided_layout& data, std::span<const strided_layout> indices,
                                             const strided_layout& updates) noexcept
      : layouts_with_tensors(data, indices, updates, data) {
    has_output_ = false;
  }
  STREW_KEYED constexpr layouts_with_tensors(const strided_layout& data, std::initializer_list<strided_layout> indices,
                                             const strided_layout& updates) noexcept
      : layouts_with_tensors(data, std::span(indices.begin(), indices.size()), updates) {}
  STREW_KEYED constexpr layouts_with_tensors(const strided_layout& data, std::initializer_list<strided_layout> indices,
                                             const strided_layout& updates, const strided_layout& output) noexcept
      : layouts_with_tensors(data, std::span(indices.begin(), indices.size()), updates, output) {}
  STREW_KEYED constexpr layouts_with_tensors(const strided_layout& data, std::span<const strided_layout> indices,
                                             const strided_layout& updates, const strided_layout& output) noexcept
      : data_{data}, updates_{updates}, output_{output} {
    // More than there can be axes are refused.
    for (const strided_layout& one : indices) {
      if (count_ <= max_rank) indices_[count_++] = one;
    }
  }

  // Whether all are given.
  [[nodiscard]] constexpr bool has_output() const noexcept { return has_output_; }
  [[nodiscard]] constexpr const strided_layout& data() const noexcept { return data_; }
  [[nodiscard]] constexpr const strided_layout& updates() const noexcept { return updates_; }
  [[nodiscard]] constexpr const strided_layout& output() const noexcept { return output_; }
  [[nodiscard]] constexpr std::span<const strided_layout> indices() const noexcept {
    return {indices_, static_cast<std::size_t>(count_)};
  }

 private:
  strided_layout data_;
  strided_layout updates_;
  strided_layout output_;
  strided_layout indices_[max_rank + 1];
  int count_ = 0;
  bool has_output_ = true;
};

template <element T, class Index, class Operator, class... Rest>
class bound_scatter;

namespace detail::inline STREW_CODE {

// In the place of an operand that an operator does not have.
struct no_operand {};

// The value of a prepared call, for all targets.
template <class T>
class kept_value {
 public:
  constexpr kept_value() noexcept = default;
  template <class Value>
    requires(is_value_of<T, Value>() && !(std::is_floating_point_v<Value> && std::is_integral_v<T>))
  constexpr kept_value(const Value& value) : held_{as_element<T>(value)}, fits_{can_hold<T>(value)} {}

  [[nodiscard]] constexpr bool fits() const noexcept { return fits_; }
  [[nodiscard]] constexpr const T* data() const noexcept { return held_; }

 private:
  T held_[1]{};  // an array, since & may be overloaded
  bool fits_ = true;
};
template <class T>
constexpr bool can_hold(const kept_value<T>& value) noexcept {
  return value.fits();
}
template <class Argument>
inline constexpr bool is_kept_value = false;
template <class T>
inline constexpr bool is_kept_value<kept_value<T>> = true;

// Whether an argument beside the tensors is neither an option, such as a reduction, nor a value.
template <class Operator, class Argument>
constexpr bool is_required() noexcept {
  if constexpr (requires { typename Operator::options; }) {
    using options = typename Operator::options;  // an axis is kept as an integer
    return std::is_same_v<Argument, options> || (std::is_same_v<options, axis_argument> && index_integer<Argument>);
  } else {
    return index_integer<Argument>;
  }
}
// The position of a value among what a prepared call has beside its tensors, or signature::none.
template <class T, class Operator, class... Rest>
constexpr std::size_t find_value_position() noexcept {
  constexpr const signature& form = Operator::form;
  constexpr std::size_t position = form.order == tensor_order::axis_first ? 1 : 0;
  if constexpr (!form.takes_value || sizeof...(Rest) <= position) {
    return signature::none;
  } else {
    using argument = type_at<position, Rest...>;
    constexpr std::size_t required =
        (std::size_t{0} + ... + (is_kept_value<Rest> || is_value_of<T, Rest>() || is_required<Operator, Rest>()));
    constexpr bool is_value = is_kept_value<argument> || is_value_of<T, argument>();
    constexpr bool is_surely = !form.has_updates || is_kept_value<argument> || !is_required<Operator, argument>();
    return is_value && (is_surely || required > form.beside_tensors()) ? position : signature::none;
  }
}

// What a prepared call keeps of argument number Position that a call has beside its tensors: of an axis an integer.
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

// Calls body(rest...) with a tuple but for one position.
template <std::size_t Left, std::size_t... Position, class Tuple, class Body>
constexpr decltype(auto) apply_without(std::index_sequence<Position...>, const Tuple& all, const Body& body) {
  return body(std::get<(Position < Left ? Position : Position + 1)>(all)...);
}
template <std::size_t Left, class... T, class Body>
constexpr decltype(auto) apply_without(const std::tuple<T...>& all, const Body& body) {
  constexpr std::size_t count = sizeof...(T) - (Left < sizeof...(T) ? 1 : 0);
  return apply_without<Left>(std::make_index_sequence<count>{}, all, body);
}

// Calls body with the tensors of a call and what it has beside them, in the order of the operator's calls.
template <class Operator, class Body, class Data, class Indices, class Updates, class... Rest>
constexpr auto call_in_order(const Body& body, const Data& data, const Indices& indices, const Updates& updates,
                             const Rest&... rest) {
  constexpr const signature& form = Operator::form;
  if constexpr (form.order == tensor_order::axis_first) {
    if constexpr (sizeof...(Rest) > 0) {
      return [&](const auto& axis, const auto&... others) {
        return body(data, axis, indices, updates, others...);
      }(rest...);
    } else {
      return body(data, indices, updates);
    }
  } else if constexpr (!form.has_indices || std::is_same_v<Indices, no_operand>) {
    return body(data, updates, rest...);
  } else if constexpr (form.order == tensor_order::updates_first) {
    return body(data, updates, indices, rest...);
  } else {
    return body(data, indices, updates, rest...);
  }
}
template <class Operator, class Call, class... Arguments>
constexpr void run_in_order(const Call& call, const Arguments&... arguments) {
  call_in_order<Operator>([&](const auto&... inputs) { Operator::run(call, inputs...); }, arguments...);
}

// The same of types, for what the compiler says.
struct find_types {
  template <class... Inputs>
  constexpr type_list<Inputs...> operator()(const Inputs&...) const noexcept {
    return {};
  }
};
template <class T, class Index, class Operator>
struct mistake_of_prepared_call {
  using index = std::conditional_t<std::is_void_v<Index>, char, Index>;
  using view_of_indices = tensor_view<const index>;
  using indices = std::conditional_t<
      Operator::form.takes_tensors, std::span<const view_of_indices>,
      std::conditional_t<Operator::form.has_indices && !std::is_void_v<Index>, view_of_indices, no_operand>>;

  template <class Updates, class... Rest>
  static constexpr mistake find_in_order() noexcept {
    using inputs = decltype(call_in_order<Operator>(find_types{}, std::declval<const tensor_view<const T>&>(),
                                                    std::declval<const indices&>(), std::declval<const Updates&>(),
                                                    std::declval<const Rest&>()...));
    return find_mistake_of_inputs<Operator, true, tensor_view<T>>(inputs{});
  }
  template <class... Given>
  static constexpr mistake find() noexcept {
    constexpr std::size_t at = find_value_position<T, Operator, Given...>();
    constexpr bool needs_value = !Operator::form.has_updates;
    constexpr bool needs_axis = Operator::form.order == tensor_order::axis_first;
    if constexpr (std::is_const_v<T> || std::is_const_v<Index>) {
      return mistake::const_of_prepared;
    } else if constexpr ((needs_axis && sizeof...(Given) == 0) || (needs_value && at == signature::none) ||
                         (Operator::form.has_indices && !Operator::form.takes_tensors && std::is_void_v<Index> &&
                          Operator::form.order != tensor_order::updates_first)) {
      return mistake::missing_argument_of_prepared;
    } else if constexpr (Operator::form.has_option && (is_name<Given, tensor_view<T>>() || ...)) {
      return mistake::string_as_reduction;
    } else if constexpr (at == signature::none) {
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

// Scatters on one axis without options: their plans are kept.
template <class Operator>
concept has_dense_plan = requires {
  Operator::rules;
};

template <class Operator, class Index>
inline constexpr bool has_bound_indices = Operator::form.has_indices && !std::is_void_v<Index>;

// The addresses of operands of a call.
template <class T, class Operator, class Index, bool HasUpdates>
struct operand_addresses {
  static constexpr bool has_indices = has_bound_indices<Operator, Index>;
  static constexpr bool has_tensors = Operator::form.takes_tensors;
  using one_index = const std::conditional_t<has_indices, Index, char>*;
  using index_address = std::conditional_t<has_tensors, std::span<const one_index>, one_index>;

  const T* data = nullptr;
  index_address indices{};
  const T* updates = nullptr;
  T* output = nullptr;

  // Of arguments in the order of a call: data, indices (if any, and not bound), updates (if any), output (if not in
  // place).
  template <bool AreBound, class... Addresses>
  static constexpr operand_addresses take(const Addresses&... given) noexcept {
    constexpr std::size_t named = has_indices && !AreBound ? 1 : 0;
    constexpr std::size_t most = 2 + named + (HasUpdates ? 1 : 0);
    constexpr bool has_all = sizeof...(given) == most || sizeof...(given) + 1 == most;
    operand_addresses result;
    if constexpr (explain < has_all ? mistake::none : mistake::addresses_of_prepared > ()) {
      const std::tuple<const Addresses&...> all(given...);
      result.data = std::get<0>(all);
      if constexpr (named == 1) result.indices = index_address(std::get<1>(all));
      if constexpr (HasUpdates) result.updates = std::get<1 + named>(all);
      result.output = std::get < sizeof...(given) == most ? most - 1 : 0 > (all);
    }
    return result;
  }
};

template <class T, class First>
inline constexpr bool is_address_of = std::is_convertible_v<First, const T*>;

}  // namespace detail

// A call of an operator on elements T with indices Index (bool for a mask, void for none) and operands of fixed
// layouts; made by strew::prepare. `Rest` is what the call has beside its tensors. A value without heap, of four
// layouts and about a hundred bytes (sizeof says how many; less with a smaller STREW_MAX_RANK). Runs do not change it:
// several threads may use one at once.
//
// A run has the semantics and the errors of the operator's call on views of these addresses and layouts. Dense
// row-major tensors of up to 2 KiB gain most, of scatter_update, scatter_elements_update and onnx::scatter: of them
// addresses and indices are checked each time, and nothing else. All others are views made anew, and the operator's
// call, as every run is with the compiled library.
template <element T, class Index, class Operator, class... Rest>
class prepared_scatter {
  static_assert(detail::explain < std::is_const_v<T> || std::is_const_v<Index> ? detail::mistake::const_of_prepared
                                                                               : detail::mistake::none > ());

  // Where one value stands for the updates, among what a call has beside its tensors.
  static constexpr std::size_t value_at = detail::find_value_position<T, Operator, Rest...>();
  static constexpr bool has_value = value_at != detail::signature::none;
  using addresses = detail::operand_addresses<T, Operator, Index, !has_value>;
  using index = std::conditional_t<std::is_void_v<Index>, char, Index>;
  static constexpr bool has_indices = addresses::has_indices;
  static constexpr bool has_tensors = addresses::has_tensors;
  static constexpr bool has_updates = !has_value;
  static constexpr bool is_planned = detail::has_dense_plan<Operator> && has_updates;
  static constexpr const char* operation = Operator::form.name;

 public:
  using layouts_type = std::conditional_t<has_tensors, layouts_with_tensors, operand_layouts>;

  // No elements, on axis 0.
  constexpr prepared_scatter() noexcept = default;

  // On an executor, if the first argument is one, and the addresses of data, indices, updates and output: each that of
  // the element at coordinate 0, null only where there are no elements. Operators without indices, or with one value
  // for updates, take no address of them. Indices of index_put are a std::span of addresses. `output` may be `data`,
  // and is where it is left out. Errors: null_data, overlap, index_out_of_bounds, and what else depends on values.
  template <class First, class... Addresses>
  STREW_KEYED constexpr status try_run(First&& first, const Addresses&... rest) const
      noexcept(detail::assigns_without_throwing<T>&& runs_without_throwing<First>) {
    status error;
    if constexpr (detail::is_address_of<T, First>) {
      run_on(serial, addresses::template take<false>(first, rest...), error);
    } else if constexpr (detail::explain<detail::find_mistake_of_executor<First>()>()) {
      run_on(first, addresses::template take<false>(rest...), error);
    }
    return error;
  }
  // As above; throws scatter_error.
  template <class First, class... Addresses>
  STREW_KEYED constexpr void run(First&& first, const Addresses&... rest) const {
    status error;
    if constexpr (detail::is_address_of<T, First>) {
      run_on(serial, addresses::template take<false>(first, rest...), error);
    } else if constexpr (detail::explain<detail::find_mistake_of_executor<First>()>()) {
      run_on(first, addresses::template take<false>(rest...), error);
    }
    detail::raise_if_error(error);
  }

  // With strew/bound.hpp. Reads the indices, or the mask, for good: `result` runs without them, as often as it is
  // wanted. They are checked here, and what a run needs of them is kept in `memory`, of at least bound_bytes() bytes at
  // any address, which must stay as it is while `result` is used: a slice, the last update of each row, moves in an
  // order that suits the cache, or a copy. On error `result` stays as it was. Errors: null_data, too_little_memory,
  // overlap (memory and indices), index_out_of_bounds, too_few_elements, size_overflow. O(indices).
  STREW_KEYED status try_bind(const typename addresses::index_address& indices, std::span<std::byte> memory,
                              bound_scatter<T, Index, Operator, Rest...>& result) const noexcept {
    return bound_scatter<T, Index, Operator, Rest...>::try_make(*this, indices, memory, result);
  }
  STREW_KEYED [[nodiscard]] bound_scatter<T, Index, Operator, Rest...> bind(
      const typename addresses::index_address& indices, std::span<std::byte> memory) const {
    bound_scatter<T, Index, Operator, Rest...> result;
    detail::raise_if_error(try_bind(indices, memory, result));
    return result;
  }
  // Where moves are listed, of dense operands of scatter_update, scatter_elements_update and onnx::scatter, 16 bytes an
  // index, or where rows are longer than 64 bytes 16 an index and 4 a row of data; times the positions of the axes
  // before the scattered one if rows are shorter. Else the bytes of the indices.
  STREW_KEYED [[nodiscard]] constexpr std::size_t bound_bytes() const noexcept {
    const std::uint64_t bytes = lists_entries() ? bytes_of_entries() : bytes_of_indices();
    constexpr std::uint64_t most = (std::numeric_limits<std::size_t>::max)();
    return static_cast<std::size_t>(bytes < most ? bytes : most);
  }

  [[nodiscard]] constexpr const layouts_type& layouts() const noexcept { return layouts_; }

  // See strew::try_prepare. `rest` is what a call has beside its tensors.
  template <class... Given>
  STREW_KEYED static constexpr status try_make(const layouts_type& layouts, prepared_scatter& result,
                                               const Given&... rest) noexcept(detail::assigns_without_throwing<T>) {
    prepared_scatter made;
    status error;
    const std::tuple<const Given&...> given(rest...);
    if constexpr (has_value) {
      const auto& value = std::get<value_at>(given);
      if (!detail::can_hold<T>(value) &&
          !detail::refuse_value<T>(operation, Operator::form.name_of_updates(), value, error))
        return error;
    }
    if (!made.check_layouts(layouts, error) || !made.check(made.layouts_of_indices(), error, given)) return error;
    made.keep(std::index_sequence_for<Given...>{}, rest...);
    made.plan();
    result = made;
    return error;
  }

 private:
  friend class bound_scatter<T, Index, Operator, Rest...>;

  template <class First>
  static constexpr bool runs_without_throwing =
      detail::is_address_of<T, First> || detail::executes_without_throwing<First>;
  // Whether there is a loop for a few elements.
  static constexpr bool has_small =
      is_planned && detail::is_bytewise<T> && std::is_signed_v<index> && sizeof(index) >= 4;

  struct no_plan {};
  struct dense_parts {
    detail::dense_plan plan{};
    int axis = 0;
    bool is_dense = false;
    bool is_small = false;
  };

  // ---- Layouts

  [[nodiscard]] static constexpr bool check_layout(const strided_layout& given, std::size_t element_size,
                                                   strided_layout& checked, status& error) noexcept {
    error = strided_layout::try_make(given.extents(), given.strides(), element_size, checked);
    return error.ok();
  }
  [[nodiscard]] constexpr bool check_layouts(const layouts_type& given, status& error) noexcept {
    if constexpr (has_tensors) {
      strided_layout data;
      strided_layout updates;
      strided_layout output;
      strided_layout indices[max_rank + 1];
      std::size_t count = 0;
      for (const strided_layout& one : given.indices()) {
        if (!check_layout(one, sizeof(index), indices[count++], error)) return false;
      }
      if (count == 0) {
        return detail::refuse(error, errc::rank_mismatch, operation, "indices",
                              " holds no tensor, expected at least 1");
      }
      if (has_value && given.has_output()) {
        return detail::refuse(error, errc::count_mismatch, operation, "layouts",
                              " has 4 entries, expected at most 3: updates are one value");
      }
      if (!check_layout(given.data(), sizeof(T), data, error) ||
          !check_layout(given.updates(), sizeof(T), updates, error) ||
          !check_layout(has_value ? given.updates() : given.output(), sizeof(T), output, error)) {
        return false;
      }
      layouts_ = layouts_with_tensors(data, std::span<const strided_layout>(indices, count), updates, output);
      return true;
    } else {
      return check_layout(given.data, sizeof(T), layouts_.data, error) &&
             (!has_indices || check_layout(given.indices, sizeof(index), layouts_.indices, error)) &&
             (!has_updates || check_layout(given.updates, sizeof(T), layouts_.updates, error)) &&
             check_layout(given.output, sizeof(T), layouts_.output, error);
    }
  }
  [[nodiscard]] constexpr const strided_layout& layout_of_data() const noexcept {
    if constexpr (has_tensors) {
      return layouts_.data();
    } else {
      return layouts_.data;
    }
  }
  [[nodiscard]] constexpr const strided_layout& layout_of_updates() const noexcept {
    if constexpr (has_tensors) {
      return layouts_.updates();
    } else {
      return layouts_.updates;
    }
  }
  [[nodiscard]] constexpr const strided_layout& layout_of_output() const noexcept {
    if constexpr (has_tensors) {
      return layouts_.output();
    } else {
      return layouts_.output;
    }
  }
  [[nodiscard]] constexpr std::span<const strided_layout> all_index_layouts() const noexcept {
    if constexpr (has_tensors) {
      return layouts_.indices();
    } else {
      return {&layouts_.indices, has_indices ? std::size_t{1} : std::size_t{0}};
    }
  }
  // The indices as an operand that is a layout alone.
  [[nodiscard]] constexpr auto layouts_of_indices() const noexcept {
    if constexpr (has_tensors) {
      return detail::layout_array{layouts_.indices().data(), static_cast<int>(layouts_.indices().size())};
    } else if constexpr (has_indices) {
      return detail::layout_view<const index>(layouts_.indices);
    } else {
      return detail::no_operand{};
    }
  }

  // All that can be checked without the addresses of data, updates and output; of indices their values, where they have
  // some.
  template <class Indices, class Given>
  [[nodiscard]] constexpr bool check(const Indices& indices, status& error, const Given& beside) const {
    const detail::layout_view<T> output(layout_of_output());
    const detail::running_call<const serial_executor, detail::layout_view<T>> call{serial, error, output};
    const detail::layout_view<const T> data(layout_of_data());
    const auto run_with = [&](const auto& updates) {
      detail::apply_without<value_at>(
          beside, [&](const auto&... rest) { detail::run_in_order<Operator>(call, data, indices, updates, rest...); });
    };
    if constexpr (has_value) {
      const detail::layout_view<const T> element(strided_layout::of_one_element());
      run_with(detail::repeated<detail::layout_view<const T>>{element});
    } else {
      run_with(detail::layout_view<const T>(layout_of_updates()));
    }
    return error.ok();
  }
  template <class Indices>
  [[nodiscard]] constexpr bool check_values(const Indices& indices, status& error) const {
    return check(indices, error, rest_);
  }

  template <std::size_t... Position, class... Given>
  constexpr void keep(std::index_sequence<Position...>, const Given&... rest) {
    rest_ = std::tuple<Rest...>(detail::keep_argument<T, value_at, Position>(rest)...);
  }
  constexpr void plan() noexcept {
    if constexpr (is_planned) {
      const detail::scatter_layouts at{layouts_.data, layouts_.indices, layouts_.updates, layouts_.output};
      dense_.axis = static_cast<int>(normalize_axis(std::get<0>(rest_), layouts_.data.rank()));
      dense_.is_dense =
          detail::is_bytewise<T> && detail::plan_dense({has_lanes(), Operator::rules.axis_may_exceed_data}, at,
                                                       dense_.axis, {sizeof(T), sizeof(index)}, dense_.plan);
      dense_.is_small = has_small && dense_.is_dense && detail::is_small_problem(at, sizeof(T));
    }
  }
  [[nodiscard]] static constexpr bool has_lanes() noexcept { return !Operator::rules.names_rows(); }

  // ---- Bound indices

  [[nodiscard]] constexpr bool lists_entries() const noexcept {
#if !STREW_COMPILED
    if constexpr (is_planned) return dense_.is_dense && detail::plan_schedule(dense_.plan, has_lanes()).can_be_listed();
#endif
    return false;
  }
  [[nodiscard]] constexpr std::uint64_t bytes_of_entries() const noexcept {
#if !STREW_COMPILED
    if constexpr (is_planned) {
      return static_cast<std::uint64_t>(detail::bytes_for(detail::plan_schedule(dense_.plan, has_lanes())));
    }
#endif
    return 0;
  }
#if !STREW_COMPILED
  [[nodiscard]] constexpr std::size_t bytes_of_updates() const noexcept {
    return static_cast<std::size_t>(detail::plan_schedule(dense_.plan, has_lanes()).sorted_bytes() +
                                    detail::scratch::alignment);
  }
#endif
  [[nodiscard]] constexpr std::uint64_t bytes_of_indices() const noexcept {
    std::uint64_t bytes = alignof(index) - 1;
    for (const strided_layout& one : all_index_layouts()) {
      bytes = detail::saturating_add(
          bytes, detail::saturating_multiply(static_cast<std::uint64_t>(one.size()), sizeof(index)));
    }
    return bytes;
  }

  // ---- Runs

  // Makes a call on a few dense elements. False where it is another one, or illegal.
  [[nodiscard]] constexpr bool run_small(const addresses& at) const noexcept {
#if STREW_COMPILED
    static_cast<void>(at);
#else
    if constexpr (has_small) {
      if (!std::is_constant_evaluated() && dense_.is_small) {
        using indices = detail::index_tensor_of<const index>;
        constexpr auto few = detail::plain_loops<Operator::rules, T, indices, serial_executor>.scatter->run_small;
        const detail::dense_plan& plan = dense_.plan;
        char* const to = reinterpret_cast<char*>(at.output);
        const bool has_all = at.data != nullptr && at.indices != nullptr && at.updates != nullptr && to != nullptr;
        return has_all &&
               detail::are_apart(plan, to, detail::address(at.data), detail::address(at.indices),
                                 detail::address(at.updates)) &&
               few(plan, to, detail::address(at.data), detail::address(at.indices), detail::address(at.updates));
      }
    }
#endif
    return false;
  }

  template <class Ex>
  constexpr void run_on(Ex& ex, const addresses& at, status& error) const {
    if (!run_small(at)) run_any(ex, at, error);
  }
  template <class Ex>
  constexpr void run_any(Ex& ex, const addresses& at, status& error) const {
    tensor_view<const T> data;
    tensor_view<const T> updates;
    tensor_view<T> output;
    if (!detail::view_operand(operation, at.data, layout_of_data(), "data", data, error)) return;
    const auto run_by = [&](const auto& indices) {
      if constexpr (has_value) {
        static_cast<void>(tensor_view<const T>::try_bind(std::get<value_at>(rest_).data(),
                                                         strided_layout::of_one_element(), updates));
      } else if (!detail::view_operand(operation, at.updates, layout_of_updates(), "updates", updates, error)) {
        return;
      }
      if (!detail::view_operand(operation, at.output, layout_of_output(), "output", output, error)) return;
      const detail::running_call<Ex, tensor_view<T>> call{ex, error, output};
      detail::apply_without<value_at>(rest_, [&](const auto&... rest) {
        if constexpr (has_value) {
          const detail::repeated<tensor_view<const T>> value{updates};
          detail::run_in_order<Operator>(call, data, indices, value, rest...);
        } else {
          detail::run_in_order<Operator>(call, data, indices, updates, rest...);
        }
      });
    };
    with_indices(at.indices, run_by, error);
  }
  // Calls body(indices) with views of them.
  template <class Body>
  constexpr void with_indices(const typename addresses::index_address& at, const Body& body, status& error) const {
    if constexpr (has_tensors) {
      tensor_view<const index> views[max_rank + 1];
      const std::span<const strided_layout> layouts = layouts_.indices();
      if (at.size() != layouts.size()) {
        detail::refuse(error, errc::rank_mismatch, operation, "indices", " holds {0} tensors, expected {1}",
                       {saturate(at.size()), saturate(layouts.size())});
        return;
      }
      for (std::size_t j = 0; j < layouts.size(); ++j) {
        if (!detail::view_operand(operation, at[j], layouts[j], "indices", views[j], error)) return;
      }
      body(std::span<const tensor_view<const index>>(views, layouts.size()));
    } else if constexpr (has_indices) {
      tensor_view<const index> view;
      if (detail::view_operand(operation, at, layouts_.indices, "indices", view, error)) body(view);
    } else {
      body(detail::no_operand{});
    }
  }

  layouts_type layouts_{};
  std::tuple<Rest...> rest_{};
  [[no_unique_address]] std::conditional_t<is_planned, dense_parts, no_plan> dense_{};
};

namespace detail::inline STREW_CODE {

// The layouts of a call as its operator has them: data, indices (or a mask), updates, output. Without the last one the
// call is made in place.
template <class Operator, class Index, bool HasUpdates, std::size_t Count>
constexpr operand_layouts name_layouts(const strided_layout (&given)[Count]) noexcept {
  constexpr std::size_t indices = has_bound_indices<Operator, Index> ? 1 : 0;
  constexpr std::size_t updates = HasUpdates ? 1 : 0;
  constexpr std::size_t most = 2 + indices + updates;
  operand_layouts layouts;
  layouts.data = given[0];
  if constexpr (indices > 0) layouts.indices = given[1];
  if constexpr (updates > 0) layouts.updates = given[1 + indices];
  layouts.output = given[Count == most ? most - 1 : 0];
  return layouts;
}

// What is wrong with a call that is prepared, of so many layouts; 0 where these are a struct.
template <class T, class Index, class Operator, std::size_t Count, class... Rest>
constexpr mistake find_mistake_of_prepared() noexcept {
  constexpr mistake found = mistake_of_prepared_call<T, Index, Operator>::template find<Rest...>();
  constexpr bool has_value = find_value_position<T, Operator, Rest...>() != signature::none;
  constexpr std::size_t most = 2 + (has_bound_indices<Operator, Index> ? 1 : 0) + (has_value ? 0 : 1);
  constexpr bool is_right = Count == 0 || Count == most || Count + 1 == most;
  return found == mistake::none && !is_right ? mistake::layouts_of_prepared : found;
}

template <class T, class Index, class Operator, class Positions, class... Rest>
struct prepared_type;
template <class T, class Index, class Operator, std::size_t... Position, class... Rest>
struct prepared_type<T, Index, Operator, std::index_sequence<Position...>, Rest...> {
  using type = prepared_scatter<T, Index, Operator,
                                kept_argument<T, find_value_position<T, Operator, Rest...>(), Position, Rest>...>;
};
template <class T, class Index, class Operator, class... Rest>
using prepared_call = typename prepared_type<T, Index, Operator, std::index_sequence_for<Rest...>, Rest...>::type;

template <class T, class Index, class Operator, class... Rest>
constexpr auto prepare_call(const typename prepared_call<T, Index, Operator, Rest...>::layouts_type& layouts,
                            const Rest&... rest) {
  prepared_call<T, Index, Operator, Rest...> result;
  raise_if_error(result.try_make(layouts, result, rest...));
  return result;
}
// The layouts by name of a call that was checked.
template <class T, class Index, class Operator, class... Rest, std::size_t Count>
constexpr operand_layouts name_layouts_of(const strided_layout (&given)[Count]) noexcept {
  return name_layouts<Operator, Index, find_value_position<T, Operator, Rest...>() == signature::none>(given);
}

template <class T, class Index, class Operator, class... Kept, std::size_t Count, class... Rest>
constexpr status try_prepare_call(const strided_layout (&layouts)[Count],
                                  prepared_scatter<T, Index, Operator, Kept...>& result, const Rest&... rest) {
  if constexpr (explain<find_mistake_of_prepared<T, Index, Operator, Count, Rest...>()>()) {
    return result.try_make(name_layouts_of<T, Index, Operator, Rest...>(layouts), result, rest...);
  }
}

// What stands behind the layouts of an operator: options, which may be in braces, or other arguments.
template <class Operator>
concept takes_options = requires {
  typename Operator::options;
};
template <class Operator>
concept takes_tensors = Operator::form.takes_tensors;

// What may be left out when the type of a prepared call is named.
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

// The type of what strew::prepare returns, for members: strew::prepared<float, int, strew::scatter_update>. `Rest`: the
// types of what the call has beside its tensors, without options: std::int64_t for an axis, say.
template <element T, class Index, const auto& Scatter, class... Rest>
using prepared = typename detail::named_prepared_type<T, Index, detail::operator_of<decltype(Scatter)>, Rest...>::type;

// Checks and plans a call of any operator once, to be run on many sets of operands:
//
//   const auto update = strew::prepare<float, std::int64_t>(
//       strew::scatter_update, {data.layout(), indices.layout(), updates.layout(), output.layout()}, axis);
//   for (..) update.run(data, indices, updates, output);  // addresses
//
//   std::vector<std::byte> memory(update.bound_bytes());
//   const auto bound = update.bind(indices, memory);  // where the indices stay the same, too
//   for (..) bound.run(data, updates, output);
//
// The layouts are those of data, indices, updates and output; without the last one the call is made in place. Behind
// them stands what the call has beside its tensors, in its order: axis, reduction, scaled_by, slice, options, value.
// One value for all targets has no layout. A mask takes the place of indices, and bool that of Index. Operators without
// indices leave out that layout and Index:
//
//   strew::prepare<float>(strew::slice_scatter, {data, updates, output}, {.start = 2, .stop = 5, .step = 1})
//   strew::prepare<float, bool>(strew::masked_fill, {data, mask}, 0.5F)
//   strew::prepare<float, int>(strew::index_add, {bins, samples}, 0, 1)
//   strew::prepare<float, int>(strew::index_put, {data, {indices0, indices1}, values, output}, strew::reduction::sum)
//
// Results have the bits of the operator's call. Throws scatter_error: the operator's errors that do not depend on
// addresses and on values of indices, and size_overflow where a layout is one for smaller elements. O(rank).
template <element T, class Index = void, class Operator, std::size_t Count, class... Rest>
  requires(!detail::takes_options<Operator> && !detail::takes_tensors<Operator>)
STREW_KEYED [[nodiscard]] constexpr auto prepare(const detail::throwing<Operator>&,
                                                 const strided_layout (&layouts)[Count], const Rest&... rest) {
  if constexpr (detail::explain<detail::find_mistake_of_prepared<T, Index, Operator, Count, Rest...>()>()) {
    return detail::prepare_call<T, Index, Operator>(detail::name_layouts_of<T, Index, Operator, Rest...>(layouts),
                                                    rest...);
  }
}
template <element T, class Index = void, detail::takes_options Operator, std::size_t Count>
STREW_KEYED [[nodiscard]] constexpr auto prepare(const detail::throwing<Operator>&,
                                                 const strided_layout (&layouts)[Count],
                                                 const typename Operator::options& options) {
  using chosen = typename Operator::options;
  if constexpr (detail::explain<detail::find_mistake_of_prepared<T, Index, Operator, Count, chosen>()>()) {
    return detail::prepare_call<T, Index, Operator>(detail::name_layouts_of<T, Index, Operator, chosen>(layouts),
                                                    options);
  }
}
// With one value for all targets.
template <element T, class Index = void, detail::takes_options Operator, std::size_t Count, class Value>
STREW_KEYED [[nodiscard]] constexpr auto prepare(const detail::throwing<Operator>&,
                                                 const strided_layout (&layouts)[Count], const Value& value,
                                                 const typename Operator::options& options) {
  using chosen = typename Operator::options;
  if constexpr (detail::explain<detail::find_mistake_of_prepared<T, Index, Operator, Count, Value, chosen>()>()) {
    return detail::prepare_call<T, Index, Operator>(detail::name_layouts_of<T, Index, Operator, Value, chosen>(layouts),
                                                    value, options);
  }
}
// A template, since braces are for the list above.
template <element T, class Index, detail::takes_options Operator, class Layouts>
requires std::is_same_v<Layouts, operand_layouts> STREW_KEYED [[nodiscard]] constexpr auto prepare(
    const detail::throwing<Operator>&, const Layouts& layouts, const typename Operator::options& options) {
  if constexpr (detail::explain<
                    detail::find_mistake_of_prepared<T, Index, Operator, 0, typename Operator::options>()>()) {
    return detail::prepare_call<T, Index, Operator>(layouts, options);
  }
}
template <element T, index_integer Index, detail::takes_tensors Operator, class... Rest>
STREW_KEYED [[nodiscard]] constexpr auto prepare(const detail::throwing<Operator>&, const layouts_with_tensors& layouts,
                                                 const Rest&... rest) {
  if constexpr (detail::explain<detail::find_mistake_of_prepared<T, Index, Operator, 0, Rest...>()>()) {
    return detail::prepare_call<T, Index, Operator>(layouts, rest...);
  }
}

// Without exceptions: on error `result` stays as it was. Its type says what stands between the layouts and it.
template <element T, class Index, class Operator, std::size_t Count, class... Kept>
  requires(!detail::takes_tensors<Operator>)
STREW_KEYED constexpr status try_prepare(
    const detail::throwing<Operator>&, const strided_layout (&layouts)[Count],
    prepared_scatter<T, Index, Operator, Kept...>& result) requires(sizeof...(Kept) == 0) {
  return detail::try_prepare_call(layouts, result);
}
template <element T, class Index, class Operator, std::size_t Count, class A>
  requires(!detail::takes_tensors<Operator> && !detail::takes_options<Operator>)
STREW_KEYED constexpr status try_prepare(const detail::throwing<Operator>&, const strided_layout (&layouts)[Count],
                                         const std::type_identity_t<A>& a,
                                         prepared_scatter<T, Index, Operator, A>& result) {
  return detail::try_prepare_call(layouts, result, a);
}
template <element T, class Index, class Operator, std::size_t Count, class A, class B>
  requires(!detail::takes_tensors<Operator> && !detail::takes_options<Operator>)
STREW_KEYED constexpr status try_prepare(const detail::throwing<Operator>&, const strided_layout (&layouts)[Count],
                                         const std::type_identity_t<A>& a, const std::type_identity_t<B>& b,
                                         prepared_scatter<T, Index, Operator, A, B>& result) {
  return detail::try_prepare_call(layouts, result, a, b);
}
template <element T, class Index, class Operator, std::size_t Count, class A, class B, class C>
  requires(!detail::takes_tensors<Operator>)
STREW_KEYED constexpr status try_prepare(const detail::throwing<Operator>&, const strided_layout (&layouts)[Count],
                                         const std::type_identity_t<A>& a, const std::type_identity_t<B>& b,
                                         const std::type_identity_t<C>& c,
                                         prepared_scatter<T, Index, Operator, A, B, C>& result) {
  return detail::try_prepare_call(layouts, result, a, b, c);
}
template <element T, class Index, class Operator, std::size_t Count, class A, class B, class C, class D>
  requires(!detail::takes_tensors<Operator>)
STREW_KEYED constexpr status try_prepare(const detail::throwing<Operator>&, const strided_layout (&layouts)[Count],
                                         const std::type_identity_t<A>& a, const std::type_identity_t<B>& b,
                                         const std::type_identity_t<C>& c, const std::type_identity_t<D>& d,
                                         prepared_scatter<T, Index, Operator, A, B, C, D>& result) {
  return detail::try_prepare_call(layouts, result, a, b, c, d);
}
template <element T, class Index, detail::takes_options Operator, std::size_t Count, class A>
STREW_KEYED constexpr status try_prepare(const detail::throwing<Operator>&, const strided_layout (&layouts)[Count],
                                         const typename Operator::options& options,
                                         prepared_scatter<T, Index, Operator, A>& result) {
  return detail::try_prepare_call(layouts, result, options);
}
template <element T, class Index, detail::takes_options Operator, std::size_t Count, class V, class A>
STREW_KEYED constexpr status try_prepare(const detail::throwing<Operator>&, const strided_layout (&layouts)[Count],
                                         const std::type_identity_t<V>& value,
                                         const typename Operator::options& options,
                                         prepared_scatter<T, Index, Operator, V, A>& result) {
  return detail::try_prepare_call(layouts, result, value, options);
}
template <element T, class Index, detail::takes_options Operator, class Layouts, class A>
requires std::is_same_v<Layouts, operand_layouts> STREW_KEYED constexpr status try_prepare(
    const detail::throwing<Operator>&, const Layouts& layouts, const typename Operator::options& options,
    prepared_scatter<T, Index, Operator, A>& result) {
  return result.try_make(layouts, result, options);
}
template <element T, class Index, detail::takes_tensors Operator>
STREW_KEYED constexpr status try_prepare(const detail::throwing<Operator>&, const layouts_with_tensors& layouts,
                                         prepared_scatter<T, Index, Operator>& result) {
  return result.try_make(layouts, result);
}
template <element T, class Index, detail::takes_tensors Operator, class A>
STREW_KEYED constexpr status try_prepare(const detail::throwing<Operator>&, const layouts_with_tensors& layouts,
                                         const std::type_identity_t<A>& a,
                                         prepared_scatter<T, Index, Operator, A>& result) {
  return result.try_make(layouts, result, a);
}
template <element T, class Index, detail::takes_tensors Operator, class A, class B>
STREW_KEYED constexpr status try_prepare(const detail::throwing<Operator>&, const layouts_with_tensors& layouts,
                                         const std::type_identity_t<A>& a, const std::type_identity_t<B>& b,
                                         prepared_scatter<T, Index, Operator, A, B>& result) {
  return result.try_make(layouts, result, a, b);
}

}  // namespace strew

#endif  // STREW_PREPARE_HPP
