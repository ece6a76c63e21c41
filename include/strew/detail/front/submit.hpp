// SPDX-License-Identifier: Apache-2.0
// From the operands of a call to the pipeline. `submit` takes the calls of all operators. Of views, which it has here,
// constant evaluation and elements that cannot be copied as bytes use the typed loops; all other calls become a
// type-erased request, for the kernels or for the compiled library. Overloads take calls on other operands: layouts
// without memory (submit_layouts.hpp), run-time types (submit_dynamic.hpp) and distributed tensors (detail/mpi).
#ifndef STREW_DETAIL_FRONT_SUBMIT_HPP
#define STREW_DETAIL_FRONT_SUBMIT_HPP

#include <strew/config.hpp>
#include <strew/detail/constant_evaluation.hpp>
#include <strew/detail/front/compiled.hpp>
#include <strew/detail/front/operands.hpp>
#include <strew/detail/front/typed_indices.hpp>
#include <strew/detail/kernel_notes.hpp>
#include <strew/detail/kernels/copy_loops.hpp>
#include <strew/detail/kernels/kernel_table.hpp>
#include <strew/detail/kernels/parallel.hpp>
#include <strew/detail/kernels/trace_call.hpp>
#include <strew/detail/kernels/validated_call.hpp>
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
#include <strew/view/tensor_view.hpp>

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
// That number for the library, which gets multi-indices as one tensor and finds their number itself.
constexpr int number_in_library(const operation_rules& rules) noexcept {
  return rules.by == addressing::multi_indices ? erased::multi_indices_in_one_tensor : number_of_components(rules);
}

// A named reduction as the compiled library takes it.
template <class T, class R>
constexpr erased::reduction_choice choice_of() noexcept {
  if constexpr (named_reduction<R>) {
    return {dynamic::element_type_of<T>.kind, R::kind, !omits_init<R>, true, skips_nan<R>};
  } else if constexpr (std::is_same_v<R, scaled_sum<T>>) {
    return {dynamic::element_type_of<T>.kind, reduction_kind::sum};
  } else {
    return {};
  }
}

template <const operation_rules& Rules, class T, index_policy Policy = index_policy::error>
inline constexpr erased::call_type call_type_of{Rules,
                                                sizeof(T),
                                                sizeof(T),
                                                Policy,
                                                false,
                                                has_rare_indices(Rules, Policy) ? &rare_forms_of_indices : nullptr,
                                                number_of_components(Rules)};

// The texts of errors in calls of the compiled library, which has them itself, as it has the loops.
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
    rules_in_library<Rules>,  sizeof(T),        sizeof(T), Policy, Repeats, nullptr,
    number_in_library(Rules), choice_of<T, R>()};

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
    typed(&context_on<Ex>(ex).get());
  } else {
    typed(static_cast<const execution_context*>(nullptr));
  }
}

inline constexpr reduction_set only_none{.has_sum = false, .has_prod = false, .has_order = false};

// Whether the compiled library has the loops of a reduction: of the named ones, for number elements.
template <class T, class R>
constexpr bool is_in_library() noexcept {
  if constexpr (is_bytewise<T> && (named_reduction<R> || std::is_same_v<R, scaled_sum<T>>)) {
    return std::is_same_v<R, reduction::none_type> ||
           (dynamic::detail::is_number(dynamic::element_type_of<T>) && (!complex_like<T> || is_std_complex<T>));
  } else {
    return false;
  }
}

// How calls address their targets, by the type of call_operands::where: by indices (submit_indices.hpp), slices and
// parts (submit_slices.hpp), masks (submit_masks.hpp), and positions of caches (submit_caches.hpp).
template <class Where>
struct way_of;
// The same for calls whose updates are converted (submit_converted.hpp).
template <class Where>
struct converted_way;

template <index_policy Policy, class Data, class Where, class Updates, class Output, class R = reduction::none_type>
constexpr call_operands<Policy, Data, Where, Updates, Output, R> operands_of(
    const Data& data, const Where& where, const Updates& updates, const Output& output,
    const R& reduce = reduction::none, const index_list* axis = nullptr) noexcept {
  return {data, where, updates, output, reduce, axis};
}

// ---- Calls on views

