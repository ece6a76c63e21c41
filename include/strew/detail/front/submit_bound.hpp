// SPDX-License-Identifier: Apache-2.0
// Two executors for bound calls of any operator that scatters by indices: one makes the schedule of the indices instead
// of running the call, the other runs the call by that schedule instead of by indices.
#ifndef STREW_DETAIL_FRONT_SUBMIT_BOUND_HPP
#define STREW_DETAIL_FRONT_SUBMIT_BOUND_HPP

#include <strew/config.hpp>
#include <strew/detail/front/submit.hpp>
#include <strew/detail/front/submit_layouts.hpp>
#include <strew/detail/front/submit_slices.hpp>
#include <strew/detail/kernels/parallel.hpp>
#include <strew/detail/kernels/run_bound.hpp>
#include <strew/detail/kernels/validated_call.hpp>
#include <strew/detail/plan/dense_plan.hpp>
#include <strew/detail/plan/schedule.hpp>
#include <strew/detail/rules/check_operands.hpp>
#include <strew/detail/rules/check_scatter.hpp>
#include <strew/detail/rules/operation.hpp>
#include <strew/detail/rules/request.hpp>
#include <strew/detail/rules/target_axis.hpp>
#include <strew/detail/rules/targets.hpp>
#include <strew/detail/typed/reduction_step.hpp>
#include <strew/execution/executor.hpp>
#include <strew/operators/reduction.hpp>
#include <strew/status.hpp>
#include <strew/view/element.hpp>
#include <strew/view/index.hpp>
#include <strew/view/index_list.hpp>
#include <strew/view/integer.hpp>
#include <strew/view/layout.hpp>

#include <cstdint>
#include <type_traits>
#include <utility>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// Whether a reduction has loops over entries: assignment, and all without states.
template <class T, class R>
constexpr bool has_schedule() noexcept {
  if constexpr (!is_bytewise<T> || has_positions<R> || !reduces_without_throwing<T, R>()) {
    return false;
  } else {
    return std::is_same_v<R, reduction::none_type> || std::is_same_v<R, scaled_sum<T>> ||
           reduction_step<T, R>::grid == state_layout::none;
  }
}

// For operators on layouts without memory.
class schedule_maker {
 public:
  // Finds the bytes of the schedule alone.
  constexpr schedule_maker() noexcept = default;
  // Makes the schedule in `memory`.
  constexpr schedule_maker(char* memory, erased::bound_schedule& made) noexcept : memory_{memory}, made_{&made} {}

  // 0 if the call has no schedule and is run by a copy of its indices.
  [[nodiscard]] constexpr std::uint64_t bytes() const noexcept { return bytes_; }

  // Returns whether the call has a schedule. If indices have memory, they were then checked, and the schedule of legal
  // ones was made.
  template <const operation_rules& Rules, class Call, class Indices>
  constexpr bool make(const Indices& indices, const scatter_layouts& at, const target_axes& axes, status& error) {
    using element = std::remove_const_t<view_element<std::remove_cvref_t<decltype(std::declval<Call>().output)>>>;
    using reduce = std::remove_cvref_t<decltype(std::declval<Call>().reduce)>;
    if constexpr (!has_schedule<element, reduce>()) {
      return false;
    } else {
      erased::bound_schedule planned;
      if (indices.count() == 0 ||
          !plan_bound(Rules, at, axes, sizeof(element), !std::is_same_v<reduce, reduction::none_type>, planned)) {
        return false;
      }
      bytes_ = static_cast<std::uint64_t>(bytes_for(planned.as));
      if constexpr (requires { Indices::most; }) {
        erased::index_operand operands[Indices::most];
        indices.template list<held_index_loops<Rules.rule>>(operands);
        const auto index_at = [&](int j, std::int64_t offset) { return indices.at(j, offset).bits; };
        bind_indices<Indices::most>(Rules, Call::policy, at.output, axes, planned, operands, index_at, memory_, *made_,
                                    error);
      }
      return true;
    }
  }

 private:
  char* memory_ = nullptr;
  erased::bound_schedule* made_ = nullptr;
  std::uint64_t bytes_ = 0;
};
template <>
inline constexpr bool makes_schedules<schedule_maker> = true;

// Runs a call whose indices are a layout without memory.
template <class Ex>
class schedule_runner {
 public:
  schedule_runner(Ex& ex, const erased::bound_schedule& made) noexcept : ex_{ex}, made_{made} {}

  template <const operation_rules& Rules, class Call>
  void run(const Call& call, status& error) const {
    using element = std::remove_cvref_t<decltype(*call.output.data())>;
    using reduction = std::remove_cvref_t<decltype(call.reduce)>;
    if constexpr (has_schedule<element, reduction>()) {
      erased::call_type type = call_type_of<Rules, element>;
      type.components = 0;  // the indices are bound
#if STREW_NOTES_KERNELS
      type.named = choice_in_trace<element, reduction>();
#endif
      if constexpr (!named_reduction<reduction>) type.reduce = &reinterpret_cast<const char&>(call.reduce);
      using on_demand = memory_on_demand<std::remove_const_t<Ex>>;
      if constexpr (on_demand::allocates) {
        on_demand::reserve(ex_, static_cast<std::size_t>(made_.indices.workspace),
                           static_cast<std::uint64_t>(made_.plan.output_bytes + made_.plan.updates_bytes));
      }
      const bound_loops* combining = nullptr;
      if constexpr (!std::is_same_v<reduction, strew::reduction::none_type>) {
        combining = &combining_loops_of<element, reduction>;
      }
      run_bound(context_on<Ex>(ex_).get(), make_request(type, call.data, call.updates, call.output),
                copy_loops_of<loop_width<element>>, made_, combining, error);
    }
  }

 private:
  Ex& ex_;
  const erased::bound_schedule& made_;
};
// Masks and positions of caches have no schedule: this is for their types alone.
template <const operation_rules& Rules, reduction_set Set = only_none, bool Repeats = false, class Ex,
          index_policy Policy, class D, class Where, class U, class T, class R>
void submit(const schedule_runner<Ex>& ex,
            const call_operands<Policy, tensor_view<D>, Where, tensor_view<U>, tensor_view<T>, R>& call,
            status& error) {
  if constexpr (requires { call.where.layout(0); }) ex.template run<Rules>(call, error);
}

// Nor have calls whose updates are converted.
template <const operation_rules& Rules, reduction_set Set = only_none, class Ex, index_policy Policy, class D,
          class Where, class U, class T, class R>
void submit(const schedule_runner<Ex>&,
            const call_operands<Policy, tensor_view<D>, Where, converted_updates<tensor_view<U>>, tensor_view<T>, R>&,
            status&) {}

}  // namespace strew::detail

#endif  // STREW_DETAIL_FRONT_SUBMIT_BOUND_HPP
