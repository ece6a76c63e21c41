// SPDX-License-Identifier: Apache-2.0
// From typed operands to the pipeline: constant evaluation and elements that cannot be copied as bytes use the typed
// loops, all other calls become a type-erased request.
#ifndef STREW_DETAIL_FRONT_BACK_END_HPP
#define STREW_DETAIL_FRONT_BACK_END_HPP

#include <strew/config.hpp>
#include <strew/detail/constant_evaluation.hpp>
#include <strew/detail/front/operands.hpp>
#include <strew/detail/front/typed_indices.hpp>
#include <strew/detail/kernels/parallel.hpp>
#include <strew/detail/kernels/pipeline.hpp>
#include <strew/detail/plan/partition.hpp>
#include <strew/detail/rules/operation.hpp>
#include <strew/detail/rules/request.hpp>
#include <strew/detail/rules/updates_extents.hpp>
#include <strew/detail/typed/reduction_step.hpp>
#include <strew/detail/typed/typed_scatter.hpp>
#include <strew/dynamic/element_type.hpp>
#include <strew/execution/executor.hpp>
#include <strew/operators/reduction.hpp>
#include <strew/operators/reduction_kind.hpp>
#include <strew/status.hpp>
#include <strew/view/index.hpp>
#include <strew/view/index_list.hpp>
#include <strew/view/layout.hpp>
#include <strew/view/slice_spec.hpp>
#include <strew/view/tensor_view.hpp>

#if STREW_COMPILED
#include <strew/detail/front/compiled.hpp>
#endif

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// The width of the loops that move a T; 0 (any_width) for long elements, whose width is a run-time argument.
template <class T>
inline constexpr std::size_t loop_width = sizeof(T) <= 64 ? sizeof(T) : 0;

template <class T>
const char* address(T* data) noexcept {
  return reinterpret_cast<const char*>(data);
}

// The number of indices that address a target together, if the operator determines it; 0 for slices and masks.
constexpr int number_of_components(const operation_rules& rules) noexcept {
  return rules.by == addressing::slices || rules.by == addressing::mask ? 0 : 1;
}
// The same for the library, which gets multi-indices as one tensor and finds their number itself.
constexpr int number_in_library(const operation_rules& rules) noexcept {
  return rules.by == addressing::multi_indices ? erased::multi_indices_in_one_tensor : number_of_components(rules);
}

// A named reduction as the compiled library takes it.
template <class T, class R>
constexpr erased::reduction_choice choice_of() noexcept {
  if constexpr (named_reduction<R>) {
    return {dynamic::element_type_of<T>.kind, R::kind, !omits_init<R>};
  } else if constexpr (std::is_same_v<R, scaled_sum<T>>) {
    return {dynamic::element_type_of<T>.kind, reduction_kind::sum};
  } else {
    return {};
  }
}

template <const operation_rules& Rules, class T, index_policy Policy = index_policy::error>
inline constexpr erased::call_type call_type_of{Rules,
                                                sizeof(T),
                                                Policy,
                                                false,
                                                has_rare_indices(Rules, Policy) ? &rare_forms_of_indices : nullptr,
                                                number_of_components(Rules)};

#if STREW_COMPILED
// The same for calls of the compiled library, which has the texts of errors and the loops itself.
constexpr const scatter_texts& texts_in_library(addressing by) noexcept {
  switch (by) {
    case addressing::multi_indices:
      return erased::texts_of_multi_indices;
    case addressing::tensors:
      return erased::texts_of_tensors;
    case addressing::numbers:
      return erased::texts_of_numbers;
    default:
      return erased::texts_of_axis;
  }
}
template <const operation_rules& Rules>
inline constexpr operation_rules rules_in_library{Rules.name,
                                                  Rules.by,
                                                  Rules.rule,
                                                  Rules.axis_may_exceed_data,
                                                  Rules.takes_any_single_element,
                                                  texts_in_library(Rules.by)};
template <const operation_rules& Rules, class T, index_policy Policy = index_policy::error,
          class R = reduction::none_type, bool Repeats = false>
inline constexpr erased::call_type call_type_in_library{
    rules_in_library<Rules>, sizeof(T), Policy, Repeats, nullptr, number_in_library(Rules), choice_of<T, R>()};
#endif

// ---- One value for all targets