#if STREW_NOTES_KERNELS
// With the element type and the reduction, which the line of a trace has.
template <class T, class R>
constexpr erased::reduction_choice choice_in_trace() noexcept {
  erased::reduction_choice result = choice_of<T, R>();
  result.of = dynamic::element_type_of<T>.kind;
  return result;
}
template <const operation_rules& Rules, class T, index_policy Policy, class R>
inline constexpr erased::call_type traced_call_type{Rules,
                                                    sizeof(T),
                                                    sizeof(T),
                                                    Policy,
                                                    false,
                                                    call_type_of<Rules, T, Policy>.rare,
                                                    number_of_components(Rules),
                                                    choice_in_trace<T, R>()};
#endif

template <const operation_rules& Rules, class T, index_policy Policy, class R, bool Repeats, bool InLibrary>
constexpr const erased::call_type& find_call_type() noexcept {
  if constexpr (InLibrary) {
    return call_type_in_library<Rules, T, Policy, R, Repeats>;
#if STREW_NOTES_KERNELS
  } else if constexpr (is_bytewise<T>) {
    return traced_call_type<Rules, T, Policy, R>;
#endif
  } else {
    return call_type_of<Rules, T, Policy>;
  }
}

// The properties of a call: a constant, unless several indices address a target together or the reduction is a
// callable.
template <bool IsConstant>
struct call_type_held {
  const erased::call_type& type;

  template <class Call>
  call_type_held(const erased::call_type& constant, const Call&) noexcept : type{constant} {}
};
template <>
struct call_type_held<false> {
  erased::call_type type;

  template <class Call>
  call_type_held(const erased::call_type& constant, const Call& call) noexcept : type{constant} {
    type.components = call.where.count();
    if constexpr (!named_reduction<std::remove_cvref_t<decltype(call.reduce)>>) {
      type.reduce = &reinterpret_cast<const char&>(call.reduce);
    }
  }
};

// The properties of a call with a conversion of its updates.
template <class U>
erased::call_type with_conversion(const erased::call_type& type, const conversion& how) noexcept {
  erased::call_type result = type;
  result.converts = &how;
  result.updates_size = sizeof(U);
  return result;
}

// Not compared with null: with -fsanitize=undefined g++ 12 takes that for no constant.
template <const conversion*>
inline constexpr bool converts_by = true;
template <>
inline constexpr bool converts_by<nullptr> = false;

// Runs a call as a type-erased request. Converts: how its updates become elements, or null.
template <const operation_rules& Rules, bool InLibrary, bool Repeats = false, const conversion* Converts = nullptr,
          class Ex, index_policy Policy, class D, class Where, class U, class T, class R>
STREW_INLINE void submit_request(
    Ex& ex, const call_operands<Policy, tensor_view<D>, Where, tensor_view<U>, tensor_view<T>, R>& call,
    status& error) {
  using way = way_of<Where>;
  using loops = std::conditional_t<InLibrary, library_index_loops<Rules.rule>, held_index_loops<Rules.rule>>;
  using executor = std::remove_const_t<Ex>;
  using on_demand = memory_on_demand<executor>;
  const call_type_held<named_reduction<R> && way::most() == 1> held(
      find_call_type<Rules, T, Policy, R, Repeats, InLibrary>(), call);
  const auto& type = [&]() -> decltype(auto) {
    if constexpr (!converts_by<Converts>) {
      return (held.type);
    } else {
      return with_conversion<U>(held.type, *Converts);
    }
  }();
  erased::index_operand indices[way::most()];
  erased::request request = make_request(type, call.data, call.updates, call.output);
  way::template address<loops>(call, indices, request);
  if constexpr (way::uses_memory && on_demand::allocates) on_demand::template reserve<Rules, T, R>(ex, request);
  if constexpr (InLibrary) {
    way::template run_in_library<Rules, R>(request, refer_to(ex), error);
  } else if constexpr (converts_by<Converts>) {
    converted_way<Where>::template run<Rules, T, R>(context_on<Ex>(ex).get(), request, error);
  } else {
    way::template run<Rules, Policy, T, R, executor>(context_on<Ex>(ex).get(), request, error);
  }
}

