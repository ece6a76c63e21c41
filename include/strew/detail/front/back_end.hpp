// SPDX-License-Identifier: Apache-2.0
// The way from typed operands to the back end: constant evaluation and elements that are more than their bytes take the
// generic loops, all others a call whose types are forgotten.
#ifndef STREW_DETAIL_FRONT_BACK_END_HPP
#define STREW_DETAIL_FRONT_BACK_END_HPP

#include <strew/config.hpp>
#include <strew/detail/call.hpp>
#include <strew/detail/cpu/sharing.hpp>
#include <strew/detail/front/operands.hpp>
#include <strew/detail/generic/calls.hpp>
#include <strew/detail/plan/partition.hpp>
#include <strew/detail/rules/scatter.hpp>
#include <strew/executor.hpp>
#include <strew/index.hpp>
#include <strew/index_list.hpp>
#include <strew/slice_spec.hpp>
#include <strew/status.hpp>
#include <strew/tensor_view.hpp>

#if STREW_COMPILED
#include <strew/detail/front/compiled.hpp>
#else
#include <strew/detail/cpu/calls.hpp>
#endif

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// The index type of one size and signedness, whatever it is called, so that its leaves are made once.
template <class Index>
using sized_index = std::conditional_t<
    sizeof(Index) == 1, std::conditional_t<std::is_signed_v<Index>, std::int8_t, std::uint8_t>,
    std::conditional_t<
        sizeof(Index) == 2, std::conditional_t<std::is_signed_v<Index>, std::int16_t, std::uint16_t>,
        std::conditional_t<sizeof(Index) == 4, std::conditional_t<std::is_signed_v<Index>, std::int32_t, std::uint32_t>,
                           std::conditional_t<std::is_signed_v<Index>, std::int64_t, std::uint64_t>>>>;

// The width whose leaves move a T. Those of long elements are told it when they run.
template <class T>
inline constexpr std::size_t leaf_width = sizeof(T) <= 64 ? sizeof(T) : 0;

template <class T>
const char* address(T* data) noexcept {
  return reinterpret_cast<const char*>(data);
}

// Forgets the types of a call.
template <class T, class D, class U>
erased::call erase(const tensor_view<D>& data, const tensor_view<U>& updates, const tensor_view<T>& output) noexcept {
  return {{address(data.data()), &data.layout()},
          {},
          {address(updates.data()), &updates.layout()},
          {reinterpret_cast<char*>(output.data()), &output.layout()},
          static_cast<std::int64_t>(sizeof(T))};
}
template <class T, class D, class Index, class U>
erased::call erase(const tensor_view<D>& data, const tensor_view<Index>& indices, const tensor_view<U>& updates,
                   const tensor_view<T>& output) noexcept {
  erased::call call = erase(data, updates, output);
  call.indices = {address(indices.data()), &indices.layout(), index_type_of<Index>};
  return call;
}

#if !STREW_COMPILED

// The leaves that a call on an executor Ex can reach.
template <class T, class Index, index_rule Rule, scatter_kind Kind, class Ex>
inline constexpr leaves leaves_for{
    &copy_leaves_of<leaf_width<T>>, &index_leaves_of<sized_index<Index>, Rule>,
    &scatter_leaves_of<leaf_width<T>, loop_index<sized_index<Index>>,
                       scatter_reach{Kind, Rule == index_rule::wrapping&& std::is_signed_v<Index>, !is_serial<Ex>,
                                     lends_memory<Ex>}>};
template <class T>
inline constexpr leaves leaves_for_slices{&copy_leaves_of<leaf_width<T>>, nullptr, nullptr};

#endif

// Calls generic(who) with what a call on typed elements runs on: null for all in one.
template <class T, class Ex, class Call>
void run_generic(Ex& ex, const Call& generic) {
  if constexpr (assigns_without_throwing<T> && !is_serial<std::remove_const_t<Ex>>) {
    const executor_ref ref = refer_to(ex);
    const workers who{ref, sharing_of<std::remove_const_t<Ex>>()};
    generic(&who);
  } else {
    generic(static_cast<const workers*>(nullptr));
  }
}

// What tells the operators from each other. run_call(operator, ex, operands.., error) is found by the types of the
// operands: below for views, in dynamic.hpp for tensors whose types are known at run time.
struct slice_scatter_call {};
template <const rows_rules& Rules>
struct scatter_rows_call {
  static_assert(Rules.rule == index_rule::strict, "the kernels of rows take no negative indices");
  static constexpr const char* name = Rules.operation;
  static constexpr const elements_rules* elements = nullptr;
  static constexpr index_rule rule = Rules.rule;

