// SPDX-License-Identifier: Apache-2.0
// The calls on bytes, from the check to the kernels. Plain functions, compiled once a program; the leaves that a call
// can reach come with it.
#ifndef STREW_DETAIL_CPU_CALLS_HPP
#define STREW_DETAIL_CPU_CALLS_HPP

#include <strew/config.hpp>
#include <strew/detail/call.hpp>
#include <strew/detail/cpu/bucket_loops.hpp>
#include <strew/detail/cpu/check_indices.hpp>
#include <strew/detail/cpu/copy.hpp>
#include <strew/detail/cpu/copy_leaves.hpp>
#include <strew/detail/cpu/elements.hpp>
#include <strew/detail/cpu/index_leaves.hpp>
#include <strew/detail/cpu/overlay.hpp>
#include <strew/detail/cpu/rows.hpp>
#include <strew/detail/cpu/scatter_leaves.hpp>
#include <strew/detail/cpu/small.hpp>
#include <strew/detail/cpu/stream.hpp>
#include <strew/detail/kernel_counter.hpp>
#include <strew/detail/plan/box.hpp>
#include <strew/detail/plan/bucket_plan.hpp>
#include <strew/detail/plan/copy_plan.hpp>
#include <strew/detail/plan/dense_plan.hpp>
#include <strew/detail/plan/elements_plan.hpp>
#include <strew/detail/plan/partition.hpp>
#include <strew/detail/plan/rows_plan.hpp>
#include <strew/detail/plan/scratch.hpp>
#include <strew/detail/plan/slice_plan.hpp>
#include <strew/detail/plan/target_axis.hpp>
#include <strew/detail/rules/operands.hpp>
#include <strew/detail/rules/scatter.hpp>
#include <strew/detail/rules/slice_scatter.hpp>
#include <strew/layout.hpp>
#include <strew/overlap.hpp>
#include <strew/slice_spec.hpp>
#include <strew/status.hpp>

#include <cstddef>
#include <cstdint>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// The leaves that a call can reach; those of indices are null where it has none.
struct leaves {
  const copy_leaves* copy;
  const index_leaves* index;
  const scatter_leaves* scatter;
};

// Which operands share memory with the output.
inline shared_memory find_shared(const erased::call& call, std::int64_t index_size) noexcept {
  const erased::output_operand& output = call.output;
  const auto meets_output = [&](const char* data, const strided_layout& layout, std::int64_t size) {
    return find_shared(distance_between(output.data, data), *output.layout,
                       static_cast<std::uint64_t>(call.element_size), layout, static_cast<std::uint64_t>(size));
  };
  shared_memory shared;
  shared.in_place = call.data.data == output.data && *call.data.layout == *output.layout;
  if (!shared.in_place) shared.data = meets_output(call.data.data, *call.data.layout, call.element_size);
  shared.updates = meets_output(call.updates.data, *call.updates.layout, call.element_size);
  if (call.indices.layout != nullptr) {
    shared.indices = meets_output(call.indices.data, *call.indices.layout, index_size);
  }
  return shared;
}

// What the parts of one call have in common.
struct checked_call {
  const erased::call& call;
  const leaves& with;
  bool in_place;
  call_facts facts;
  const resolved_slice* slice = nullptr;
  int axis = 0;
  index_facts indices = {};

  checked_call(const erased::call& erased, const leaves& reached, bool is_in_place) noexcept
      : call{erased},
        with{reached},
        in_place{is_in_place},
        facts{erased.output.layout->size() * erased.element_size, 0} {
    facts.streamed_from = is_in_place ? int64_max : streamed_from(facts.output_bytes);
  }

  [[nodiscard]] index_source index() const noexcept { return {call.indices.data, *with.index}; }
  [[nodiscard]] scatter_operands operands() const noexcept {
    return {call.output.data, call.data.data, index(), call.updates.data, *with.copy, *with.scatter};
  }
  // Roughly how many elements are moved.
  [[nodiscard]] std::int64_t moved() const noexcept {
    return call.updates.layout->size() + (in_place ? 0 : call.output.layout->size());
  }
  // The copy of data within a box; out of place only.
  void plan_data(const box& part, copy_plan& plan) const noexcept {
    plan.unit = call.element_size;
    plan_data_copy(*call.data.layout, *call.output.layout, part, plan);
  }
};