#if STREW_NOTES_KERNELS
struct loops_over_the_type : any_other {
  static constexpr const char* name = "loops over the type";
};
// Traces a call on elements that cannot be copied as bytes, or by a callable that may throw. The line has no indices.
template <const operation_rules& Rules, class Ex, index_policy Policy, class D, class Where, class U, class T, class R,
          class Body>
void trace_typed_call(Ex& ex,
                      const call_operands<Policy, tensor_view<D>, Where, tensor_view<U>, tensor_view<T>, R>& call,
                      status& error, const Body& body) {
  static constexpr erased::call_type type = [] {
    erased::call_type result{Rules, sizeof(T), sizeof(T), Policy};
    if constexpr (is_bytewise<T>) result.named.of = dynamic::element_type_of<T>.kind;
    return result;
  }();
  const erased::request request = make_request(type, call.data, call.updates, call.output);
  const context_on<Ex> ctx(ex);
  trace_call(ctx.get(), request, nullptr, error, [&] {
    note_kernel<loops_over_the_type>(request, true);
    if (!only_asks()) body();
  });
}
#endif

// Runs a call. Set: the reductions of the operator, for run-time types. Repeats: updates are one element for all
// targets, in the compiled library only.
template <const operation_rules& Rules, reduction_set Set = only_none, bool Repeats = false, class Ex,
          index_policy Policy, class D, class Where, class U, class T, class R>
constexpr void submit(Ex& ex,
                      const call_operands<Policy, tensor_view<D>, Where, tensor_view<U>, tensor_view<T>, R>& call,
                      status& error) {
  const auto typed = [&](const execution_context* ctx) { way_of<Where>::template run_typed<Rules>(ctx, call, error); };
  // Not negated: without optimisation compilers drop the typed path only for a positive test of constant evaluation.
  if (is_constant_evaluated()) {
    typed(nullptr);
  } else if constexpr (!is_bytewise<T> || !reduces_without_throwing<T, R>()) {
#if STREW_NOTES_KERNELS
    if (notes_calls()) {
      return trace_typed_call<Rules>(ex, call, error,
                                     [&] { run_typed<T, reduces_without_throwing<T, R>()>(ex, typed); });
    }
#endif
    run_typed<T, reduces_without_throwing<T, R>()>(ex, typed);
  } else {
    submit_request<Rules, calls_library && is_in_library<T, R>(), Repeats>(ex, call, error);
  }
}

// ---- One value for all targets

// A view of one element, repeated to these extents by strides of 0. Other operands have overloads, as of submit.
template <class T>
constexpr bool repeat(const char* operation, const tensor_view<const T>& element, const index_list& extents,
                      tensor_view<const T>& result, status& error) noexcept {
  strided_layout layout;
  return make_repeated(operation, element.rank(), extents, sizeof(T), layout, error) &&
         view_operand<const T>(operation, element.data(), layout, "value", result, error);
}

// Whether the compiled library repeats the value of a call itself.
template <class Ex, class Output, class R>
inline constexpr bool value_goes_to_library = false;
template <class Ex, class T, class R>
inline constexpr bool value_goes_to_library<Ex, tensor_view<T>, R> =
    calls_library&& is_in_library<std::remove_const_t<T>, R>() &&
    reduces_without_throwing<std::remove_const_t<T>, R>() && !memory_on_demand<std::remove_const_t<Ex>>::allocates;

template <const operation_rules& Rules, reduction_set Set = only_none, class Ex, index_policy Policy, class Data,
          class Where, class View, class Output, class R>
constexpr void submit(Ex& ex, const call_operands<Policy, Data, Where, repeated<View>, Output, R>& call,
                      status& error) {
  const View& element = call.updates.element;
  if constexpr (value_goes_to_library<Ex, Output, R>) {
    if (!is_constant_evaluated()) {
      return submit<Rules, Set, true>(
          ex, operands_of<Policy>(call.data, call.where, element, call.output, call.reduce, call.axis), error);
    }
  }
  index_list extents;
  View updates = element;
  if (way_of<Where>::template find_updates<Rules>(call, extents, error) &&
      repeat(Rules.name, element, extents, updates, error)) {
    submit<Rules, Set>(ex, operands_of<Policy>(call.data, call.where, updates, call.output, call.reduce, call.axis),
                       error);
  }
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_FRONT_SUBMIT_HPP