  // All rules but for addresses and the values of the indices.
  static constexpr bool check(const scatter_layouts& at, const index_list& axis_argument, int& axis,
                              status& error) noexcept {
    return check_rows(name, at, {}, axis_argument, axis, error);
  }
};
template <const elements_rules& Rules>
struct scatter_elements_call {
  static constexpr const char* name = Rules.operation;
  static constexpr const elements_rules* elements = &Rules;
  static constexpr index_rule rule = Rules.rule;

  static constexpr bool check(const scatter_layouts& at, const index_list& axis_argument, int& axis,
                              status& error) noexcept {
    return check_elements(Rules, at, {}, axis_argument, axis, error);
  }
};
using scatter_update_call = scatter_rows_call<scatter_update_rules>;
using scatter_elements_update_call = scatter_elements_call<scatter_elements_update_rules>;
using onnx_scatter_call = scatter_elements_call<onnx_scatter_rules>;

template <class Ex, class D, class U, class T>
constexpr void run_call(slice_scatter_call, Ex& ex, const tensor_view<D>& data, const tensor_view<U>& updates,
                        const slice_spec& slice, const tensor_view<T>& output, status& error) {
  const auto generic = [&](const workers* who) { generic::slice_scatter<T>(who, data, updates, slice, output, error); };
  // Only a positive test of constant evaluation drops the generic path where nothing is optimised.
  if (std::is_constant_evaluated()) {
    generic(nullptr);
  } else if constexpr (!is_bytewise<T>) {
    run_generic<T>(ex, generic);
  } else {
    const erased::call call = erase(data, updates, output);
#if STREW_COMPILED
    erased::slice_scatter(call, slice, refer_to(ex), error);
#else
    const executor_ref ref = refer_to(ex);
    const workers who{ref, sharing_of<std::remove_const_t<Ex>>()};
    if (slice_few(who, call, slice)) return;
    slice_scatter(who, call, leaves_for_slices<T>, slice, error);
#endif
  }
}

template <const rows_rules& Rules, class Ex, class D, class Index, class U, class T>
constexpr void run_call(scatter_rows_call<Rules>, Ex& ex, const tensor_view<D>& data, const tensor_view<Index>& indices,
                        const tensor_view<U>& updates, const index_list& axis, const tensor_view<T>& output,
                        status& error) {
  using index = std::remove_const_t<Index>;
  const auto generic = [&](const workers* who) {
    generic::scatter_rows<T, index>(who, data, indices, updates, Rules.operation, axis, output, error);
  };
  if (std::is_constant_evaluated()) {
    generic(nullptr);
  } else if constexpr (!is_bytewise<T>) {
    run_generic<T>(ex, generic);
  } else {
    const erased::call call = erase(data, indices, updates, output);
#if STREW_COMPILED
    erased::scatter_update(call, axis, refer_to(ex), error);
#else
    using executor = std::remove_const_t<Ex>;
    constexpr const leaves& with = leaves_for<T, index, index_rule::strict, scatter_kind::row, executor>;
    const executor_ref ref = refer_to(ex);
    const workers who{ref, sharing_of<executor>()};
    if (scatter_dense(who, call, with, axis, nullptr)) return;
    scatter_rows(who, call, with, Rules.operation, axis, error);
#endif
  }
}

template <const elements_rules& Rules, class Ex, class D, class Index, class U, class T>
constexpr void run_call(scatter_elements_call<Rules>, Ex& ex, const tensor_view<D>& data,
                        const tensor_view<Index>& indices, const tensor_view<U>& updates, const index_list& axis,
                        const tensor_view<T>& output, status& error) {
  using index = std::remove_const_t<Index>;
  const auto generic = [&](const workers* who) {
    generic::scatter_elements<T, index>(who, data, indices, updates, Rules, axis, output, error);
  };
  if (std::is_constant_evaluated()) {
    generic(nullptr);
  } else if constexpr (!is_bytewise<T>) {
    run_generic<T>(ex, generic);
  } else {
    const erased::call call = erase(data, indices, updates, output);
#if STREW_COMPILED
    if constexpr (Rules.rule == index_rule::strict) {
      erased::scatter_elements_update(call, axis, refer_to(ex), error);
    } else {
      erased::onnx_scatter(call, axis, refer_to(ex), error);
    }
#else
    using executor = std::remove_const_t<Ex>;
    constexpr const leaves& with = leaves_for<T, index, Rules.rule, scatter_kind::element, executor>;
    const executor_ref ref = refer_to(ex);
    const workers who{ref, sharing_of<executor>()};
    if (scatter_dense(who, call, with, axis, &Rules)) return;
    scatter_elements(who, call, with, Rules, axis, error);
#endif
  }
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_FRONT_BACK_END_HPP
