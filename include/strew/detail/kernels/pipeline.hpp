// SPDX-License-Identifier: Apache-2.0
// The pipeline of a request: dense kernels, rules, indices, partition, kernels. Plain functions, compiled once a
// program; a request comes with the loops that it can use. All tables of kernels are here, each in the order in which
// kernels are tried.
#ifndef STREW_DETAIL_KERNELS_PIPELINE_HPP
#define STREW_DETAIL_KERNELS_PIPELINE_HPP

#include <strew/config.hpp>
#include <strew/detail/box.hpp>
#include <strew/detail/kernel_counter.hpp>
#include <strew/detail/kernels/check_indices.hpp>
#include <strew/detail/kernels/crossed_components.hpp>
#include <strew/detail/kernels/dense_kernels.hpp>
#include <strew/detail/kernels/elements.hpp>
#include <strew/detail/kernels/kernel_table.hpp>
#include <strew/detail/kernels/private_copy.hpp>
#include <strew/detail/kernels/reduce.hpp>
#include <strew/detail/kernels/reduce_few.hpp>
#include <strew/detail/kernels/reduce_in_steps.hpp>
#include <strew/detail/kernels/rows.hpp>
#include <strew/detail/kernels/scatter_part.hpp>
#include <strew/detail/kernels/slices.hpp>
#include <strew/detail/kernels/validated_call.hpp>
#include <strew/detail/plan/copy_plan.hpp>
#include <strew/detail/plan/partition.hpp>
#include <strew/detail/plan/scratch_memory.hpp>
#include <strew/detail/plan/slice_plan.hpp>
#include <strew/detail/rules/request.hpp>
#include <strew/status.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// Runs the first kernel of a table of dense kernels, which run before the general checks: for small dense calls, and
// for calls large enough for buckets. Returns false, with nothing written, if no kernel ran or there is an error, which
// the general checks then report.
template <auto MakePlan, class Table>
STREW_NOINLINE bool run_dense(const execution_context& ctx, const erased::request& call,
                              const reachable_loops& reachable) {
  dense_plan plan;
  multi_index_numbers multi_indices;
  dense_call d{ctx, call, reachable, plan, multi_indices};
  return Table::template run_prepared<MakePlan>(d);
}
// Runs the first kernel of a table after the general checks.
template <class Table>
bool run_table(const scatter_job& job) {
  return Table::run(job);
}

// Memory: whether the executor may have a workspace.
template <bool Memory>
using dense_kernels =
    std::conditional_t<Memory, kernel_table<small_scatter, bucketed_scatter>, kernel_table<small_scatter>>;

// ---- Parts

// Runs a part by the first kernel of a table.
template <class Part, class Kernels>
STREW_SMALL void run_part(const void* context, const box& in, const scratch_memory& memory) noexcept {
  Part part(*static_cast<const validated_call*>(context), in, memory);
  Kernels::run(part);
}

// In parts, if there is an executor, each of them by the first kernel of a table.
template <class Part, class Kernels>
struct scatter_in_parts : any_other {
  static constexpr const char* name = "in parts";

  STREW_SMALL static bool run(const scatter_job& job) {
    validated_call& c = job.c;
    const strided_layout& output = *c.call.output.layout;
    if (output.empty()) return true;  // the pointers may be null
    if (std::is_same_v<Part, scatter_part> && runs_as_one_part(c.call, c.axes, c.indices.ascends())) {
      run_part<Part, Kernels>(&c, box(output.extents()), job.ctx.memory());
      return true;
    }
    const strided_layout& indices = *c.call.indices[0].layout;
    const bool has_columns = !c.call.type.rules.names_rows();
    const std::int64_t updates = c.call.updates.layout->size();
    work_shape all{output.extents(),
                   c.moved(),
                   c.call.type.element_size,
                   c.axes.first,
                   has_columns || c.cuts_rows(),
                   c.indices.ascends(),
                   c.axes.count,
                   &output,
                   has_columns && updates > c.moved() / tuning::few_beside_data,
                   &c.call};
    if (has_columns && !indices.empty()) job.ctx.keep_rows(c.index(), indices, c.axes.first, all);
    job.ctx.for_each_part(all, {run_part<Part, Kernels>, &c});
    return true;
  }
};

