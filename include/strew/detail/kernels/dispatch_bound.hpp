// SPDX-License-Identifier: Apache-2.0
// Bound scatters whose element and index types are known at run time only: the schedule of their indices, and its runs.
// Requests have the loops for their indices.
#ifndef STREW_DETAIL_KERNELS_DISPATCH_BOUND_HPP
#define STREW_DETAIL_KERNELS_DISPATCH_BOUND_HPP

#include <strew/config.hpp>
#include <strew/detail/kernels/check_indices.hpp>
#include <strew/detail/kernels/dispatch.hpp>
#include <strew/detail/kernels/index_reader.hpp>
#include <strew/detail/kernels/position_kernels.hpp>
#include <strew/detail/kernels/run_bound.hpp>
#include <strew/detail/kernels/validated_call.hpp>
#include <strew/detail/number_types.hpp>
#include <strew/detail/plan/dense_plan.hpp>
#include <strew/detail/plan/schedule.hpp>
#include <strew/detail/rules/check_operands.hpp>
#include <strew/detail/rules/operation.hpp>
#include <strew/detail/rules/request.hpp>
#include <strew/detail/rules/target_axis.hpp>
#include <strew/detail/rules/targets.hpp>
#include <strew/detail/typed/reduction_step.hpp>
#include <strew/dynamic/element_type.hpp>
#include <strew/execution/executor.hpp>
#include <strew/operators/reduction.hpp>
#include <strew/operators/reduction_kind.hpp>
#include <strew/status.hpp>
#include <strew/view/index.hpp>
#include <strew/view/integer.hpp>
#include <strew/view/layout.hpp>
#include <strew/view/overlap.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

template <class T, class R>
const bound_loops* combining_loops_if_any() noexcept {
  if constexpr (can_reduce<T, R>()) {
    if constexpr (reduction_step<T, R>::grid == state_layout::none) return &combining_loops_of<T, R>;
  }
  return nullptr;
}

// The loops over entries of a named reduction; null for one with states or without NaNs, and if the element type lacks
// it.
inline const bound_loops* find_combining_loops(const erased::call_type& call) noexcept {
  using enum reduction_kind;
  const erased::reduction_choice& named = call.named;
  dynamic::element_type type{named.of, call.element_size};
  const bool is_modular = named.kind == sum || named.kind == sub || named.kind == prod;
  if (!named.include_init || named.skips_nan) return nullptr;
  // Signed and unsigned integers that wrap have the same bits.
  if (type.kind == dynamic::element_kind::signed_integer && is_modular) {
    type.kind = dynamic::element_kind::unsigned_integer;
  }
  const bound_loops* found = nullptr;
  with_element_type(type, [&]<class T>() {
    constexpr bool has_modular = !(wrapping_integer<T> && std::is_signed_v<T>);
    if (named.kind == min) found = combining_loops_if_any<T, reduction::min_type>();
    if (named.kind == max) found = combining_loops_if_any<T, reduction::max_type>();
    if constexpr (has_modular) {
      if (named.kind == sum) found = combining_loops_if_any<T, reduction::sum_type>();
      if (named.kind == sub) found = combining_loops_if_any<T, reduction::sub_type>();
      if (named.kind == prod) found = combining_loops_if_any<T, reduction::prod_type>();
    }
    return true;
  });
  return found;
}

// What the schedule of a request depends on.
struct request_schedule {
  target_axes axes{};
  erased::bound_schedule planned{};
  const bound_loops* combining = nullptr;  // null: updates are assigned
  bool is_bound = false;                   // otherwise the call is run by a copy of its indices
};