// Makes a scatter of dense operands by way of buckets, where that pays. Returns false, and has written nothing, where
// it does not, and where an index is illegal.
inline bool scatter_many(const workers& who, const erased::call& call, const leaves& with, const dense_plan& plan,
                         const elements_rules* elements) {
  bucket_series series{{plan.extent, plan.inner, plan.count * plan.inner, plan.width}, plan.outer, false};
  const scatter_leaves* leaves = with.scatter;
  if (elements == nullptr) {  // rows as elements of their width
    series = {{plan.extent, 1, plan.count, plan.inner * plan.width}, plan.outer, true};
    leaves = leaves_for_rows(*leaves, plan.width, series.problem.width);
  }
  const char* const data = call.data.data == call.output.data ? nullptr : call.data.data;
  return leaves != nullptr && leaves->buckets != nullptr &&
         leaves->buckets->in_workspace(who, series,
                                       {call.output.data, data, {call.indices.data, *with.index}, call.updates.data},
                                       *leaves->buckets);
}

// Makes a scatter, of rows or of elements where there are rules for them, if it is one of a few dense elements, or of
// so many that buckets pay. Returns false, and has written nothing, where it is neither, and where there is an error,
// which the checks of any call then name. Not a part of those calls, whose many variables would cost it time.
STREW_NOINLINE inline bool scatter_dense(const workers& who, const erased::call& call, const leaves& with,
                                         const index_list& axis, const elements_rules* elements) {
  const scatter_layouts of{*call.data.layout, *call.indices.layout, *call.updates.layout, *call.output.layout};
  const bool is_small =
      are_few(of, call.element_size) && with.index->is_loop_index && !with.index->is_unsigned && who.keep_few();
  const auto has_buckets = [&] {
    return with.scatter->buckets != nullptr && with.scatter->buckets->in_workspace != nullptr &&
           dense_bytes(of.output, call.element_size) >= tuning::limits().bucketed_from;
  };
  dense_plan plan;
  if (!(is_small || has_buckets()) || !plan_dense(of, axis, elements, call.element_size, with.index->size, plan) ||
      !are_apart(plan, call.output.data, call.data.data, call.indices.data, call.updates.data)) {
    return false;
  }
  return is_small ? with.scatter->few(plan, call.output.data, call.data.data, call.indices.data, call.updates.data)
                  : scatter_many(who, call, with, plan, elements);
}

// The same for slices of one axis: of a few dense elements.
STREW_NOINLINE inline bool slice_few(const workers& who, const erased::call& call, const slice_spec& spec) noexcept {
  dense_plan plan;
  slice_range slice;
  if (!who.keep_few() || !are_few_bytes(*call.output.layout, call.element_size) ||
      !plan_dense_slice(*call.data.layout, *call.updates.layout, *call.output.layout, spec, call.element_size, plan,
                        slice) ||
      !are_apart(plan, call.output.data, call.data.data, call.updates.data)) {
    return false;
  }
  replace_few(plan, slice, call.output.data, call.data.data, call.updates.data);
  return true;
}

// ---- Slices

inline void slice_part(const void* context, const box& part, const scratch&) noexcept {
  const auto& c = *static_cast<const checked_call*>(context);
  const strided_layout& output = *c.call.output.layout;
  copy_plan updates;
  updates.unit = c.call.element_size;
  if (c.in_place) {
    STREW_RAN("slice in place");
    plan_slice(*c.call.updates.layout, *c.slice, output, part, updates);
    run_copy(updates, c.call.output.data, c.call.updates.data, *c.with.copy);
    return;
  }
  copy_plan data;
  c.plan_data(part, data);
  plan_slice(*c.call.updates.layout, *c.slice, output, c.slice->coordinates_within(part), updates);
  run_copies(data, updates, {c.call.output.data, c.call.data.data, c.call.updates.data}, *c.with.copy,
             c.facts.streams());
}

inline void replace_slice(const workers& who, checked_call& c, const resolved_slice& slice) {
  c.slice = &slice;
  const std::int64_t moved = c.in_place ? c.call.updates.layout->size() : c.call.output.layout->size();
  who.for_each_part({c.in_place ? slice.count : c.call.output.layout->extents(), moved, c.call.element_size},
                    {slice_part, &c});
}

inline void slice_scatter(const workers& who, const erased::call& call, const leaves& with, const slice_spec& spec,
                          status& error) {
  const shared_memory shared = find_shared(call, 0);
  resolved_slice slice(call.data.layout->extents());
  if (!check_slice_scatter({*call.data.layout, *call.updates.layout, *call.output.layout}, shared, spec, slice,
                           error)) {
    return;
  }
  checked_call c{call, with, shared.in_place};
  replace_slice(who, c, slice);
}