// ---- Plain scatters

using rows_kernels = kernel_table<rows_written_once, one_after_the_other>;
using calls_on_rows = kernel_table<scatter_in_parts<plain_part, rows_kernels>>;
template <bool Memory>
inline constexpr call_kernels kernels_of_rows{run_dense<make_dense_plan<false>, dense_kernels<Memory>>,
                                              run_table<calls_on_rows>, nullptr};

using elements_kernels = kernel_table<elements_in_tiles, one_after_the_other>;
using calls_on_elements = kernel_table<scatter_in_parts<plain_part, elements_kernels>>;
template <bool Memory>
inline constexpr call_kernels kernels_of_elements{run_dense<make_dense_plan<true>, dense_kernels<Memory>>,
                                                  run_table<calls_on_elements>, nullptr};

// ---- Reductions, and scatters by multi-indices

// ByTuples: whether several indices may address a target together.
template <bool ByTuples>
using dense_reduce_kernels = kernel_table<small_reduce, bucketed_reduce<ByTuples>>;
using reduce_kernels = kernel_table<reduce_in_tiles, one_after_the_other>;
using reduce_kernels_of_rows = kernel_table<one_after_the_other>;
using reduce_kernels_by_tuples = kernel_table<crossed_components, one_after_the_other>;
using reduce_kernels_with_states = kernel_table<reduce_in_steps, reduce_few, reduce_with_states>;
template <class Kernels>
using calls_that_reduce = kernel_table<scatter_in_parts<scatter_part, Kernels>>;

// The tables of kernels of reductions: of those with states, and of all others.
template <bool HasStates, bool HasLanes, bool ByTuples>
constexpr call_kernels make_reduce_kernels() noexcept {
  if constexpr (HasStates) {
    return {nullptr, run_table<calls_that_reduce<reduce_kernels_with_states>>, nullptr};
  } else if constexpr (HasLanes) {
    return {run_dense<make_axis_plan, dense_reduce_kernels<false>>, run_table<calls_that_reduce<reduce_kernels>>,
            run_in_private_copy};
  } else {
    constexpr auto make_plan = ByTuples ? make_multi_index_plan : make_axis_plan;
    using of_parts = std::conditional_t<ByTuples, reduce_kernels_by_tuples, reduce_kernels_of_rows>;
    return {run_dense<make_plan, dense_reduce_kernels<ByTuples>>, run_table<calls_that_reduce<of_parts>>,
            run_in_private_copy};
  }
}
template <bool HasStates, bool HasLanes, bool ByTuples>
inline constexpr call_kernels reduce_kernels_by = make_reduce_kernels<HasStates, HasLanes, ByTuples>();

// ---- The pipeline

// Whether a scatter is run by the kernels of rows or elements: it has no reduction, and single indices select its
// targets. The kernels of rows take no negative indices.
constexpr bool is_plain_scatter(addressing by, index_rule rule, index_policy policy, reduction_kind kind) noexcept {
  return kind == reduction_kind::none && policy == index_policy::error &&
         (by == addressing::elements || (by == addressing::rows && rule == index_rule::strict));
}

