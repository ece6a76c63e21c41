// SPDX-License-Identifier: Apache-2.0
// Calls on dense operands, before the general checks: their kernels have their own.
#ifndef STREW_DETAIL_KERNELS_DENSE_CALL_HPP
#define STREW_DETAIL_KERNELS_DENSE_CALL_HPP

#include <strew/config.hpp>
#include <strew/detail/kernel_counter.hpp>
#include <strew/detail/kernel_notes.hpp>
#include <strew/detail/kernels/index_loops.hpp>
#include <strew/detail/kernels/scatter_loops.hpp>
#include <strew/detail/kernels/small_scatter.hpp>
#include <strew/detail/kernels/stream.hpp>
#include <strew/detail/kernels/validated_call.hpp>
#include <strew/detail/plan/bucket_plan.hpp>
#include <strew/detail/plan/dense_plan.hpp>
#include <strew/detail/plan/partition.hpp>
#include <strew/detail/plan/scratch_memory.hpp>
#include <strew/detail/rules/request.hpp>
#include <strew/detail/tuning.hpp>
#include <strew/view/index_list.hpp>
#include <strew/view/layout.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// Whether a call in place on one thread has so few updates, behind no other axis, that they are copied or combined as
// they are; a plan of their loops takes longer than it saves.
STREW_NOINLINE inline bool has_few_rows_in_place(const execution_context& ctx, const erased::request& call) noexcept {
  const bool is_first = call.axis == nullptr || (is_single(*call.axis) && (*call.axis)[0] == 0);
  return is_first && call.is_in_place() && !ctx.has_threads() &&
         call.indices[0].layout->size() <= tuning::limits().few_indices &&
         is_small_tensor(*call.updates.layout, call.type.element_size, tuning::limits().small_updates);
}

// A call whose operands may be dense. The kernels below decline, with nothing written, if a call of few indices has
// many rows, or if an index is illegal by the operator's rule: the general checks then report it, or the policy
// resolves it.
struct dense_call {
  using plan_type = dense_plan;

  const execution_context& ctx;
  const erased::request& call;
  const reachable_loops& reachable;
  // Set before a kernel runs. A reference, so that the members of this struct can be in registers.
  dense_plan& plan;
  bool is_small =
      (is_small_problem(layouts_of(call), call.type.element_size, data() == nullptr) && ctx.runs_inline()) ||
      has_few_rows_in_place(ctx, call);

  [[nodiscard]] index_source index() const noexcept { return {call.indices[0].data, *call.indices[0].loops}; }
  // Null if the call is in place.
  [[nodiscard]] const char* data() const noexcept { return call.is_in_place() ? nullptr : call.data.data; }
  [[nodiscard]] bool is_large() const noexcept {
    return dense_bytes(*call.output.layout, call.type.element_size) >= tuning::limits().bucketed_from;
  }
};

// The problem for buckets; rows are handled as elements of their width.
constexpr bucket_series series_of(const erased::request& call, const dense_plan& plan) noexcept {
  if (!call.type.rules.names_rows()) {
    return {{plan.extent, plan.inner, plan.count * plan.inner, plan.width}, plan.outer, false};
  }
  return {{plan.extent, 1, plan.count, plan.inner * plan.width}, plan.outer, true};
}

// Runs the first kernel of a table of dense kernels, which run before the general checks: for small dense calls, and
// for calls large enough for buckets. Call: a dense_call.
template <class Call, auto MakePlan, class Table>
STREW_NOINLINE dense_outcome run_dense(const execution_context& ctx, const erased::request& call,
                                       const reachable_loops& reachable) {
  typename Call::plan_type plan;
  Call d{ctx, call, reachable, plan};
  if (!Table::pays(d) || !MakePlan(d)) {
    Table::note_none(d);
    return dense_outcome::unknown;
  }
  return static_cast<dense_outcome>(Table::run(d));
}

// Runs a small call with one value in the place of its updates on copies of the value, which take less time than the
// general checks. Returns false, with nothing written, if the call is not small or has an error.
STREW_SMALL inline bool run_on_copies(const execution_context& ctx, const erased::request& call,
                                      const reachable_loops& reachable, run_dense_function run) {
  const strided_layout& output = *call.output.layout;
  const std::int64_t width = call.type.element_size;
  const std::int64_t count = call.updates.layout->size();
  if (count > tuning::copies_of_value / width || !ctx.runs_inline() ||
      !are_apart(call.output.data, dense_bytes(output, width), call.updates.data, width)) {
    return false;
  }
  STREW_RAN("small call on copies of a value");
  forget_notes();
  alignas(scratch_memory::alignment) char copies[tuning::copies_of_value];
  const std::int64_t bytes = count * width;
  std::memcpy(copies, call.updates.data, static_cast<std::size_t>(width));
  for (std::int64_t made = width; made < bytes; made *= 2) {
    std::memcpy(copies + made, copies, static_cast<std::size_t>(made < bytes - made ? made : bytes - made));
  }
  strided_layout layout = *call.updates.layout;
  make_dense(layout);
  erased::request dense = call;
  dense.updates = {copies, &layout};
  return run(ctx, dense, reachable) == dense_outcome::ran;
}
// Whether a request has one value in the place of several updates.
STREW_INLINE bool has_one_value(const erased::request& call) noexcept {
  const strided_layout& updates = *call.updates.layout;
  return updates.lowest_offset() == updates.highest_offset() && updates.size() > 1;
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_KERNELS_DENSE_CALL_HPP
