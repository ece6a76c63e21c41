// SPDX-License-Identifier: Apache-2.0
// The functions of calls with an executor, behind pointers, so that serial calls emit no code for them.
#ifndef STREW_DETAIL_KERNELS_PARALLEL_HPP
#define STREW_DETAIL_KERNELS_PARALLEL_HPP

#include <strew/config.hpp>
#include <strew/detail/kernels/check_indices.hpp>
#include <strew/detail/kernels/index_loops.hpp>
#include <strew/detail/kernels/run_plan.hpp>
#include <strew/detail/kernels/validated_call.hpp>
#include <strew/detail/plan/partition.hpp>
#include <strew/detail/tuning.hpp>
#include <strew/execution/executor.hpp>
#include <strew/view/layout.hpp>

#include <cstdint>
#include <type_traits>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// If the indices of a run ascend, without negative ones: the function that finds those in a range; otherwise null. Most
// unsorted runs are rejected by the first indices, nearly all others within the first block.
inline find_own_function find_own_if_ascending(const execution_context& ctx, const index_run& run) {
  const run_test test{run, ascends, 0, 0};
  for (const std::int64_t some : {std::int64_t{16}, tuning::limits().used_ascending_block}) {
    if (some < run.count && test_piece(&test, 0, some) != nothing_found) return nullptr;
  }
  return ctx.find_flags(run.count, {test_piece, &test}) == nothing_found ? ascending_within : nullptr;
}

// Whether a call has enough work for parts, which may find their own among indices that ascend. For single elements of
// an output that stays in cache it takes longer to see that they ascend than two threads save.
inline bool seeks_own(const validated_call& c) {
  return c.moved() / 2 >= smallest_part_of(c.call.type.element_size) &&
         (c.call.updates.layout->size() > c.call.indices[0].layout->size() ||
          c.facts.output_bytes / 4 >= tuning::limits().smallest_part);
}

// If all lanes inside the axis seem to have one index, their elements are copied as rows, which must not be cut to less
// than some KiB: two threads would take four times as long as one. A broadcast index tensor costs each part little to
// read; other ones are processed by one thread.
inline void keep_rows(const index_source& index, const strided_layout& indices, int axis, work_shape& job) noexcept {
  const int innermost = indices.rank() - 1;
  std::int64_t row_bytes = job.element_size;
  std::int64_t last = 0;  // lane
  for (int k = axis + 1; k <= innermost; ++k) {
    row_bytes *= indices.extent(k);
    last += (indices.extent(k) - 1) * indices.stride(k);
  }
  if (axis == innermost || row_bytes > tuning::limits().longest_kept_row) return;
  if (last != 0) {
    const std::int64_t size = index.loops.size;
    const std::int64_t lanes = indices.extent(innermost);
    if (indices.stride(innermost) != 1 || lanes < 2 || !are_equal(index.data, lanes, size)) return;
    job.elements = 0;
  }
  job.inside_first = false;
  job.has_columns = false;
}

inline constexpr execution_context::parallel_hooks hooks_of_executor{
    parallel_for_parts, share_check, share_tasks, find_own_if_ascending, ascending_within, seeks_own, keep_rows};

// The context of serial calls, which need no code for parts.
inline constexpr executor_ref no_executor{};
inline constexpr execution_context serial_context{no_executor, nullptr};

// The execution context of a call on an executor.
template <class Ex, bool MayHaveWorkspace = may_have_workspace<std::remove_const_t<Ex>>>
class context_on {
 public:
  explicit context_on(Ex&) noexcept {}
  [[nodiscard]] const execution_context& get() const noexcept { return serial_context; }
};
template <class Ex>
class context_on<Ex, true> {
 public:
  explicit context_on(Ex& ex) noexcept(noexcept(refer_to(ex))) : ref_{refer_to(ex)} {}
  context_on(const context_on&) = delete;
  context_on& operator=(const context_on&) = delete;
  [[nodiscard]] const execution_context& get() const noexcept { return context_; }

 private:
  static constexpr const execution_context::parallel_hooks* hooks() noexcept {
    if constexpr (is_serial<std::remove_const_t<Ex>>) {
      return nullptr;
    } else {
      return &hooks_of_executor;
    }
  }

  executor_ref ref_;
  execution_context context_{ref_, hooks()};
};

}  // namespace strew::detail

#endif  // STREW_DETAIL_KERNELS_PARALLEL_HPP