// A view of one element, repeated to these extents by strides of 0. The functions for typed views have overloads for
// tensors whose types are known at run time only (dynamic.hpp) and for layouts without memory (prepare.hpp).
template <class T>
constexpr bool repeat(const char* operation, const tensor_view<const T>& element, const index_list& extents,
                      tensor_view<const T>& result, status& error) noexcept {
  strided_layout layout;
  return make_repeated(operation, element.rank(), extents, sizeof(T), layout, error) &&
         view_operand<const T>(operation, element.data(), layout, "value", result, error);
}

// Whether the compiled library repeats the value of a call itself.
template <class Data>
inline constexpr bool repeats_in_library = false;
#if STREW_COMPILED
template <class T>
inline constexpr bool repeats_in_library<tensor_view<T>> = is_bytewise<std::remove_const_t<T>>;
#endif

// A request without indices.
template <class D, class U, class T>
erased::request make_request(const erased::call_type& type, const tensor_view<D>& data, const tensor_view<U>& updates,
                             const tensor_view<T>& output) noexcept {
  return {type,
          {address(data.data()), &data.layout()},
          {address(updates.data()), &updates.layout()},
          {reinterpret_cast<char*>(output.data()), &output.layout()},
          nullptr,
          {nullptr}};
}

// Calls typed(context) with the executor's context, or with null (serial) if an assignment or the reduction may throw,
// since bodies of executors must not throw.
template <class T, bool ReducesWithoutThrowing = true, class Ex, class Call>
void run_typed(Ex& ex, const Call& typed) {
  if constexpr (assigns_without_throwing<T> && ReducesWithoutThrowing && !is_serial<std::remove_const_t<Ex>>) {
    with_context(ex, [&](const execution_context& ctx) { typed(&ctx); });
  } else {
    typed(static_cast<const execution_context*>(nullptr));
  }
}

// ---- Slices

template <class T>
inline constexpr reachable_loops loops_for_slices{&copy_loops_of<loop_width<T>>};

template <bool Repeats = false, class Ex, class D, class U, class T>
constexpr void run_slice_scatter(Ex& ex, const tensor_view<D>& data, const tensor_view<U>& updates,
                                 const slice_spec& slice, const tensor_view<T>& output, status& error) {
  const auto typed = [&](const execution_context* ctx) {
    typed::slice_scatter(ctx, data, updates, slice, output, error);
  };
  // Not negated: without optimisation compilers drop the typed path only for a positive test of constant evaluation.
  if (is_constant_evaluated()) {
    typed(nullptr);
  } else if constexpr (!is_bytewise<T>) {
    run_typed<T>(ex, typed);
  } else {
#if STREW_COMPILED
    constexpr const erased::call_type& type =
        call_type_in_library<slice_scatter_rules, T, index_policy::error, reduction::none_type, Repeats>;
    erased::request request = make_request(type, data, updates, output);
    request.slice = &slice;
    erased::slice_scatter(request, refer_to(ex), error);
#else
    erased::request request = make_request(call_type_of<slice_scatter_rules, T>, data, updates, output);
    request.slice = &slice;
    with_context(ex,
                 [&](const execution_context& ctx) { run_slice_request(ctx, request, loops_for_slices<T>, error); });
#endif
  }
}

template <class Ex, class Data, class View, class Output>
constexpr void run_slice_scatter(Ex& ex, const Data& data, const repeated<View>& updates, const slice_spec& slice,
                                 const Output& output, status& error) {
  if constexpr (repeats_in_library<Output>) {
    if (!is_constant_evaluated()) {
      return run_slice_scatter<true>(ex, data, updates.element, slice, output, error);
    }
  }
  index_list extents;
  View all = updates.element;
  if (find_slice_updates(slice_scatter_rules.name, data.extents(), slice, extents, error) &&
      repeat(slice_scatter_rules.name, updates.element, extents, all, error)) {
    run_slice_scatter(ex, data, all, slice, output, error);
  }
}

// ---- Scatters by indices

template <class R>
constexpr bool is_plain_scatter(const operation_rules& rules, index_policy policy) noexcept {
  return std::is_same_v<R, reduction::none_type> &&
         is_plain_scatter(rules.by, rules.rule, policy, reduction_kind::none);
}

// The features of loops that a call on an executor Ex can use.
template <const operation_rules& Rules, class Indices, class Ex, bool IsPlain>
inline constexpr scatter_features features_of{Rules.names_rows() ? scatter_kind::row : scatter_kind::element,
                                              Rules.rule == index_rule::wrapping&& Indices::may_be_negative,
                                              lends_memory<Ex>, !IsPlain && Indices::may_be_direct};
