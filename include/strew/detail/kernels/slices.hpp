// SPDX-License-Identifier: Apache-2.0
// The kernels of the replacement of slices, on bytes: SliceScatter, and scatters whose indices are a slice.
#ifndef STREW_DETAIL_KERNELS_SLICES_HPP
#define STREW_DETAIL_KERNELS_SLICES_HPP

#include <strew/config.hpp>
#include <strew/detail/box.hpp>
#include <strew/detail/kernel_counter.hpp>
#include <strew/detail/kernel_notes.hpp>
#include <strew/detail/kernels/copy.hpp>
#include <strew/detail/kernels/dense_call.hpp>
#include <strew/detail/kernels/kernel_table.hpp>
#include <strew/detail/kernels/merge_copy.hpp>
#include <strew/detail/kernels/small_scatter.hpp>
#include <strew/detail/kernels/trace_call.hpp>
#include <strew/detail/kernels/validated_call.hpp>
#include <strew/detail/plan/copy_plan.hpp>
#include <strew/detail/plan/dense_plan.hpp>
#include <strew/detail/plan/partition.hpp>
#include <strew/detail/plan/scratch_memory.hpp>
#include <strew/detail/plan/slice_plan.hpp>
#include <strew/detail/rules/check_operands.hpp>
#include <strew/detail/rules/check_slice.hpp>
#include <strew/detail/rules/request.hpp>
#include <strew/detail/tuning.hpp>
#include <strew/view/slice.hpp>

#include <cstdint>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// A part of the replacement of a slice: the copy of data (null in place), and that of the updates over it.
struct slice_part {
  const copy_plan* data;
  const copy_plan& updates;
  const overlay_operands& at;
  const copy_loops& copy;
  bool streams;
};

// Data and updates in one pass over the output.
struct slice_by_overlay {
  static constexpr const char* name = "slice in one pass";

  static bool may(const slice_part& part) noexcept {
    return part.data != nullptr && may_overlay(*part.data, part.updates);
  }
  static bool pays(const slice_part& part) noexcept {
    return part.data != nullptr && part.data->flat_size() > tuning::limits().shortest_overlay;
  }
  static bool run(const slice_part& part) noexcept {
    STREW_RAN("slice by overlay");
    run_overlay(*part.data, part.updates, part.at, part.copy, part.streams);
    return true;
  }
};

// Data and then the updates, or the updates alone.
struct slice_after_copy : any_other {
  static constexpr const char* name = "slice after a copy, or in place";

  static bool run(const slice_part& part) noexcept {
    if (part.data != nullptr) STREW_RAN("slice after a copy");
    if (part.data == nullptr) STREW_RAN("slice in place");
    if (part.data != nullptr) run_copy(*part.data, part.at.output, part.at.data, part.copy);
    run_copy(part.updates, part.at.output, part.at.updates, part.copy);
    return true;
  }
};

using slice_kernels = kernel_table<slice_by_overlay, slice_after_copy>;

inline void run_slice_part(const void* context, const box& in, const scratch_memory&) noexcept {
  const auto& c = *static_cast<const validated_call*>(context);
  const strided_layout& output = *c.call.output.layout;
  copy_plan data;
  copy_plan updates;
  updates.unit = c.call.type.element_size;
  if (!c.in_place) c.plan_data(in, data);
  plan_slice(*c.call.updates.layout, *c.slice, output, c.in_place ? in : c.slice->coordinates_within(in), updates);
  slice_part part{c.in_place ? nullptr : &data,
                  updates,
                  {c.call.output.data, c.call.data.data, c.call.updates.data},
                  *c.reachable.copy,
                  c.facts.streams()};
  slice_kernels::run(part);
}

// Replaces a slice. In place the slice is divided into parts, otherwise the output.
inline void replace_slice(const execution_context& ctx, validated_call& c, const resolved_slice& slice) {
  c.slice = &slice;
  const std::int64_t moved = c.in_place ? c.call.updates.layout->size() : c.call.output.layout->size();
  work_shape all{c.in_place ? slice.count : c.call.output.layout->extents(), moved, c.call.type.element_size};
  all.output = c.call.output.layout;
  ctx.for_each_part(all, {run_slice_part, &c});
}

// Copies updates with the extents of the output to all of the output; they share no memory.
inline void copy_updates(const execution_context& ctx, const erased::request& call, const reachable_loops& reachable) {
  validated_call c{call, reachable};
  c.set_in_place(true);
  replace_slice(ctx, c, resolved_slice(call.output.layout->extents()));
}

