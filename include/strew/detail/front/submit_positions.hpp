// SPDX-License-Identifier: Apache-2.0
// Scatters by indices that also store which update each element of the output holds.
#ifndef STREW_DETAIL_FRONT_SUBMIT_POSITIONS_HPP
#define STREW_DETAIL_FRONT_SUBMIT_POSITIONS_HPP

#include <strew/config.hpp>
#include <strew/detail/constant_evaluation.hpp>
#include <strew/detail/front/submit.hpp>
#include <strew/detail/front/submit_indices.hpp>
#include <strew/detail/front/submit_reductions.hpp>
#include <strew/detail/front/typed_indices.hpp>
#include <strew/detail/kernels/parallel.hpp>
#include <strew/detail/kernels/pipeline.hpp>
#include <strew/detail/kernels/position_kernels.hpp>
#include <strew/detail/rules/check_positions.hpp>
#include <strew/detail/rules/operation.hpp>
#include <strew/detail/rules/request.hpp>
#include <strew/detail/typed/typed_positions.hpp>
#include <strew/execution/executor.hpp>
#include <strew/operators/reduction.hpp>
#include <strew/status.hpp>
#include <strew/view/element.hpp>
#include <strew/view/index.hpp>
#include <strew/view/tensor_view.hpp>

#include <cstdint>
#include <type_traits>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

template <const operation_rules& Rules, class Ex, index_policy Policy, class D, class Where, class U, class T, class R,
          class Integer>
void submit_request_with_positions(Ex& ex,
                                   const call_operands<Policy, tensor_view<D>, Where, tensor_view<U>, tensor_view<T>,
                                                       reduction::with_positions_type<R, tensor_view<Integer>>>& call,
                                   status& error) {
  using way = way_of<Where>;
  const tensor_view<Integer>& view = call.reduce.numbers;
  const erased::numbers_operand numbers{reinterpret_cast<char*>(view.data()), &view.layout(),
                                        static_cast<std::int64_t>(sizeof(Integer)), std::is_unsigned_v<Integer>};
  erased::call_type type = find_call_type<Rules, T, Policy, R, false, false>();
  type.components = call.where.count();
  type.has_numbers = true;
  type.reduce = &numbers;
  erased::index_operand indices[way::most()];
  erased::request request = make_request(type, call.data, call.updates, call.output);
  way::template address<held_index_loops<Rules.rule>>(call, indices, request);
  constexpr const reduce_loops& loops = []() -> const reduce_loops& {
    if constexpr (std::is_same_v<R, reduction::none_type>) {
      return assigning_position_loops_of<loop_width<T>>;
    } else {
      return position_loops_of<T, R>;
    }
  }();
  run_request(context_on<Ex>(ex).get(), request,
              loops_with_positions<Rules.by>(copy_loops_of<loop_width<T>, false>, loops), error);
}

// Not for bound calls, whose indices are layouts: these have no schedule.
template <const operation_rules& Rules, reduction_set Set = only_none, bool Repeats = false, class Ex,
          index_policy Policy, class D, class Where, class U, class T, class R, class Integer>
  requires requires(const Where& where) {
    where.at(0, 0);
  }
constexpr void submit(Ex& ex,
                      const call_operands<Policy, tensor_view<D>, Where, tensor_view<U>, tensor_view<T>,
                                          reduction::with_positions_type<R, tensor_view<Integer>>>& call,
                      status& error) {
  const auto typed = [&](const execution_context* ctx) { way_of<Where>::template run_typed<Rules>(ctx, call, error); };
  // Not negated: see submit.
  if (is_constant_evaluated()) {
    typed(nullptr);
  } else if constexpr (!is_bytewise<T> || !reduces_without_throwing<T, R>()) {
    run_typed<T, reduces_without_throwing<T, R>()>(ex, typed);
  } else {
    submit_request_with_positions<Rules>(ex, call, error);
  }
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_FRONT_SUBMIT_POSITIONS_HPP
