// SPDX-License-Identifier: Apache-2.0
// The orders of arguments of scatters by indices, with reductions and policies: OpenVINO's and ONNX's, and PyTorch's.
#ifndef STREW_DETAIL_FRONT_SIGNATURES_HPP
#define STREW_DETAIL_FRONT_SIGNATURES_HPP

#include <strew/config.hpp>
#include <strew/detail/front/back_end.hpp>
#include <strew/detail/front/operands.hpp>
#include <strew/detail/front/operators.hpp>
#include <strew/detail/rules/check_operands.hpp>
#include <strew/detail/rules/request.hpp>
#include <strew/detail/rules/targets.hpp>
#include <strew/execution/executor.hpp>
#include <strew/operators/reduction.hpp>
#include <strew/status.hpp>
#include <strew/view/index.hpp>
#include <strew/view/index_list.hpp>
#include <strew/view/integer.hpp>
#include <strew/view/layout.hpp>
#include <strew/view/tensor_view.hpp>

#include <cstdint>
#include <type_traits>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// A view as operators read it. This and other functions of views have overloads in dynamic.hpp.
template <class T>
constexpr tensor_view<const std::remove_const_t<T>> read_only(const tensor_view<T>& view) noexcept {
  return view;
}

// Whether elements are of a type that is known at run time only.
template <class T>
inline constexpr bool is_dynamic_element = false;
// Whether a reduction is.
template <class R>
inline constexpr bool is_dynamic_reduction = false;

template <class T, named_reduction R>
inline constexpr bool option_never_throws<T, R> = reduces_without_throwing<T, R>();
template <class R>
  requires(named_reduction<R> || is_dynamic_reduction<R>)
inline constexpr bool is_reduction<R> = true;

// What may stand in a reduction's place. Views are callable with two integers.
template <class R>
concept reduction_like = !is_view<R>;

// What must hold of a reduction.
template <class T, class R, reduction_set Set>
constexpr bool check_reduction() noexcept {
  constexpr bool is_known = !is_dynamic_element<T> || named_reduction<R> || is_dynamic_reduction<R>;
  static_assert(is_known,
                "strew: elements whose type is known at run time only take reductions by name, or "
                "strew::dynamic::reduction");
  constexpr bool is_offered = [] {
    if constexpr (named_reduction<R>) {
      return Set.contains(R::kind) && (Set.may_omit_init || !omits_init<R>);
    } else {
      return true;
    }
  }();
  static_assert(is_offered,
                "strew: this operator's document does not have this reduction; a callable f(current, update) "
                "may be passed in its place");
  if constexpr (is_offered && !is_dynamic_element<T>) {
    static_assert(reducible_by<T, R>,
                  "strew: this element type lacks the operation of this reduction (mean of bool, min of complex), or "
                  "what stands in the reduction's place is not callable as f(current, update)");
    return reducible_by<T, R>;
  } else {
    return is_offered && is_known;
  }
}

// What must hold of the operands and the reduction of a Call.
template <reduction_set Set, class Call, class Data, class Indices, class Updates, class R>
constexpr bool check_reducing_scatter() noexcept {
  using output = typename Call::output_type;
  if constexpr (check_scatter_types<Data, bare_indices<Indices>, Updates, output>()) {
    return check_reduction<view_element<output>, R, Set>();
  } else {
    return false;
  }
}

// Scatters on one axis with a reduction and a policy: of elements or of rows, as the rules say.
template <const operation_rules& Rules, reduction_set Set>
struct reduce_on_axis {
  template <class Call, class Data, class Indices, class Updates, class R>
  static constexpr void run(const Call& call, const Data& data, const Indices& indices, const Updates& updates,
                            const index_list& axis, const R& reduce) {
    if constexpr (check_reducing_scatter<Set, Call, Data, Indices, Updates, R>()) {
      scatter_on_one_axis<Rules, Set>(call, data, indices, updates, axis, reduce);
    }
  }
};

// data, indices, updates, axis, reduction (if any), output (if any).
template <const operation_rules& Rules, reduction_set Set, bool AxisMayBeLeftOut = false>
struct on_axis_last {
  static constexpr signature form{.name = Rules.name, .inputs = AxisMayBeLeftOut ? 3 : 4, .has_option = true};
  using shapes = shapes_with_axis_last<Rules, AxisMayBeLeftOut>;