// Replaces a slice in a small dense call.
STREW_INLINE void replace_small(const dense_plan& plan, const slice_range& slice, char* output, const char* data,
                                const char* updates) noexcept {
  STREW_RAN("replace_small");
  const std::int64_t row = plan.inner * plan.width;
  const bool is_run = slice.step == 1;
  const std::int64_t piece = is_run ? plan.count * row : row;
  const std::int64_t pieces = is_run ? 1 : plan.count;
  if (plan.updates_bytes == plan.output_bytes && is_run) return copy_small_data(output, updates, plan.output_bytes);
  if (data != output) copy_small_data(output, data, plan.output_bytes);
  char* const first = output + slice.first * row;
  if (plan.outer == 1 && is_run) return copy_small_data(first, updates, piece);
  // The longer one of the two loops inside.
  const std::int64_t of_outer = plan.extent * row;
  const std::int64_t updates_of_outer = pieces * piece;
  const std::int64_t of_piece = scaled(slice.step, row);  // of one piece any step is legal
  const bool is_outer_inside = plan.outer > pieces;
  const std::int64_t times = is_outer_inside ? pieces : plan.outer;
  const std::int64_t inside = is_outer_inside ? plan.outer : pieces;
  for (std::int64_t k = 0; k < times; ++k) {
    if (is_outer_inside) {
      copy_blocks(first + k * of_piece, of_outer, updates + k * piece, updates_of_outer, inside, piece);
    } else {
      copy_blocks(first + k * of_outer, of_piece, updates + k * updates_of_outer, piece, inside, piece);
    }
  }
}

// A slice of one axis on dense operands, before the general checks.
struct dense_slice {
  const erased::request& call;
  bool is_small;
  // Set before a kernel runs. References, so that the members of this struct can be in registers.
  dense_plan& plan;
  slice_range& slice;
};

STREW_INLINE bool make_slice_plan(dense_slice& d) noexcept {
  const erased::request& call = d.call;
  return plan_dense_slice({*call.data.layout, *call.updates.layout, *call.output.layout}, *call.slice,
                          call.type.element_size, d.plan, d.slice) &&
         are_apart(d.plan, call.output.data, call.data.data, call.updates.data);
}

struct small_slice {
  static constexpr const char* name = "small";

  STREW_INLINE static bool pays(const dense_slice& d) noexcept { return d.is_small; }
  STREW_INLINE static bool may(const dense_slice&) noexcept { return true; }
  STREW_INLINE static bool run(const dense_slice& d) noexcept {
    // Many single elements take longer one by one than all checks and a loop that interleaves them with data.
    if (d.plan.inner == 1 && d.slice.step >= 2 && d.slice.step <= 4 &&
        may_interleave(d.plan.width, d.slice.step * d.plan.width) &&
        d.plan.outer * d.plan.count > tuning::limits().few_indices) {
      return false;
    }
    replace_small(d.plan, d.slice, d.call.output.data, d.call.data.data, d.call.updates.data);
    return true;
  }
};

using dense_slice_kernels = kernel_table<small_slice>;

// Runs the replacement of a slice before the general checks. Not a part of run_slices, whose many variables would slow
// it down.
STREW_NOINLINE inline dense_outcome run_dense_slice(const execution_context& ctx,
                                                    const erased::request& call) noexcept {
  dense_plan plan;
  slice_range slice;
  const bool is_small = ctx.runs_inline() && is_small_tensor(*call.output.layout, call.type.element_size);
  dense_slice d{call, is_small, plan, slice};
  if (!dense_slice_kernels::pays(d) || !make_slice_plan(d)) {
    dense_slice_kernels::note_none(d);
    return dense_outcome::unknown;
  }
  return dense_slice_kernels::run(d) ? dense_outcome::ran : dense_outcome::valid;
}

// Validates the replacement of a slice and runs it.
STREW_NOINLINE inline void run_slices(const execution_context& ctx, const erased::request& call,
                                      const reachable_loops& reachable, status& error) {
  const run_dense_function run_dense = [](const execution_context& in, const erased::request& dense,
                                          const reachable_loops&) { return run_dense_slice(in, dense); };
  if (has_one_value(call) && is_done(run_on_copies(ctx, call, reachable, run_dense))) return;
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

STREW_INLINE void run_slice_request(const execution_context& ctx, const erased::request& call,
                                    const reachable_loops& reachable, status& error) {
  STREW_TRACED(ctx, call, nullptr, error, run_slice_request(ctx, call, reachable, error));
  if (!is_done(run_dense_slice(ctx, call) == dense_outcome::ran)) run_slices(ctx, call, reachable, error);
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_KERNELS_SLICES_HPP
