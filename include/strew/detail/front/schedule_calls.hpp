// SPDX-License-Identifier: Apache-2.0
// Calls on tensors whose types are known at run time only that measure, make or run a schedule of their indices.
#ifndef STREW_DETAIL_FRONT_SCHEDULE_CALLS_HPP
#define STREW_DETAIL_FRONT_SCHEDULE_CALLS_HPP

#include <strew/config.hpp>
#include <strew/detail/kernels/launch.hpp>
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

#if STREW_COMPILED
#include <strew/detail/front/compiled.hpp>
#else
#include <strew/detail/kernels/dispatch_schedule.hpp>
#endif

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

namespace strew::inline STREW_ABI::dynamic {

namespace detail::inline STREW_CODE {

// Calls body.operator()<By>(request) for the way of addressing of an operator.
template <const strew::detail::operation_rules& Rules>
struct schedule_back_end {
  static void measure(const erased::request& request, std::uint64_t& bytes, status& error) {
#if STREW_COMPILED
    erased::measure_schedule(request, bytes, error);
#else
    strew::detail::measure_schedule<Rules.by>(request, bytes, error);
#endif
  }
  static void make(const erased::request& request, char* memory, erased::bound_schedule& made, status& error) {
#if STREW_COMPILED
    erased::make_schedule(request, memory, made, error);
#else
    strew::detail::make_schedule<Rules.by>(request, memory, made, error);
#endif
  }
  static void run(const erased::request& request, const erased::bound_schedule& made, const executor_ref& ex,
                  status& error) {
#if STREW_COMPILED
    erased::run_by_schedule(request, made, ex, error);
#else
    strew::detail::run_by_schedule<Rules.by>(request, made, ex, error);
#endif
  }
};

// What takes the place of the executor in calls that measure, make and run a schedule.
struct schedule_measurement {
  using schedule_step = void;
  std::uint64_t& bytes;

  void operator()(std::size_t, const task&) const noexcept {}
};
struct schedule_making {
  using schedule_step = void;
  std::uint64_t& bytes;
  erased::bound_schedule& made;
  std::span<std::byte> memory;

  void operator()(std::size_t, const task&) const noexcept {}
};
template <class Ex>
struct schedule_run {
  using schedule_step = void;
  const erased::bound_schedule& made;
  Ex& ex;

  void operator()(std::size_t n, const task& body) const { ex(n, body); }
};

}  // namespace detail

// ---- Called by the operators

template <const strew::detail::operation_rules& Rules, reduction_set Set, bool Repeats = false, index_policy Policy,
          class D, class Indices, class U, class R>
void run_scatter(
    const detail::schedule_measurement& ex,
    const strew::detail::typed_operands<Policy, basic_tensor<D>, Indices, basic_tensor<U>, tensor, R>& operands,
    status& error) {
  detail::with_request<Rules, Set, Repeats>(operands, error, [&](const erased::request& request) {
    detail::schedule_back_end<Rules>::measure(request, ex.bytes, error);
  });
}
template <const strew::detail::operation_rules& Rules, reduction_set Set, bool Repeats = false, index_policy Policy,
          class D, class Indices, class U, class R>
void run_scatter(
    const detail::schedule_making& ex,
    const strew::detail::typed_operands<Policy, basic_tensor<D>, Indices, basic_tensor<U>, tensor, R>& operands,
    status& error) {
  detail::with_request<Rules, Set, Repeats>(operands, error, [&](const erased::request& request) {
    std::uint64_t bytes = 0;
    detail::schedule_back_end<Rules>::measure(request, bytes, error);
    if (!error.ok()) return;
    if (ex.memory.size() < bytes) {
      strew::detail::refuse(error, errc::too_little_memory, Rules.name, "memory",
                            " has {0} bytes, expected at least {1}", {saturate(ex.memory.size()), saturate(bytes)});
      return;
    }
    detail::schedule_back_end<Rules>::make(request, reinterpret_cast<char*>(ex.memory.data()), ex.made, error);
    if (error.ok()) ex.bytes = bytes;
  });
}
template <const strew::detail::operation_rules& Rules, reduction_set Set, bool Repeats = false, class Ex,
          index_policy Policy, class D, class Indices, class U, class R>
void run_scatter(
    const detail::schedule_run<Ex>& ex,
    const strew::detail::typed_operands<Policy, basic_tensor<D>, Indices, basic_tensor<U>, tensor, R>& operands,
    status& error) {
  const erased::bound_schedule& made = ex.made;
  if (made.indices.is == strew::detail::bound_indices::form::copied) {
    return run_scatter<Rules, Set, Repeats>(ex.ex, operands, error);
  }
  detail::with_request<Rules, Set, Repeats>(operands, error, [&](const erased::request& request) {
    using on_demand = strew::detail::memory_on_demand<std::remove_const_t<Ex>>;
    if constexpr (on_demand::is_lent) {
      on_demand::reserve(ex.ex, static_cast<std::uint64_t>(made.indices.workspace),
                         static_cast<std::uint64_t>(made.plan.output_bytes + made.plan.updates_bytes));
    }
    detail::schedule_back_end<Rules>::run(request, made, strew::detail::refer_to(ex.ex), error);
  });
}

}  // namespace strew::dynamic

#endif  // STREW_DETAIL_FRONT_SCHEDULE_CALLS_HPP
