// SPDX-License-Identifier: Apache-2.0
// The size of the workspace of a call.
#ifndef STREW_DETAIL_FRONT_WORKSPACE_SIZE_HPP
#define STREW_DETAIL_FRONT_WORKSPACE_SIZE_HPP

#include <strew/config.hpp>
#include <strew/detail/plan/bucket_plan.hpp>
#include <strew/detail/plan/private_tables.hpp>
#include <strew/detail/plan/scatter_plan.hpp>
#include <strew/detail/plan/scratch_memory.hpp>
#include <strew/detail/plan/tile_width.hpp>
#include <strew/detail/plan/workspace_bytes.hpp>
#include <strew/detail/tuning.hpp>
#include <strew/detail/typed/reduction_step.hpp>
#include <strew/detail/typed/reduction_steps.hpp>
#include <strew/operators/reduction.hpp>
#include <strew/view/element.hpp>
#include <strew/view/index_list.hpp>
#include <strew/view/integer.hpp>

#include <cstddef>
#include <cstdint>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// Each function returns the bytes of the workspace with which a call on dense tensors of T is fastest; 0 if none helps,
// and if the arguments are not legal.

// For private copies of the output, in place, with `indices` updates of `row` bytes each; 0 for reductions with states.
// `is_one_run`: whether the indices are along one axis.
template <class T, class R>
constexpr std::size_t private_memory(std::int64_t elements, std::int64_t indices, std::int64_t row, bool is_one_run,
                                     std::size_t threads) noexcept {
  constexpr auto size = static_cast<std::int64_t>(sizeof(T));
  if (reduction_step<T, R>::grid != state_layout::none) return 0;
  if (elements > tuning::limits().largest_private_copy || !suits_private_tables(elements * size, indices)) return 0;
  if (threads > 1 && row >= tuning::limits().shortest_shared_row) return 0;
  const std::int64_t shares = merges_exactly<T, R> && is_one_run ? most_shares(indices, saturate(threads)) : 1;
  return saturated_size(private_tables(elements * size, shares, true).workspace());
}

// For rows: buckets.
template <class T>
constexpr std::size_t rows_memory(const index_list& data, const index_list& indices, std::int64_t axis,
                                  std::size_t threads) noexcept {
  const scatter_shape shape(data, indices, axis);
  constexpr auto width = static_cast<std::int64_t>(sizeof(T));
  if (shape.rows < 1 || !is_bytewise<T> || !are_row_elements(width, shape.inner)) return 0;
  return bucket_workspace({shape.rows, 1, shape.indices, shape.inner * width}, direct_stores::along_axis, threads);
}

// For elements: buckets, otherwise tiles.
template <class T>
constexpr std::size_t elements_memory(const index_list& data, const index_list& indices, std::int64_t axis,
                                      std::size_t threads) noexcept {
  const scatter_shape shape(data, indices, axis);
  if (shape.rows < 1 || !is_bytewise<T>) return 0;
  constexpr auto width = static_cast<std::int64_t>(sizeof(T));
  const std::size_t buckets = shape.covers
                                  ? bucket_workspace({shape.rows, shape.inner, shape.indices / shape.outer, width},
                                                     direct_stores::along_axis, threads)
                                  : 0;
  const bool is_full = fill_tiles(shape.rows, shape.inner, shape.indices / shape.outer / shape.inner, width);
  const std::int64_t tile = is_full ? best_tile_width(shape.rows, int64_max) : 0;
  if (buckets > 0 || shape.inner == 1 || tile == 0) return buckets;
  return workspace_size(static_cast<std::uint64_t>(shape.rows * tile), threads);
}

// For a reduction on one axis: a state for each row or element, otherwise buckets or tiles.
template <class T, class R>
constexpr std::size_t reduction_memory(bool has_rows, const index_list& data, const index_list& indices,
                                       std::int64_t axis, std::size_t threads) noexcept {
  using how = reduction_step<T, R>;
  if constexpr (is_bytewise<T>) {
    const scatter_shape shape(data, indices, axis);
    const bool has_other_axes = shape.outer > 1 || (!has_rows && data.size() > 1);
    if (shape.rows > 0 && (threads < 2 || !has_other_axes)) {
      const std::int64_t row = has_rows ? shape.inner * static_cast<std::int64_t>(sizeof(T)) : 1;
      const std::size_t bytes = private_memory<T, R>(shape.outer * shape.rows * shape.inner, shape.indices, row,
                                                     indices.size() == 1, threads);
      if (bytes > 0) return bytes;
    }
  }
  if constexpr (!is_bytewise<T>) {
    return 0;
  } else if constexpr (how::grid == state_layout::none) {
    if (!named_reduction<R>) return 0;
    return has_rows ? rows_memory<T>(data, indices, axis, threads) : elements_memory<T>(data, indices, axis, threads);
  } else {
    const scatter_shape shape(data, indices, axis);
    if (shape.rows < 1) return 0;
    std::int64_t states = shape.outer * shape.rows;
    if (!has_rows || how::grid == state_layout::elements) states *= shape.inner;
    const std::int64_t targets = has_rows ? shape.rows : shape.outer * shape.rows * shape.inner;
    const std::int64_t size = bytes_of_state<T, R>(shape.indices, targets);
    const auto bytes = static_cast<std::uint64_t>(states) * static_cast<std::uint64_t>(size);
    if (bytes <= static_cast<std::uint64_t>(tuning::states_on_stack)) return 0;
    constexpr auto most_parts = static_cast<std::uint64_t>(tuning::most_parts_a_thread);
    const std::uint64_t parts = threads < 2 ? 1 : saturating_multiply(threads, most_parts);
    // Parts of different sizes get equal shares, hence twice the bytes.
    const std::uint64_t rest = saturating_multiply(parts, 2 * scratch_memory::alignment);
    return saturated_size(saturating_add(threads < 2 ? bytes : saturating_multiply(bytes, 2), rest));
  }
}

// For slices addressed by multi-indices of `count` components; `multi_indices` are the extents of their positions:
// buckets.
template <class T, class R>
constexpr std::size_t multi_index_memory(const index_list& data, const index_list& multi_indices, std::int64_t count,
                                         std::size_t threads) noexcept {
  if (!is_bytewise<T> || count < 1 || count > data.size()) return 0;
  std::int64_t rows = 1;
  std::int64_t slice = 1;
  std::int64_t updates = 1;
  for (int k = 0; k < data.size(); ++k) multiply_size(k < count ? rows : slice, data[k]);
  for (const std::int64_t extent : multi_indices) multiply_size(updates, extent);
  constexpr auto width = static_cast<std::int64_t>(sizeof(T));
  if (rows < 1 || updates < 1 || slice < 1 || slice > most_elements / rows) return 0;
  const std::size_t bytes =
      private_memory<T, R>(rows * slice, updates, slice * width, multi_indices.size() == 1, threads);
  if (bytes > 0 || slice > tuning::widest_bucketed / width) return bytes;
  return bucket_workspace({rows, 1, updates, slice * width}, direct_stores::others, threads);
}

// The same for multi-indices along the last axis of one tensor.
template <class T, class R>
constexpr std::size_t nd_memory(const index_list& data, const index_list& indices, std::size_t threads) noexcept {
  const int last = indices.size() - 1;
  if (last < 0) return 0;
  index_list multi_indices;
  for (int k = 0; k < last; ++k) multi_indices.push_back(indices[k]);
  return multi_index_memory<T, R>(data, multi_indices, indices[last], threads);
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_FRONT_WORKSPACE_SIZE_HPP
