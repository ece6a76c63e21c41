// SPDX-License-Identifier: Apache-2.0
// The loops of reductions, and of scatters by multi-indices: one set for each element type and reduction, and for plain
// assignment one for each width.
#ifndef STREW_DETAIL_CPU_COMBINE_LEAVES_HPP
#define STREW_DETAIL_CPU_COMBINE_LEAVES_HPP

#include <strew/config.hpp>
#include <strew/detail/combination.hpp>
#include <strew/detail/cpu/combine_loops.hpp>
#include <strew/detail/cpu/copy_leaves.hpp>
#include <strew/detail/cpu/scatter_leaves.hpp>
#include <strew/detail/cpu/tuple_buckets.hpp>
#include <strew/detail/cpu/workspace_buckets.hpp>
#include <strew/detail/plan/scatter_plan.hpp>
#include <strew/detail/plan/tile_width.hpp>
#include <strew/detail/tuning.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

struct combine_leaves {
  using run_function = void (*)(const void* reduce, const update_run& run, const row_run& row) noexcept;
  using line_function = void (*)(const void* reduce, char* to, const char* from, std::int64_t count,
                                 std::int64_t unit) noexcept;
  using direct_function = void (*)(const void* reduce, const direct_run& run) noexcept;
  using tuple_function = bool (*)(const workers& who, const bucket_series& series,
                                  const basic_bucket_operands<tuple_numbers>& at, const bucket_leaves& leaves);
  using finish_function = void (*)(char* to, std::int64_t to_stride, const char* cell, std::int64_t cell_stride,
                                   std::int64_t count) noexcept;

  run_function elements;  // rows of one element
  run_function rows;
  finish_function finish;  // null where nothing is left to do
  cell_grid grid;
  std::int64_t cell_size;
  line_function line = nullptr;  // contiguous elements by as many updates; null where there are cells
  // Faster ways of some calls; null where there are none. The first two are for indices that are handled as integers of
  // so many bytes.
  int integer_size = 0;
  direct_function direct = nullptr;        // for elements along an axis, and rows of one element
  scatter_leaves tiles = {};               // for elements across it: its tiles
  const bucket_leaves* buckets = nullptr;  // for elements that are rows or rows that are elements, in a workspace
  const bucket_leaves* row_buckets = nullptr;
  tuple_function tuples = nullptr;  // for slices of these that tuples name
};

template <std::size_t Width>
inline constexpr bucket_leaves assign_buckets_of{scatter_by_buckets<index_source>, nullptr, fill_buckets<Width, true>,
                                                 nullptr, empty_bucket<Width>};
template <class T, class R, std::size_t Width>
inline constexpr bucket_leaves combine_buckets_of{scatter_by_buckets<index_source>, nullptr, fill_buckets<Width, true>,
                                                  nullptr, combine_bucket<T, R>};

template <std::size_t Width, scatter_reach Reach>
constexpr combine_leaves make_assign_leaves() noexcept {
  combine_leaves leaves{assign_elements<Width>, nullptr, nullptr, cell_grid::none, 0, assign_line};
  if constexpr (Reach.kind == scatter_kind::row) leaves.rows = assign_rows<Width>;
  if constexpr (Reach.memory && Reach.kind == scatter_kind::row && Width != any_width &&
                Width <= tuning::widest_bucketed) {
    leaves.buckets = &assign_buckets_of<Width>;
    leaves.row_buckets = &assign_buckets_of<any_width>;
    leaves.tuples = scatter_by_buckets<tuple_numbers>;
  }
  return leaves;
}
template <std::size_t Width, scatter_reach Reach>
inline constexpr combine_leaves assign_leaves_of = make_assign_leaves<Width, Reach>();

template <class T, class R, class Integer, scatter_reach Reach>
constexpr combine_leaves make_combine_leaves() noexcept {
  using how = combination<T, R>;
  if constexpr (std::is_same_v<R, reduction::none_type>) {
    return assign_leaves_of<(sizeof(T) <= 64 ? sizeof(T) : any_width), Reach>;
  } else if constexpr (std::is_same_v<R, scaled_sum<T>>) {
    return {add_scaled<T>, add_scaled<T>, nullptr, cell_grid::none, 0, add_scaled_line<T>};
  } else if constexpr (how::grid != cell_grid::none) {
    static_assert(
        sizeof(typename how::cell) <= tuning::cells_on_stack,
        "strew: the accumulator of strew::reduction::floating is larger than the stack that is used for some");
    combine_leaves leaves{combine_elements<T, R>, combine_rows<T, R>, nullptr, how::grid, sizeof(typename how::cell)};
    if constexpr (Reach.kind != scatter_kind::row) leaves.rows = nullptr;
    if constexpr (how::finishes) leaves.finish = finish_cells<T, R>;
    return leaves;
  } else {
    combine_leaves leaves{combine_elements<T, R>, combine_rows<T, R>, nullptr, cell_grid::none, 0, combine_line<T, R>};
    if constexpr (Reach.kind != scatter_kind::row) leaves.rows = nullptr;
    leaves.integer_size = static_cast<int>(sizeof(Integer));
    if constexpr (Reach.direct) leaves.direct = combine_direct<T, R, Integer>;
    // No operator of elements subtracts.
    constexpr bool has_tiles = named_reduction<R> && !std::is_same_v<R, reduction::sub_type>;
    if constexpr (Reach.kind == scatter_kind::element && has_tiles && divides_tiles(sizeof(T))) {
      leaves.tiles.width = static_cast<std::int64_t>(sizeof(T));
      leaves.tiles.tile = combine_tile_rows<T, R, Integer, false>;
      if constexpr (Reach.wraps) leaves.tiles.wrapping_tile = combine_tile_rows<T, R, Integer, true>;
    }
    if constexpr (Reach.memory && named_reduction<R> && sizeof(T) <= tuning::widest_bucketed) {
      leaves.buckets = &combine_buckets_of<T, R, sizeof(T)>;
      if constexpr (Reach.kind == scatter_kind::row) {
        leaves.row_buckets = &combine_buckets_of<T, R, any_width>;
        leaves.tuples = scatter_by_buckets<tuple_numbers>;
      }
    }
    return leaves;
  }
}
template <class T, class R, class Integer, scatter_reach Reach>
inline constexpr combine_leaves combine_leaves_of = make_combine_leaves<T, R, Integer, Reach>();

}  // namespace strew::detail

#endif  // STREW_DETAIL_CPU_COMBINE_LEAVES_HPP