// Analyses the indices of a validated scatter and runs it.
STREW_INLINE void run_validated(const execution_context& ctx, validated_call& c, status& error) {
  const call_kernels& kernels = *c.reachable.kernels;
  if (kernels.run_privately != nullptr &&
      pays_to_copy_privately(c.call, c.reachable.reduce->assigns, c.facts.output_bytes) &&
      kernels.run_privately(ctx, c)) {
    return;
  }
  c.indices.seeks_own = ctx.seeks_own(c);
  if (!check_indices(ctx, c.constraint(), c.call.indices, c.indices, error)) return;
  // Parts have a range of positions that ascend, which must be one of the updates too.
  if (c.indices.ascends() && !(has_one_lane(c) && have_one_run(c))) c.indices.find_own = nullptr;
  const bool shares_cache = c.facts.streams() && c.call.type.rules.names_rows();
  c.facts.copies_streamed_from = c.facts.streamed_from / (shares_cache ? ctx.threads() : 1);
  kernels.run({ctx, c});
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
  return run(ctx, dense, reachable);
}
// Whether a request has one value in the place of several updates.
STREW_INLINE bool has_one_value(const erased::request& call) noexcept {
  const strided_layout& updates = *call.updates.layout;
  return updates.lowest_offset() == updates.highest_offset() && updates.size() > 1;
}

// Validates a scatter by indices and runs it.
STREW_NOINLINE inline void run_scatter_request(const execution_context& ctx, const erased::request& call,
                                               const reachable_loops& reachable, status& error) {
  const run_dense_function run_dense = reachable.kernels->run_dense;
  if (run_dense != nullptr && has_one_value(call) && run_on_copies(ctx, call, reachable, run_dense)) return;
  validated_call c{call, reachable};
  const shared_memory shared = find_shared(call);
  if (!reachable.validate(call, shared, c.axes, error)) return;
  c.set_in_place(shared.in_place);
  run_validated(ctx, c, error);
}
// Runs a scatter on one axis whose dense plan has been made, and whose operands are apart: it is valid.
STREW_NOINLINE inline void run_dense_request(const execution_context& ctx, const erased::request& call,
                                             const reachable_loops& reachable, int axis, status& error) {
  validated_call c{call, reachable};
  c.axes = {axis, 1};
  c.set_in_place(call.data.data == call.output.data);
  run_validated(ctx, c, error);
}

// Validates the replacement of a slice and runs it.
STREW_NOINLINE inline void run_slices(const execution_context& ctx, const erased::request& call,
                                      const reachable_loops& reachable, status& error) {
  const run_dense_function run_dense = [](const execution_context& in, const erased::request& dense,
                                          const reachable_loops&) { return run_dense_slice(in, dense); };
  if (has_one_value(call) && run_on_copies(ctx, call, reachable, run_dense)) return;
  validated_call c{call, reachable};
  const shared_memory shared = find_shared(call);
  resolved_slice slice(call.data.layout->extents());
  if (!check_slice_scatter({*call.data.layout, *call.updates.layout, *call.output.layout}, shared, *call.slice, slice,
                           error)) {
    return;
  }
  c.set_in_place(shared.in_place);
  replace_slice(ctx, c, slice);
}

// The entry points of all calls: scatters by indices, and replacements of slices. Dense kernels are tried outside of
// run_scatter_request and run_slices, whose many variables would slow them down.
STREW_INLINE void run_request(const execution_context& ctx, const erased::request& call,
                              const reachable_loops& reachable, status& error) {
  if (reachable.kernels->run_dense == nullptr || !reachable.kernels->run_dense(ctx, call, reachable)) {
    run_scatter_request(ctx, call, reachable, error);
  }
}
// The same for a prepared scatter on one axis whose dense plan has been made. Operands that are not apart are left to
// the general checks, and so are outputs that are large enough for buckets.
STREW_INLINE void run_planned_request(const execution_context& ctx, const erased::request& call,
                                      const reachable_loops& reachable, const dense_plan& plan, int axis,
                                      status& error) {
  if (plan.output_bytes < tuning::limits().bucketed_from &&
      are_apart(plan, call.output.data, call.data.data, call.indices[0].data, call.updates.data)) {
    run_dense_request(ctx, call, reachable, axis, error);
  } else {
    run_request(ctx, call, reachable, error);
  }
}
STREW_INLINE void run_slice_request(const execution_context& ctx, const erased::request& call,
                                    const reachable_loops& reachable, status& error) {
  if (!run_dense_slice(ctx, call)) run_slices(ctx, call, reachable, error);
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_KERNELS_PIPELINE_HPP
