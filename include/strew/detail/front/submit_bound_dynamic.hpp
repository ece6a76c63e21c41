// SPDX-License-Identifier: Apache-2.0
// Calls on tensors whose types are known at run time only that measure, make or run a schedule of their indices.
#ifndef STREW_DETAIL_FRONT_SUBMIT_BOUND_DYNAMIC_HPP
#define STREW_DETAIL_FRONT_SUBMIT_BOUND_DYNAMIC_HPP

#include <strew/config.hpp>
#include <strew/detail/front/compiled.hpp>
#include <strew/detail/kernels/validated_call.hpp>
#include <strew/detail/plan/schedule.hpp>
#include <strew/detail/rules/operation.hpp>
#include <strew/detail/rules/request.hpp>
#include <strew/detail/typed/typed_scatter.hpp>
#include <strew/dynamic.hpp>
#include <strew/execution/executor.hpp>
#include <strew/operators/reduction.hpp>
#include <strew/status.hpp>
#include <strew/view/index.hpp>
#include <strew/view/integer.hpp>

#if !STREW_COMPILED
#include <strew/detail/kernels/dispatch_bound.hpp>
#endif

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

namespace strew::inline STREW_ABI::dynamic {

namespace detail::inline STREW_CODE {

#if STREW_COMPILED
// The loops of a call are found by the library.
template <strew::detail::addressing>
void measure_schedule(const erased::request& request, std::uint64_t& bytes, status& error) {
  erased::measure_schedule(request, bytes, error);
}
template <strew::detail::addressing>
void make_schedule(const erased::request& request, char* memory, erased::bound_schedule& made, status& error) {
  erased::make_schedule(request, memory, made, error);
}
template <strew::detail::addressing>
void run_by_schedule(const erased::request& request, const erased::bound_schedule& made, const executor_ref& ex,
                     status& error) {
  erased::run_by_schedule(request, made, ex, error);
}
#else
using strew::detail::make_schedule;
using strew::detail::measure_schedule;
using strew::detail::run_by_schedule;
#endif

// What takes the place of the executor in calls that measure, make and run a schedule.
struct schedule_measurement {
  using schedule_step = void;
  std::uint64_t& bytes;

  static constexpr bool reads_indices = false;

  void operator()(std::size_t, const task&) const noexcept {}
  template <const strew::detail::operation_rules& Rules>
  void take(const erased::request& request, status& error) const {
    measure_schedule<Rules.by>(request, bytes, error);
  }
  void take_none() const noexcept { bytes = 0; }
};
struct schedule_making {
  using schedule_step = void;
  std::uint64_t& bytes;
  erased::bound_schedule& made;
  std::span<std::byte> memory;
  static constexpr bool reads_indices = true;

  void operator()(std::size_t, const task&) const noexcept {}
  template <const strew::detail::operation_rules& Rules>
  void take(const erased::request& request, status& error) const {
    std::uint64_t needed = 0;
    measure_schedule<Rules.by>(request, needed, error);
    if (!error.ok()) return;
    if (memory.size() < needed) {
      strew::detail::refuse(error, errc::too_little_memory, Rules.name, "memory",
                            " has {0} bytes, expected at least {1}", {saturate(memory.size()), saturate(needed)});
      return;
    }
    make_schedule<Rules.by>(request, reinterpret_cast<char*>(memory.data()), made, error);
    if (error.ok()) bytes = needed;
  }
  void take_none() const noexcept {
    bytes = 0;
    made = {};
  }
};
template <class Ex>
struct schedule_run {
  using schedule_step = void;
  const erased::bound_schedule& made;
  Ex& ex;

  void operator()(std::size_t n, const task& body) const { ex(n, body); }
  [[nodiscard]] bool runs_copy() const noexcept {
    return made.indices.is == strew::detail::bound_indices::form::copied;
  }
  template <const strew::detail::operation_rules& Rules>
  void take(const erased::request& request, status& error) const {
    using on_demand = strew::detail::memory_on_demand<std::remove_const_t<Ex>>;
    if constexpr (on_demand::allocates) {
      on_demand::reserve(ex, static_cast<std::uint64_t>(made.indices.workspace),
                         static_cast<std::uint64_t>(made.plan.output_bytes + made.plan.updates_bytes));
    }
    run_by_schedule<Rules.by>(request, made, strew::detail::refer_to(ex), error);
  }
};

}  // namespace detail

// Called by the operators. A run is a usual call unless it has a schedule: usual(executor). Otherwise
// with_request(body) calls body(request). Calls without indices have no schedule; segments are checked when it would be
// made.
template <const strew::detail::operation_rules& Rules, detail::schedule_step Step, class Where, class Usual,
          class WithRequest>
void submit_step(const Step& step, const Where& where, status& error, const Usual& usual,
                 const WithRequest& with_request) {
  constexpr bool has_indices = requires {
    where.layout(0);
  };
  constexpr bool is_run = requires {
    step.runs_copy();
  };
  if constexpr (is_run) {
    if (!has_indices || step.runs_copy()) return usual(step.ex);
  }
  with_request([&](const erased::request& request) {
    if constexpr (has_indices) {
      step.template take<Rules>(request, error);
    } else if constexpr (!is_run) {
      if constexpr (requires { where.offsets; }) {
        strew::detail::check_dispatched_segments(request, Step::reads_indices, error);
      }
      if (error.ok()) step.take_none();
    }
  });
}
template <const strew::detail::operation_rules& Rules, reduction_set Set = strew::detail::only_none,
          bool Repeats = false, detail::schedule_step Step, index_policy Policy, class D, class Where, class U, class R>
void submit(const Step& step,
            const strew::detail::call_operands<Policy, basic_tensor<D>, Where, basic_tensor<U>, tensor, R>& operands,
            status& error) {
  submit_step<Rules>(
      step, operands.where, error, [&](auto& ex) { submit<Rules, Set, Repeats>(ex, operands, error); },
      [&](const auto& body) { detail::with_request<Rules, Set, Repeats>(operands, error, body); });
}
// Those whose updates are converted, and those that store positions, have none either.
template <const strew::detail::operation_rules& Rules, reduction_set Set = strew::detail::only_none,
          detail::schedule_step Step, index_policy Policy, class D, class Where, class U, class R>
void submit(const Step& step,
            const strew::detail::call_operands<Policy, basic_tensor<D>, Where,
                                               strew::detail::converted_updates<basic_tensor<U>>, tensor, R>& operands,
            status& error) {
  submit_step<Rules>(
      step, operands.where, error, [&](auto& ex) { submit<Rules, Set>(ex, operands, error); },
      [&](const auto& body) {
        submit_converted<Rules, Set>(
            operands, error, [&](const auto& as_given) { submit<Rules, Set>(step, as_given, error); }, body);
      });
}
template <const strew::detail::operation_rules& Rules, reduction_set Set = strew::detail::only_none,
          bool Repeats = false, detail::schedule_step Step, index_policy Policy, class D, class Where, class U, class R>
void submit(const Step& step,
            const strew::detail::call_operands<Policy, basic_tensor<D>, Where, basic_tensor<U>, tensor,
                                               strew::reduction::with_positions_type<R, tensor>>& operands,
            status& error) {
  submit_step<Rules>(
      step, operands.where, error, [&](auto& ex) { submit<Rules, Set, Repeats>(ex, operands, error); },
      [&](const auto& body) { submit_with_positions<Rules, Set, Repeats>(operands, error, body); });
}

}  // namespace strew::dynamic

#endif  // STREW_DETAIL_FRONT_SUBMIT_BOUND_DYNAMIC_HPP
