// SPDX-License-Identifier: Apache-2.0
// What only calls with an executor need, behind pointers: serial calls emit none of it.
#ifndef STREW_DETAIL_CPU_SHARING_HPP
#define STREW_DETAIL_CPU_SHARING_HPP

#include <strew/config.hpp>
#include <strew/detail/cpu/check_indices.hpp>
#include <strew/detail/cpu/elements.hpp>
#include <strew/detail/cpu/index_leaves.hpp>
#include <strew/detail/plan/partition.hpp>
#include <strew/detail/tuning.hpp>
#include <strew/executor.hpp>
#include <strew/layout.hpp>

#include <cstdint>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// Whether no index of a run is less than the one before; none is negative. The first block tells most that do not.
inline bool run_ascends(const workers& who, const index_run& run) {
  const run_test test{run, ascends, 0, 0};
  const std::int64_t block = tuning::limits().used_ascending_block;
  return (run.count <= block || test_piece(&test, 0, block) == nothing_found) &&
         who.check(run.count, {test_piece, &test}) == nothing_found;
}

// Where all lanes inside the axis seem to have one index, their elements are copied as rows, which parts are not to cut
// to less than some KiB: two threads would take four times as long as one. An index tensor that was broadcast costs a
// part little to read; others are left to one thread.
inline void keep_rows(const index_source& index, const strided_layout& indices, int axis, work& job) noexcept {
  const int innermost = indices.rank() - 1;
  std::int64_t row_bytes = job.element_size;
  std::int64_t last = 0;  // lane
  for (int k = axis + 1; k <= innermost; ++k) {
    row_bytes *= indices.extent(k);
    last += (indices.extent(k) - 1) * indices.stride(k);
  }
  if (axis == innermost || row_bytes > tuning::limits().longest_kept_row) return;
  if (last != 0) {
    const std::int64_t size = index.leaves.size;
    const std::int64_t lanes = indices.extent(innermost);
    if (indices.stride(innermost) != 1 || lanes < 2 || !are_equal(index.data, lanes, size)) return;
    job.elements = 0;
  }
  job.inside_first = false;
}

inline constexpr workers::sharing sharing_by_executor{share_out, share_check, share_tasks, run_ascends, keep_rows};

// How a call on Ex is shared out; null for serial executors, which need no code for parts.
template <class Ex>
constexpr const workers::sharing* sharing_of() noexcept {
  if constexpr (is_serial<Ex>) {
    return nullptr;
  } else {
    return &sharing_by_executor;
  }
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_CPU_SHARING_HPP
