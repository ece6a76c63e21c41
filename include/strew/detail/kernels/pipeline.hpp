// SPDX-License-Identifier: Apache-2.0
// The pipeline of a scatter by indices: dense kernels, rules, indices, parts, kernels. Plain functions, compiled once a
// program; a request comes with the loops and the tables of kernels that it can use.
#ifndef STREW_DETAIL_KERNELS_PIPELINE_HPP
#define STREW_DETAIL_KERNELS_PIPELINE_HPP

#include <strew/config.hpp>
#include <strew/detail/kernel_counter.hpp>
#include <strew/detail/kernel_notes.hpp>
#include <strew/detail/kernels/check_indices.hpp>
#include <strew/detail/kernels/dense_call.hpp>
#include <strew/detail/kernels/small_scatter.hpp>
#include <strew/detail/kernels/trace_call.hpp>
#include <strew/detail/kernels/validated_call.hpp>
#include <strew/detail/plan/dense_plan.hpp>
#include <strew/detail/plan/partition.hpp>
#include <strew/detail/rules/check_operands.hpp>
#include <strew/detail/rules/request.hpp>
#include <strew/detail/rules/target_axis.hpp>
#include <strew/detail/tuning.hpp>
#include <strew/status.hpp>
#include <strew/view/index.hpp>

#include <cstdint>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// Analyses the indices of a validated scatter and runs it.
STREW_INLINE void run_validated(const execution_context& ctx, validated_call& c, status& error) {
  const call_kernels& kernels = *c.reachable.kernels;
  const scatter_job job{ctx, c};
  if (kernels.run_privately != nullptr && is_done(kernels.run_privately(job))) return;
  c.indices.seeks_own = ctx.seeks_own(c);
  if (!check_indices(ctx, c.constraint(), c.call.indices, c.indices, error)) return;
  // Parts have a range of positions that ascend, which must be one of the updates too.
  if (c.indices.ascends() && !(has_one_lane(c) && have_one_run(c))) c.indices.find_own = nullptr;
  const bool shares_cache = c.facts.streams() && c.call.type.rules.names_rows();
  c.facts.copies_streamed_from = c.facts.streamed_from / (shares_cache ? ctx.threads() : 1);
  kernels.run(job);
}
// The target axes of a call that has a dense plan.
constexpr target_axes axes_of_dense(const erased::request& call) noexcept {
  if (call.axis == nullptr) return {0, call.type.components};
  return {static_cast<int>(normalize_axis((*call.axis)[0], call.data.layout->rank())), 1};
}
// Runs a scatter by indices, which is validated before unless it has a dense plan and its operands are apart.
STREW_NOINLINE inline void run_scatter_request(const execution_context& ctx, const erased::request& call,
                                               const reachable_loops& reachable, bool is_valid, status& error) {
  validated_call c{call, reachable};
  if (is_valid) {
    STREW_RAN("valid by its dense plan");
    c.axes = axes_of_dense(call);
    c.set_in_place(call.is_in_place());
  } else {
    const run_dense_function run_dense = reachable.kernels->run_dense;
    if (run_dense != nullptr && has_one_value(call) && is_done(run_on_copies(ctx, call, reachable, run_dense))) return;
    const shared_memory shared = find_shared(call);
    if (!reachable.validate(call, shared, c.axes, error)) return;
    c.set_in_place(shared.in_place);
  }
  run_validated(ctx, c, error);
}

// Runs a scatter by indices. Dense kernels are tried outside of run_scatter_request, whose many variables would slow
// them down.
STREW_INLINE void run_request(const execution_context& ctx, const erased::request& call,
                              const reachable_loops& reachable, status& error) {
  STREW_TRACED(ctx, call, reachable.validate, error, run_request(ctx, call, reachable, error));
  const run_dense_function run_dense = reachable.kernels->run_dense;
  const dense_outcome dense = run_dense == nullptr ? dense_outcome::unknown : run_dense(ctx, call, reachable);
  if (!is_done(dense == dense_outcome::ran)) {
    run_scatter_request(ctx, call, reachable, dense == dense_outcome::valid, error);
  }
}
// Runs a prepared scatter on one axis whose dense plan has been made. Operands that are not apart are left to
// the general checks, and so are outputs that are large enough for buckets.
STREW_INLINE void run_planned_request(const execution_context& ctx, const erased::request& call,
                                      const reachable_loops& reachable, const dense_plan& plan, status& error) {
  STREW_TRACED(ctx, call, reachable.validate, error, run_planned_request(ctx, call, reachable, plan, error));
  if (plan.output_bytes < tuning::limits().bucketed_from &&
      are_apart(plan, call.output.data, call.data.data, call.indices[0].data, call.updates.data)) {
    run_scatter_request(ctx, call, reachable, true, error);
  } else {
    run_request(ctx, call, reachable, error);
  }
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_KERNELS_PIPELINE_HPP