// Checks the shapes of a request and plans its schedule.
template <addressing By>
bool plan_request_schedule(const erased::request& call, const shared_memory& shared, request_schedule& found,
                           status& error) noexcept {
  const erased::call_type& type = call.type;
  const bool combines = type.named.kind != reduction_kind::none;
  if (!validate<By>(call, shared, found.axes, error)) return false;
  const auto no_overlap = [](int) { return overlap_result::no; };
  if (type.has_numbers && !check_positions(call, found.axes, no_overlap, error)) return false;
  if (!type.named.is_offered) return refuse_reduction(type, error);
  if (combines) found.combining = find_combining_loops(type);
  found.is_bound = type.components > 0 && type.converts == nullptr && !type.has_numbers &&
                   combines == (found.combining != nullptr) &&
                   plan_bound(type.rules, layouts_of(call), found.axes, type.element_size, combines, found.planned);
  return true;
}

// Checks shapes; `bytes` becomes the size of the schedule, 0 if there is none.
template <addressing By>
void measure_schedule(const erased::request& call, std::uint64_t& bytes, status& error) noexcept {
  request_schedule found;
  if (!plan_request_schedule<By>(call, {}, found, error)) return;
  bytes = found.is_bound ? static_cast<std::uint64_t>(bytes_for(found.planned.as)) : 0;
}

// Checks shapes and indices, and makes the schedule, if there is one, in `memory` of as many bytes. On an error nothing
// is written.
template <addressing By>
void make_schedule(const erased::request& call, char* memory, erased::bound_schedule& made, status& error) noexcept {
  request_schedule found;
  if (!plan_request_schedule<By>(call, {}, found, error)) return;
  const erased::call_type& type = call.type;
  if (!found.is_bound) {
    index_analysis unused;
    const index_constraint constraint{type.rules, type.policy, found.axes, *call.output.layout};
    if (check_indices(serial_context, constraint, call.indices, unused, error)) made = found.planned;
    return;
  }
  for (int j = 0; j < type.components; ++j) {
    const erased::index_operand& from = call.indices[j];
    if (!check_memory_apart(type.rules.name, memory, bytes_for(found.planned.as), from.data, *from.layout,
                            static_cast<std::size_t>(from.loops->size), error)) {
      return;
    }
  }
  const auto index_at = [&](int j, std::int64_t offset) { return index_bits(call.indices[j], offset); };
  bind_indices<max_rank + 1>(type.rules, type.policy, *call.output.layout, found.axes, found.planned, call.indices,
                             index_at, memory, made, error);
}

// Runs a request whose indices have a schedule by that.
template <addressing By>
void run_by_schedule(const erased::request& call, const erased::bound_schedule& made, const executor_ref& ex,
                     status& error) {
  erased::call_type type = call.type;
  type.components = 0;  // the indices are not read
  erased::request bound{type, call.data, call.updates, call.output, call.indices, {nullptr}};
  bound.axis = call.axis;
  const shared_memory shared = find_shared(bound);
  request_schedule found;
  if (!plan_request_schedule<By>(call, shared, found, error)) return;
  // Entries are numbers of targets and updates: others than those of the plan must not be read or written. A slice is
  // one of the axis.
  if (!found.is_bound || !(found.planned.plan == made.plan) || !(found.planned.as == made.as) ||
      found.planned.axis != made.axis) {
    // Without loops that combine, the element type may lack the reduction, unless that has no schedule.
    const erased::reduction_choice& named = type.named;
    const bool may_lack = named.kind != reduction_kind::none && named.kind != reduction_kind::mean &&
                          named.include_init && !named.skips_nan;
    if (may_lack && found.combining == nullptr && made.as.combines) {
      refuse_reduction(type, error);
    } else {
      refuse(
          error, errc::extent_mismatch, type.rules.name, "operands",
          " are not dense, or differ in extents or element size from those with which the indices were bound, or the "
          "operator differs");
    }
    return;
  }
  const reachable_loops reachable{find_copy_loops(type.element_size)};
  validated_call c{bound, reachable};
  c.set_in_place(shared.in_place);
  run_bound(context_of(ex), c, made, found.combining, error);
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_KERNELS_DISPATCH_BOUND_HPP