  template <class Call, class Data, class Indices, class Updates, index_integer Axis,
            reduction_like R = reduction::none_type>
  static constexpr void run(const Call& call, const Data& data, const Indices& indices, const Updates& updates,
                            const Axis& axis, const R& reduce = reduction::none) {
    reduce_on_axis<Rules, Set>::run(call, data, indices, updates, axis, reduce);
  }
  template <class Call, class Data, class Indices, class Updates, reduction_like R = reduction::none_type>
    requires(AxisMayBeLeftOut && !index_integer<R>)
  static constexpr void run(const Call& call, const Data& data, const Indices& indices, const Updates& updates,
                            const R& reduce = reduction::none) {
    run(call, data, indices, updates, 0, reduce);
  }
  template <class... Arguments>
  static constexpr void check_order(type_list<Arguments...>) noexcept {
    static_assert(is_never<Arguments...>,
                  "strew: the order is executor (if any), data, indices, updates, axis (an integer), reduction (if "
                  "any), output (if any)");
  }
};

// data, axis, indices, updates, reduction, output (if any).
template <const operation_rules& Rules, reduction_set Set>
struct on_axis_first {
  static constexpr signature form{
      .name = Rules.name, .inputs = 4, .has_option = true, .order = tensor_order::axis_first};
  using shapes = shapes_with_axis_first<Rules>;

  template <class Call, class Data, index_integer Axis, class Indices, class Updates,
            reduction_like R = reduction::none_type>
  static constexpr void run(const Call& call, const Data& data, const Axis& axis, const Indices& indices,
                            const Updates& updates, const R& reduce = reduction::none) {
    constexpr bool is_given = !std::is_same_v<R, reduction::none_type>;
    static_assert(is_given, "strew: a reduction is missing: it stands after the source");
    if constexpr (is_given) {
      reduce_on_axis<Rules, Set>::run(call, data, indices, updates, axis, reduce);
    }
  }
  template <class... Arguments>
  static constexpr void check_order(type_list<Arguments...>) noexcept {
    static_assert(is_never<Arguments...>,
                  "strew: the order is executor (if any), data, axis (an integer), index, source, reduction (where the "
                  "operator takes one), output (if any)");
  }
};

// data, axis, indices, updates, output (if any).
template <const operation_rules& Rules>
struct assign_on_axis_first {
  static constexpr signature form{.name = Rules.name, .inputs = 4, .order = tensor_order::axis_first};
  using shapes = shapes_with_axis_first<Rules>;

  template <class Call, class Data, index_integer Axis, class Indices, class Updates>
  static constexpr void run(const Call& call, const Data& data, const Axis& axis, const Indices& indices,
                            const Updates& updates) {
    reduce_on_axis<Rules, reduction_set{}>::run(call, data, indices, updates, axis, reduction::none);
  }
  template <class... Arguments>
  static constexpr void check_order(type_list<Arguments...>) noexcept {
    static_assert(is_never<Arguments...>,
                  "strew: the order is executor (if any), data, axis (an integer), index, source, output (if any)");
  }
};

// data, indices, updates, reduction (if any), output (if any).
template <const operation_rules& Rules, reduction_set Set>
struct on_multi_indices {
  static constexpr signature form{.name = Rules.name, .inputs = 3, .has_option = true};
  using shapes = shapes_of_multi_indices<Rules>;

  template <class Call, class Data, class Indices, class Updates, reduction_like R = reduction::none_type>
  static constexpr void run(const Call& call, const Data& data, const Indices& indices, const Updates& updates,
                            const R& reduce = reduction::none) {
    if constexpr (check_reducing_scatter<Set, Call, Data, Indices, Updates, R>()) {
      const auto& bare = without_policy(indices);
#if STREW_COMPILED
      if constexpr (runs_multi_indices_in_library<typename Call::executor_type, typename Call::output_type, R>) {
        if (!std::is_constant_evaluated()) {
          return run_multi_indices_in_library<Rules, policy_of<Indices>, R>(call.ex, data, bare, updates, call.output,
                                                                            call.error);
        }
      }
#endif
      int count = 0;
      if (!check_multi_indices(Rules.name, bare.extents(), data.rank(), count, call.error)) return;
      const auto source = source_of(bare, count);
      run_scatter<Rules, Set>(call.ex, operands_of<policy_of<Indices>>(data, source, updates, call.output, reduce),
                              call.error);
    }
  }
  template <class... Arguments>
  static constexpr void check_order(type_list<Arguments...>) noexcept {
    static_assert(is_never<Arguments...>,
                  "strew: the order is executor (if any), data, indices, updates, reduction (if any), output (if any)");
  }
};

}  // namespace strew::detail

#endif  // STREW_DETAIL_FRONT_SIGNATURES_HPP