template <const operation_rules& Rules, class T, class Indices, class Ex>
inline constexpr reachable_loops plain_loops{
    &copy_loops_of<loop_width<T>, false>,
    &scatter_loops_of<loop_width<T>, typename Indices::loop_integer, features_of<Rules, Indices, Ex, true>>,
    &assign_loops_of<loop_width<T>, typename Indices::loop_integer, plain_features<Rules.rule == index_rule::wrapping>>,
    validate<Rules.by>,
    Rules.names_rows() ? &kernels_of_rows<lends_memory<Ex>> : &kernels_of_elements<lends_memory<Ex>>};
template <const operation_rules& Rules, class T, class Indices, class R, class Ex>
inline constexpr reachable_loops loops_for_reduction{
    &copy_loops_of<loop_width<T>, false>,
    nullptr,
    &reduce_loops_of<T, R, typename Indices::loop_integer, features_of<Rules, Indices, Ex, false>>,
    validate<Rules.by>,
    &reduce_kernels_by<reduction_step<T, R>::grid != state_layout::none, !Rules.names_rows(),
                       Rules.by == addressing::multi_indices || Rules.by == addressing::tensors>,
    reduction_step<T, R>::grid == state_layout::none};

// Whether the compiled library has the loops of a reduction: of the named ones, for number elements.
template <class T, class R>
constexpr bool is_in_library() noexcept {
  if constexpr (std::is_same_v<R, reduction::none_type>) {
    return true;
  } else if constexpr (named_reduction<R> || std::is_same_v<R, scaled_sum<T>>) {
    return dynamic::detail::is_number(dynamic::element_type_of<T>) && (!complex_like<T> || is_std_complex<T>);
  } else {
    return false;
  }
}

// Runs a scatter by indices. Set: the reductions of the operator, for tensors whose types are known at run time only
// (dynamic.hpp).
template <const operation_rules& Rules, reduction_set Set, bool Repeats = false, class Ex, index_policy Policy, class D,
          class Indices, class U, class T, class R>
constexpr void run_scatter(
    Ex& ex, const typed_operands<Policy, tensor_view<D>, Indices, tensor_view<U>, tensor_view<T>, R>& call,
    status& error) {
  const auto typed = [&](const execution_context* ctx) { typed::scatter<Rules>(ctx, call, error); };
  if (is_constant_evaluated()) {
    typed(nullptr);
  } else if constexpr (!is_bytewise<T> || !reduces_without_throwing<T, R>()) {
    run_typed<T, reduces_without_throwing<T, R>()>(ex, typed);
  } else {
    erased::index_operand indices[Indices::most];
    const auto run = [&](const erased::call_type& type, const auto& pass_on) {
      erased::request request = make_request(type, call.data, call.updates, call.output);
      request.axis = call.axis;
      request.indices = indices;
      using on_demand = memory_on_demand<std::remove_const_t<Ex>>;
      if constexpr (on_demand::is_lent) on_demand::template reserve<Rules, T, R>(ex, request);
      pass_on(request);
    };
    const auto run_as = [&](const erased::call_type& constant, const auto& pass_on) {
      if constexpr (named_reduction<R> && Indices::most == 1) {
        run(constant, pass_on);
      } else {
        erased::call_type type = constant;
        type.components = call.indices.count();
        if constexpr (!named_reduction<R>) type.reduce = &reinterpret_cast<const char&>(call.reduce);
        run(type, pass_on);
      }
    };
    if constexpr (STREW_COMPILED != 0 && is_in_library<T, R>()) {
#if STREW_COMPILED
      call.indices.template list<no_index_loops>(indices);
      run_as(call_type_in_library<Rules, T, Policy, R, Repeats>,
             [&](const erased::request& request) { erased::scatter(request, refer_to(ex), error); });
#endif
    } else {
      call.indices.template list<held_index_loops<Rules.rule>>(indices);
      run_as(call_type_of<Rules, T, Policy>, [&](const erased::request& request) {
        using executor = std::remove_const_t<Ex>;
        with_context(ex, [&](const execution_context& ctx) {
          if constexpr (is_plain_scatter<R>(Rules, Policy)) {
            run_request(ctx, request, plain_loops<Rules, T, Indices, executor>, error);
          } else {
            run_request(ctx, request, loops_for_reduction<Rules, T, Indices, R, executor>, error);
          }
        });
      });
    }
  }
}

