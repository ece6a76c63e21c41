// SPDX-License-Identifier: Apache-2.0
// Calls that address their targets by indices of rows or elements. For those that are not plain see
// submit_reductions.hpp.
#ifndef STREW_DETAIL_FRONT_SUBMIT_INDICES_HPP
#define STREW_DETAIL_FRONT_SUBMIT_INDICES_HPP

#include <strew/config.hpp>
#include <strew/detail/front/compiled.hpp>
#include <strew/detail/front/descriptor.hpp>
#include <strew/detail/front/operands.hpp>
#include <strew/detail/front/parse.hpp>
#include <strew/detail/front/submit.hpp>
#include <strew/detail/front/typed_indices.hpp>
#include <strew/detail/kernels/loop_table.hpp>
#include <strew/detail/kernels/pipeline.hpp>
#include <strew/detail/kernels/plain_kernels.hpp>
#include <strew/detail/kernels/scatter_loops.hpp>
#include <strew/detail/kernels/validated_call.hpp>
#include <strew/detail/plan/partition.hpp>
#include <strew/detail/rules/operation.hpp>
#include <strew/detail/rules/request.hpp>
#include <strew/detail/rules/updates_extents.hpp>
#include <strew/detail/typed/typed_scatter.hpp>
#include <strew/execution/executor.hpp>
#include <strew/operators/reduction.hpp>
#include <strew/status.hpp>
#include <strew/view/index.hpp>
#include <strew/view/index_list.hpp>

#include <type_traits>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

template <class R>
constexpr bool is_plain_scatter(const operation_rules& rules, index_policy policy) noexcept {
  return std::is_same_v<R, reduction::none_type> &&
         is_plain_scatter(rules.by, rules.rule, policy, reduction_kind::none);
}

// The features of loops that a call on an executor Ex can use.
template <const operation_rules& Rules, class Indices, class Ex, bool IsPlain>
inline constexpr scatter_features features_of{Rules.names_rows() ? scatter_kind::row : scatter_kind::element,
                                              Rules.rule == index_rule::wrapping&& Indices::may_be_negative,
                                              may_have_workspace<Ex>, !IsPlain && Indices::may_be_direct};
// The loops and kernels of a scatter by indices: here of a plain one; see submit_reductions.hpp for others.
template <bool IsPlain>
struct loops_of_scatter;
template <>
struct loops_of_scatter<true> {
  template <const operation_rules& Rules, class T, class Indices, class R, class Ex>
  static constexpr reachable_loops loops{
      &copy_loops_of<loop_width<T>, false>,
      &scatter_loops_of<loop_width<T>, typename Indices::loop_integer, features_of<Rules, Indices, Ex, true>>,
      &assign_loops_of<loop_width<T>, typename Indices::loop_integer,
                       plain_features<Rules.rule == index_rule::wrapping>>,
      validate<Rules.by>,
      Rules.names_rows() ? &kernels_of_rows<may_have_workspace<Ex>> : &kernels_of_elements<may_have_workspace<Ex>>};
};

// Runs a scatter by indices by the function of the library for its family. R: a reduction, or a type of those that are
// known at run time only.
template <const operation_rules& Rules, class R>
void run_scatter_in_library(const erased::request& request, const executor_ref& ex, status& error) {
  using erased::combining;
  if constexpr (std::is_same_v<R, reduction::none_type>) {
    erased::scatter_by<erased::family_of(Rules.by, combining::assigns)>(request, ex, error);
  } else if constexpr (is_dynamic_reduction<R>) {
    erased::scatter(request, ex, error);
  } else if constexpr (named_reduction<R> && !std::is_same_v<R, reduction::sum_type> &&
                       Rules.by != addressing::tensors && Rules.by != addressing::numbers) {
    erased::scatter_by<erased::family_of(Rules.by, combining::reduces)>(request, ex, error);
  } else {
    erased::scatter_by<erased::family_of(Rules.by, combining::sums)>(request, ex, error);
  }
}

// Indices, of any addressing.
template <class Where>
struct way_of {
  static constexpr int most() noexcept { return Where::most; }  // operands of indices in a request
  static constexpr bool uses_memory = true;

  template <const operation_rules& Rules, class Call>
  static constexpr bool find_updates(const Call& call, index_list& extents, status& error) noexcept {
    return find_scatter_updates<Rules.by>(Rules, call.data.extents(), call.where.layout(0).extents(), call.axis,
                                          call.where.count(), extents, error);
  }
  template <const operation_rules& Rules, class Call>
  static constexpr void run_typed(const execution_context* ctx, const Call& call, status& error) {
    typed::scatter<Rules>(ctx, call, error);
  }
  // Sets what a request has of the targets. Loops: those for indices.
  template <class Loops, class Call>
  static void address(const Call& call, erased::index_operand* indices, erased::request& request) noexcept {
    call.where.template list<Loops>(indices);
    request.axis = call.axis;
    request.indices = indices;
  }
  template <const operation_rules& Rules, index_policy Policy, class T, class R, class Ex>
  static void run(const execution_context& ctx, const erased::request& request, status& error) {
    using loops = loops_of_scatter<is_plain_scatter<R>(Rules, Policy)>;
    run_request(ctx, request, loops::template loops<Rules, T, Where, R, Ex>, error);
  }
  template <const operation_rules& Rules, class R>
  static void run_in_library(const erased::request& request, const executor_ref& ex, status& error) {
    run_scatter_in_library<Rules, R>(request, ex, error);
  }
};

template <class Given, class R>
constexpr void submit_by(by_role<role::indices>, const Given& given, const R& reduce) {
  constexpr const operation& op = Given::op;
  const auto& indices = given.template get<role::indices>();
  using indices_type = std::remove_cvref_t<decltype(indices)>;
  if constexpr (op.rules.by == addressing::multi_indices) {
    submit_multi_indices(given, indices, reduce);
  } else if constexpr (op.rules.by == addressing::numbers) {
    submit_numbers(given, indices, reduce);
  } else {
    const auto source = source_of(without_policy(indices));
    const index_list& axis = given.axis();
    submit<op.rules, op.reductions>(
        given.call.ex,
        operands_of<policy_of<indices_type>>(given.data(), source, given.updates(), given.call.output, reduce, &axis),
        given.call.error);
  }
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_FRONT_SUBMIT_INDICES_HPP