// ---- Rows

inline void rows_part(const void* context, const box& part, const scratch&) noexcept {
  const auto& c = *static_cast<const checked_call*>(context);
  rows_plan plan;
  plan.unit = c.call.element_size;
  plan.index_unit = c.with.index->size;
  plan_rows(*c.call.indices.layout, *c.call.updates.layout, c.axis, *c.call.output.layout, part, plan);
  if (c.indices.ascends && plan.indices.rank() == 1) {
    STREW_RAN("rows by ascending indices");
    const auto run = plan.indices[0];
    plan.keep(ascending_within(c.index(), 0, run.strides[rows_plan::index], run.extent, plan.axis.owned));
  }
  if (c.in_place) {
    run_rows(nullptr, plan, c.operands(), c.facts);
    return;
  }
  copy_plan data;
  c.plan_data(part, data);
  run_rows(&data, plan, c.operands(), c.facts);
}

inline void scatter_rows(const workers& who, const erased::call& call, const leaves& with, const char* operation,
                         const index_list& axis, status& error) {
  const strided_layout& data = *call.data.layout;
  const strided_layout& indices = *call.indices.layout;
  const shared_memory shared = find_shared(call, with.index->size);
  int k = 0;
  if (!check_rows(operation, {data, indices, *call.updates.layout, *call.output.layout}, shared, axis, k, error)) {
    return;
  }
  checked_call c{call, with, shared.in_place};
  c.axis = k;
  const index_demand demand{operation, k, data.extent(k), index_rule::strict};
  if (!check_indices(who, demand, c.index(), indices, c.indices, error)) return;
  if (c.indices.is_slice && indices.rank() == 1) {
    STREW_RAN("rows that are a slice");
    resolved_slice slice(data.extents());
    slice.narrow(k, {c.indices.first, c.indices.step, indices.size()});
    replace_slice(who, c, slice);
    return;
  }
  who.for_each_part({data.extents(), c.moved(), call.element_size, k, c.in_place, c.indices.ascends}, {rows_part, &c});
}

// ---- Elements

inline void elements_part(const void* context, const box& part, const scratch& memory) noexcept {
  const auto& c = *static_cast<const checked_call*>(context);
  elements_plan plan;
  plan.unit = c.call.element_size;
  plan.index_unit = c.with.index->size;
  plan_elements(*c.call.data.layout, *c.call.indices.layout, *c.call.updates.layout, c.axis, *c.call.output.layout,
                part, plan);
  plan.axis.wraps = c.indices.wraps;
  if (c.indices.ascends) {
    STREW_RAN("elements by ascending indices");
    plan.keep(
        ascending_within(c.index(), plan.first[elements_plan::index], plan.index_stride, plan.count, plan.axis.owned));
  }
  if (c.in_place) {
    run_elements(nullptr, plan, c.operands(), c.facts, memory);
    return;
  }
  copy_plan data;
  c.plan_data(part, data);
  run_elements(&data, plan, c.operands(), c.facts, memory);
}

inline void scatter_elements(const workers& who, const erased::call& call, const leaves& with,
                             const elements_rules& rules, const index_list& axis, status& error) {
  const strided_layout& data = *call.data.layout;
  const strided_layout& indices = *call.indices.layout;
  const shared_memory shared = find_shared(call, with.index->size);
  int k = 0;
  if (!check_elements(rules, {data, indices, *call.updates.layout, *call.output.layout}, shared, axis, k, error))
    return;
  checked_call c{call, with, shared.in_place};
  c.axis = k;
  const index_demand demand{rules.operation, k, data.extent(k), rules.rule};
  if (!check_indices(who, demand, c.index(), indices, c.indices, error)) return;
  const bool has_one_lane = indices.size() == indices.extent(k);
  if (c.indices.is_slice && has_one_lane) {
    STREW_RAN("elements that are a slice");
    resolved_slice slice(indices.extents());
    slice.narrow(k, {c.indices.first, c.indices.step, indices.size()});
    replace_slice(who, c, slice);
    return;
  }
  c.indices.ascends = c.indices.ascends && has_one_lane;
  work job{data.extents(), c.moved(), call.element_size, k, true, c.indices.ascends};
  if (!indices.empty()) who.keep_rows(c.index(), indices, k, job);
  who.for_each_part(job, {elements_part, &c});
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_CPU_CALLS_HPP