#if STREW_COMPILED
// Runs a scatter by multi-indices in the compiled library, with the indices as one tensor.
template <const operation_rules& Rules, index_policy Policy, class R, bool Repeats = false, class Ex, class D,
          class Index, class U, class T>
void run_multi_indices_in_library(Ex& ex, const tensor_view<D>& data, const tensor_view<Index>& indices,
                                  const tensor_view<U>& updates, const tensor_view<T>& output, status& error) {
  const auto multi_indices = index_operand_of<no_index_loops>(indices.data(), indices.layout());
  erased::request request = make_request(call_type_in_library<Rules, T, Policy, R, Repeats>, data, updates, output);
  request.indices = &multi_indices;
  erased::scatter(request, refer_to(ex), error);
}
template <const operation_rules& Rules, index_policy Policy, class R, class Ex, class D, class Index, class View,
          class T>
void run_multi_indices_in_library(Ex& ex, const tensor_view<D>& data, const tensor_view<Index>& indices,
                                  const repeated<View>& updates, const tensor_view<T>& output, status& error) {
  run_multi_indices_in_library<Rules, Policy, R, true>(ex, data, indices, updates.element, output, error);
}
#endif
// Whether run_multi_indices_in_library runs a call.
template <class Ex, class Data, class R>
inline constexpr bool runs_multi_indices_in_library = false;
#if STREW_COMPILED
template <class Ex, class T, class R>
  requires is_bytewise<std::remove_const_t<T>>
inline constexpr bool runs_multi_indices_in_library<Ex, tensor_view<T>, R> =
    named_reduction<R> && is_in_library<std::remove_const_t<T>, R>() &&
    !memory_on_demand<std::remove_const_t<Ex>>::is_lent;
#endif

// Whether the library also repeats the value of a call.
template <class Ex, class Output, class R>
inline constexpr bool value_goes_to_library =
    repeats_in_library<Output> && !memory_on_demand<std::remove_const_t<Ex>>::is_lent && [] {
      using element = std::remove_const_t<view_element<Output>>;
      if constexpr (is_dynamic_element<element>) {
        return true;
      } else {
        return reduces_without_throwing<element, R>() && is_in_library<element, R>();
      }
    }();

inline constexpr reduction_set only_none{.has_sum = false, .has_prod = false, .has_order = false};

template <index_policy Policy, class Data, class Source, class Updates, class Output, class R>
constexpr typed_operands<Policy, Data, Source, Updates, Output, R> operands_of(
    const Data& data, const Source& source, const Updates& updates, const Output& output, const R& reduce,
    const index_list* axis = nullptr) noexcept {
  return {data, source, updates, output, reduce, axis};
}

// With one value for all targets.
template <const operation_rules& Rules, reduction_set Set, class Ex, index_policy Policy, class Data, class Indices,
          class View, class Output, class R>
constexpr void run_scatter(Ex& ex, const typed_operands<Policy, Data, Indices, repeated<View>, Output, R>& call,
                           status& error) {
  const View& element = call.updates.element;
  if constexpr (value_goes_to_library<Ex, Output, R>) {
    if (!is_constant_evaluated()) {
      return run_scatter<Rules, Set, true>(
          ex, operands_of<Policy>(call.data, call.indices, element, call.output, call.reduce, call.axis), error);
    }
  }
  index_list extents;
  View updates = element;
  if (find_scatter_updates<Rules.by>(Rules, call.data.extents(), call.indices.layout(0).extents(), call.axis,
                                     call.indices.count(), extents, error) &&
      repeat(Rules.name, element, extents, updates, error)) {
    run_scatter<Rules, Set>(
        ex, operands_of<Policy>(call.data, call.indices, updates, call.output, call.reduce, call.axis), error);
  }
}

// Runs a scatter on one axis, of elements or of rows by the rules. The types of the operands were checked.
template <const operation_rules& Rules, reduction_set Set, class Call, class Data, class Indices, class Updates,
          class R>
constexpr void scatter_on_one_axis(const Call& call, const Data& data, const Indices& indices, const Updates& updates,
                                   const index_list& axis, const R& reduce) {
  const auto source = source_of(without_policy(indices));
  run_scatter<Rules, Set>(call.ex, operands_of<policy_of<Indices>>(data, source, updates, call.output, reduce, &axis),
                          call.error);
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_FRONT_BACK_END_HPP
