// SPDX-License-Identifier: Apache-2.0
// The kernels of plain scatters, of rows and of elements, and their tables, each in the order in which kernels are
// tried.
#ifndef STREW_DETAIL_KERNELS_PLAIN_KERNELS_HPP
#define STREW_DETAIL_KERNELS_PLAIN_KERNELS_HPP

#include <strew/config.hpp>
#include <strew/detail/box.hpp>
#include <strew/detail/kernels/bucket_loops.hpp>
#include <strew/detail/kernels/copy.hpp>
#include <strew/detail/kernels/dense_call.hpp>
#include <strew/detail/kernels/index_loops.hpp>
#include <strew/detail/kernels/kernel_table.hpp>
#include <strew/detail/kernels/rows_once.hpp>
#include <strew/detail/kernels/scatter_loops.hpp>
#include <strew/detail/kernels/scatter_part.hpp>
#include <strew/detail/kernels/small_scatter.hpp>
#include <strew/detail/kernels/tiles.hpp>
#include <strew/detail/kernels/validated_call.hpp>
#include <strew/detail/kernels/workspace_buckets.hpp>
#include <strew/detail/plan/bucket_plan.hpp>
#include <strew/detail/plan/dense_plan.hpp>
#include <strew/detail/plan/partition.hpp>
#include <strew/detail/plan/scatter_plan.hpp>
#include <strew/detail/plan/scratch_memory.hpp>
#include <strew/detail/rules/operation.hpp>
#include <strew/detail/rules/request.hpp>
#include <strew/detail/tuning.hpp>
#include <strew/operators/reduction_kind.hpp>
#include <strew/view/index.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// Whether a scatter is run by the kernels of rows or elements: it has no reduction, and single indices select its
// targets. The kernels of rows take no negative indices.
constexpr bool is_plain_scatter(addressing by, index_rule rule, index_policy policy, reduction_kind kind) noexcept {
  return kind == reduction_kind::none && policy == index_policy::error &&
         (by == addressing::elements || (by == addressing::rows && rule == index_rule::strict));
}

// ---- Calls on dense operands

template <bool HasLanes>
STREW_INLINE bool make_dense_plan(dense_call& d) noexcept {
  const erased::request& call = d.call;
  return plan_dense({HasLanes, call.type.rules.axis_may_exceed_data}, layouts_of(call), *call.axis,
                    {call.type.element_size, call.indices[0].loops->size}, d.plan) &&
         are_apart(d.plan, call.output.data, call.data.data, call.indices[0].data, call.updates.data);
}

struct small_scatter {
  static constexpr const char* name = "small";

  static bool pays(const dense_call& d) noexcept { return d.is_small; }
  static bool may(const dense_call& d) noexcept { return d.call.indices[0].loops->is_signed_loop_index; }
  STREW_INLINE static bool run(const dense_call& d) noexcept {
    return has_few_rows(d.plan) && d.reachable.scatter->run_small(d.plan, d.call.output.data, d.call.data.data,
                                                                  d.call.indices[0].data, d.call.updates.data);
  }
};

// Not inlined, so that small calls keep their variables in registers.
STREW_NOINLINE inline bool try_buckets(const execution_context& ctx, const erased::request& call,
                                       const scatter_loops& of_element, const dense_plan& plan) {
  const bucket_series series = series_of(call, plan);
  const scatter_loops* const loops = loops_for_rows(of_element, plan.width, series.problem.width);
  return loops != nullptr && loops->buckets != nullptr &&
         loops->buckets->scatter(ctx, series,
                                 {call.output.data,
                                  call.is_in_place() ? nullptr : call.data.data,
                                  {call.indices[0].data, *call.indices[0].loops},
                                  call.updates.data},
                                 *loops->buckets);
}

struct bucketed_scatter {
  static constexpr const char* name = "buckets";

  static bool pays(const dense_call& d) noexcept { return d.is_large(); }
  static bool may(const dense_call& d) noexcept {
    return d.reachable.scatter->buckets != nullptr && d.ctx.memory().bytes() > 0;
  }
  STREW_INLINE static bool run(const dense_call& d) { return try_buckets(d.ctx, d.call, *d.reachable.scatter, d.plan); }
};

// ---- Parts

// A part of a plain scatter, whose kernels need its plan.
struct plain_part : scatter_part {
  scatter_plan plan;
  scatter_operands at;

  STREW_SMALL plain_part(const validated_call& call, const box& in, const scratch_memory& share) noexcept
      : scatter_part{call, in, share}, at{call.operands(*call.reachable.scatter)} {
    if (call.in_place || call.call.type.rules.names_rows()) {
      make_plan(in, state_layout::none, plan);
    } else {
      make_plan_with_data(plan);
    }
    whole = &plan;
  }

  [[nodiscard]] bool is_over_copy() const noexcept { return !c.in_place && !plan.empty(); }
};

// Rows of a cache line or more: each is written once, from its last update or from data.
struct rows_written_once {
  static constexpr const char* name = "rows written once";

  static bool may(const plain_part& part) noexcept {
    return part.is_over_copy() && may_write_rows_once(part.data, part.plan);
  }
  static bool pays(const plain_part& part) noexcept { return pays_to_write_rows_once(part.plan, part.c.facts); }
  static bool run(const plain_part& part) noexcept {
    write_rows_once(part.data, part.plan, part.at, part.c.facts);
    return true;
  }
};

// In tiles of some columns, if the axis is not the innermost one.
struct elements_in_tiles {
  static constexpr const char* name = "elements in tiles";

  static bool may(const plain_part& part) noexcept {
    return part.is_over_copy() && part.at.scatter.tile != nullptr && may_tile(part.plan, part.at.indices.loops);
  }
  static bool pays(const plain_part& part) noexcept { return pays_to_tile(part.plan); }
  static bool run(const plain_part& part) noexcept {
    return !seems_broadcast(part.plan, part.at.indices) && run_in_tiles(part.plan, part.at, part.memory);
  }
};

// ---- Tables

// Memory: whether the executor may have a workspace.
template <bool Memory>
using dense_kernels =
    std::conditional_t<Memory, kernel_table<small_scatter, bucketed_scatter>, kernel_table<small_scatter>>;

using rows_kernels = kernel_table<rows_written_once, one_after_the_other>;
using calls_on_rows = kernel_table<scatter_in_parts<plain_part, rows_kernels>>;
template <bool Memory>
inline constexpr call_kernels kernels_of_rows{run_dense<dense_call, make_dense_plan<false>, dense_kernels<Memory>>,
                                              run_table<calls_on_rows>, nullptr};

using elements_kernels = kernel_table<elements_in_tiles, one_after_the_other>;
using calls_on_elements = kernel_table<scatter_in_parts<plain_part, elements_kernels>>;
template <bool Memory>
inline constexpr call_kernels kernels_of_elements{run_dense<dense_call, make_dense_plan<true>, dense_kernels<Memory>>,
                                                  run_table<calls_on_elements>, nullptr};

}  // namespace strew::detail

#endif  // STREW_DETAIL_KERNELS_PLAIN_KERNELS_HPP
