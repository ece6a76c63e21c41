// SPDX-License-Identifier: Apache-2.0
// The innermost loops of assignments to targets that are given as offsets.
#ifndef STREW_DETAIL_KERNELS_ASSIGN_LOOPS_HPP
#define STREW_DETAIL_KERNELS_ASSIGN_LOOPS_HPP

#include <strew/config.hpp>
#include <strew/detail/kernel_counter.hpp>
#include <strew/detail/kernels/copy.hpp>
#include <strew/detail/kernels/copy_loops.hpp>
#include <strew/detail/kernels/each_update.hpp>
#include <strew/detail/kernels/reduce_runs.hpp>
#include <strew/detail/kernels/scatter_loops.hpp>
#include <strew/detail/tuning.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// Plain assignment of elements of a width.
template <std::size_t Width>
void assign_elements(const void*, const update_run& run, const row_run& row) noexcept {
  STREW_EXPECT(Width == any_width || row.unit == static_cast<std::int64_t>(Width));
  STREW_RAN("assign_elements", Width);
  for_each_update<update_loops::elements>(
      run, {tuning::most_prefetched_targets},
      [&](char* to, const char* from, char*) { move_element<Width>(to, from, row.unit); });
}
inline void assign_contiguous_rows(const update_run& run, const row_run& row) noexcept {
  STREW_RAN("assign_rows contiguous");
  const std::int64_t bytes = row.extent * row.unit;
  const bool is_small = are_short_blocks(bytes);
  for_each_update<update_loops::one>(run, prefetched_of(run, row), [&](char* to, const char* from, char*) {
    if (is_small) return copy_small(to, from, bytes);
    std::memcpy(to, from, static_cast<std::size_t>(bytes));
  });
}
// Contiguous rows of one value in the place of all updates: a row of it is made once. Returns false, with nothing done,
// for others.
STREW_SMALL inline bool assign_rows_of_value(const update_run& run, const row_run& row) noexcept {
  const std::int64_t bytes = row.extent * row.unit;
  if (row.from_stride != 0 || run.from_stride != 0 || (run.lines != nullptr && run.lines->from != 0) ||
      row.to_stride != row.unit || bytes > longest_small_copy) {
    return false;
  }
  STREW_RAN("assign_rows of one value");
  char value[longest_small_copy];
  const auto unit = static_cast<std::size_t>(row.unit);
  for (std::int64_t k = 0; k < bytes; k += row.unit) std::memcpy(value + k, run.from, unit);
  update_run filled = run;
  filled.from = value;
  assign_contiguous_rows(filled, row);
  return true;
}
template <std::size_t Width>
void assign_rows(const void*, const update_run& run, const row_run& row) noexcept {
  const row_run r = row;
  if (r.to_stride == r.unit && r.from_stride == r.unit) return assign_contiguous_rows(run, row);
  if (assign_rows_of_value(run, row)) return;
  STREW_RAN("assign_rows strided", Width);
  const bool is_short = Width != any_width && r.extent * r.unit < tuning::cache_line;
  for_each_update<update_loops::one>(run, prefetched_of(run, row), [&](char* to, const char* from, char*) {
    if (!is_short) return copy_run<Width>(to, r.to_stride, from, r.from_stride, r.extent, r.unit);
    for (std::int64_t k = r.extent; k > 0; --k, to += r.to_stride, from += r.from_stride) {
      move_element<Width>(to, from, r.unit);
    }
  });
}
// Assigns elements by indices that are read in place.
template <std::size_t Width, class Integer>
void assign_direct(const void*, const direct_run& all) noexcept {
  STREW_RAN("assign_direct", Width, sizeof(Integer));
  direct_run run = all;  // a copy: stores of char may alias `all`
  for (std::int64_t line = run.lines;;) {
    const auto target = [&](std::int64_t i) {
      return run.to + i * run.to_stride + target_at<Integer, false>(run.indices + i * run.index_stride, 0) * run.weight;
    };
    std::int64_t i = 0;
    for (; i + tuning::batch <= run.count; i += tuning::batch) {
      move_four<Width>([&](std::int64_t k) { return target(i + k); }, run.from + i * run.from_stride, run.from_stride);
    }
    for (; i < run.count; ++i) move_element<Width>(target(i), run.from + i * run.from_stride, 0);
    if (--line <= 0) return;
    run.to += run.to_line;
    run.from += run.from_line;
    run.indices += run.index_line;
  }
}
inline void assign_line(const void*, char* to, const char* from, std::int64_t count, std::int64_t unit) noexcept {
  STREW_RAN("assign_line");
  std::memcpy(to, from, static_cast<std::size_t>(count * unit));
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_KERNELS_ASSIGN_LOOPS_HPP
