// SPDX-License-Identifier: Apache-2.0
// The loops that apply updates one after the other: a set of functions for each element type and reduction, and for
// assignment, which is here, a set for each element width.
#ifndef STREW_DETAIL_KERNELS_LOOP_TABLE_HPP
#define STREW_DETAIL_KERNELS_LOOP_TABLE_HPP

#include <strew/config.hpp>
#include <strew/detail/kernels/assign_loops.hpp>
#include <strew/detail/kernels/copy_loops.hpp>
#include <strew/detail/kernels/index_reader.hpp>
#include <strew/detail/kernels/reduce_runs.hpp>
#include <strew/detail/kernels/scatter_loops.hpp>
#include <strew/detail/kernels/workspace_buckets.hpp>
#include <strew/detail/plan/scatter_plan.hpp>
#include <strew/detail/tuning.hpp>

#include <cstddef>
#include <cstdint>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// How the results of two shares of the updates are merged with the bits of all updates in order: by the reduction
// itself, over elements that begin as the identity, or, if it is null, as those of the output.
struct table_merge {
  bool is_exact = false;
  const void* identity = nullptr;
};
struct multi_index_numbers;
struct reduction_steps;
struct state_run;
using state_run_function = void (*)(const void* reduce, const state_run& run, const target_axis& axis) noexcept;

struct reduce_loops {
  using run_function = void (*)(const void* reduce, const update_run& run, const row_run& row) noexcept;
  using line_function = void (*)(const void* reduce, char* to, const char* from, std::int64_t count,
                                 std::int64_t unit) noexcept;
  using direct_function = void (*)(const void* reduce, const direct_run& run) noexcept;
  using checked_function = bool (*)(const void* reduce, const direct_run& run) noexcept;
  using multi_index_function = bool (*)(const execution_context& ctx, const bucket_series& series,
                                        const basic_bucket_operands<multi_index_numbers>& at,
                                        const bucket_loops& loops);
  using finish_function = void (*)(char* to, std::int64_t to_stride, const char* state, std::int64_t state_stride,
                                   std::int64_t count) noexcept;

  run_function elements;  // rows of one element
  run_function rows;
  finish_function finish;  // null if there is nothing to do
  state_layout grid;
  std::int64_t state_size;
  line_function line = nullptr;  // contiguous elements and as many updates; null with states
  // Faster loops for some calls, or null. The first two need indices that are read in place as integers of integer_size
  // bytes.
  int integer_size = 0;
  direct_function direct = nullptr;       // elements along an axis, and rows of one element
  checked_function checked = nullptr;     // elements along an axis, with a check of the indices
  scatter_loops tiles = {};               // elements across the axis: tiles
  const bucket_loops* buckets = nullptr;  // buckets in a workspace, for rows that are an element or are handled as one
  const bucket_loops* row_buckets = nullptr;
  multi_index_function multi_indices = nullptr;  // the same for multi-indices
  table_merge merge = {};                        // of private copies
  bool keeps_order = false;                      // whether updates are combined in row-major order: for callables
  bool assigns = false;                          // whether updates replace elements
  // How the positions of a part or a block of the output are found, where each of them reads all indices, or null.
  index_reader::read_own_function read_own = nullptr;
  // How runs of indices are read in place where only states change, as integers of integer_size bytes, or null.
  state_run_function states = nullptr;
  const reduction_steps* steps = nullptr;  // see reduce_in_steps.hpp; null if there are none
};

template <std::size_t Width, class Integer, scatter_features Reach>
constexpr reduce_loops make_assign_loops() noexcept {
  reduce_loops loops{assign_elements<Width>, assign_rows<Width>, nullptr, state_layout::none, 0, assign_line};
  loops.assigns = true;
  if constexpr (Reach.direct && fits_register<Width>) {
    loops.integer_size = static_cast<int>(sizeof(Integer));
    loops.direct = assign_direct<Width, Integer>;
  }
  if constexpr (!Reach.wraps) loops.read_own = index_reader::read_own_in_turn;
  if constexpr (Reach.memory && Reach.kind == scatter_kind::row && Width != any_width &&
                Width <= tuning::widest_bucketed) {
    loops.buckets = &bucket_loops_of<Width>;
    loops.row_buckets = &bucket_loops_of<any_width>;
    loops.multi_indices = scatter_by_buckets<multi_index_numbers>;
  }
  return loops;
}
template <std::size_t Width, class Integer, scatter_features Reach>
inline constexpr reduce_loops assign_loops_of = make_assign_loops<Width, Integer, Reach>();

// The features of the loops of plain scatters beside scatter_loops.
template <bool Wraps>
inline constexpr scatter_features plain_features{scatter_kind::element, Wraps, false, false};

}  // namespace strew::detail

#endif  // STREW_DETAIL_KERNELS_LOOP_TABLE_HPP
