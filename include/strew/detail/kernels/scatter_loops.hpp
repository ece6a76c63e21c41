// SPDX-License-Identifier: Apache-2.0
// The innermost loops of scatters, a set for each element width and each integer as which indices are handled, with
// their loops for buckets, and the operands of a scatter.
#ifndef STREW_DETAIL_KERNELS_SCATTER_LOOPS_HPP
#define STREW_DETAIL_KERNELS_SCATTER_LOOPS_HPP

#include <strew/config.hpp>
#include <strew/detail/kernel_counter.hpp>
#include <strew/detail/kernels/bucket_loops.hpp>
#include <strew/detail/kernels/copy_loops.hpp>
#include <strew/detail/kernels/index_loops.hpp>
#include <strew/detail/kernels/small_scatter.hpp>
#include <strew/detail/kernels/stream.hpp>
#include <strew/detail/kernels/tile_loops.hpp>
#include <strew/detail/kernels/workspace_buckets.hpp>
#include <strew/detail/tuning.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

template <std::size_t Width>
inline constexpr bucket_loops bucket_loops_of{scatter_by_buckets<index_source>, fill_buckets<Width>,
                                              empty_bucket<Width>};

// A run of updates and their targets: that of update i is `to` + i * to_stride + target * axis_stride. Strides are in
// bytes.
struct scattered_run {
  char* to;
  std::int64_t to_stride;
  std::int64_t axis_stride;
  const char* from;
  std::int64_t from_stride;
  std::int64_t index_stride;
  std::int64_t width;   // bytes of an element
  std::int64_t extent;  // of the axis, from whose end a negative index counts
  // There are so many lines of such elements, which are apart by these strides.
  std::int64_t lines = 1;
  std::int64_t to_line = 0;
  std::int64_t from_line = 0;
  std::int64_t index_line = 0;
};

// The kind of units. Elements may be scattered across the axis; rows that are handled as wider elements have no loop
// along the axis for one value in the place of updates, nor for several lines, which are rare.
enum class scatter_kind { element, row, wide_row };

// The shape of a run as a compile-time constant: along a contiguous axis, across the axis in elements that are
// contiguous as the updates are, both by contiguous indices, or any other.
enum class run_shape { along, across, any };

// Whether the loop for a shape takes contiguous updates alone; those that are rare, to limit code size.
constexpr bool takes_contiguous(run_shape shape, scatter_kind kind, bool wraps) noexcept {
  return shape == run_shape::across || (shape == run_shape::along && (wraps || kind == scatter_kind::wide_row));
}
// Whether the loop for a shape may run.
template <std::size_t Width, scatter_kind Kind, bool Wraps>
constexpr bool may_scatter(const scattered_run& run, run_shape shape, std::int64_t index_size) noexcept {
  constexpr auto size = static_cast<std::int64_t>(Width);
  if (Width != any_width && run.width != size) return false;
  if (takes_contiguous(shape, Kind, Wraps) && run.from_stride != size) return false;
  if (shape != run_shape::any && run.index_stride != index_size) return false;
  return shape == run_shape::any ||
         (shape == run_shape::across ? run.to_stride == size : run.to_stride == 0 && run.axis_stride == size);
}

// The indices of a run as looks_local samples them.
template <class Integer>
struct sampled_indices {
  const char* data;
  std::int64_t stride;
};
template <class Integer>
STREW_INLINE void sample_rows(const sampled_indices<Integer>& indices, std::int64_t first, std::int64_t count,
                              std::int64_t* to) noexcept {
  for (std::int64_t k = 0; k < count; ++k) to[k] = load<Integer>(indices.data + (first + k) * indices.stride);
}
// Whether the targets of a run along a contiguous axis are prefetched: many, and far from each other.
template <class Integer>
STREW_NOINLINE bool are_far_targets(const scattered_run& run, const char* indices, std::int64_t count) noexcept {
  return count >= tuning::limits().fewest_far_updates &&
         !looks_local(bucket_problem{run.extent, 1, count, run.width},
                      sampled_indices<Integer>{indices, run.index_stride});
}

template <std::size_t Width, class Integer, bool Wraps, scatter_kind Kind, run_shape Shape>
STREW_INLINE void scatter_loop(const scattered_run& run, const char* indices, std::int64_t count) noexcept {
  constexpr bool batches = Shape != run_shape::any;
  STREW_EXPECT((may_scatter<Width, Kind, Wraps>(run, Shape, sizeof(Integer))));
  STREW_RAN("scatter", Width, sizeof(Integer), Wraps, Shape);
  // Copies, since stores of char may alias `run`.
  constexpr auto size = static_cast<std::int64_t>(Width);
  const std::int64_t to_stride = Shape == run_shape::along ? 0 : Shape == run_shape::across ? size : run.to_stride;
  const std::int64_t axis_stride = Shape == run_shape::along ? size : run.axis_stride;
  const std::int64_t from_stride = takes_contiguous(Shape, Kind, Wraps) ? size : run.from_stride;
  const std::int64_t index_stride =
      Shape == run_shape::any ? run.index_stride : static_cast<std::int64_t>(sizeof(Integer));
  const std::int64_t extent = run.extent;
  const std::int64_t width = run.width;
  char* to = run.to;
  const char* from = run.from;
  const auto target = [&](std::int64_t k) {
    return to + k * to_stride + target_at<Integer, Wraps>(indices + k * index_stride, extent) * axis_stride;
  };
  const auto advance = [&](std::int64_t by) {
    indices += by * index_stride;
    to += by * to_stride;
    from += by * from_stride;
  };
  if constexpr (fits_register<Width> && batches) {
    constexpr std::int64_t batch = tuning::batch;
    const auto move_batch = [&] {
      move_four<Width>(target, from, from_stride);
      advance(batch);
    };
    if constexpr (Shape == run_shape::along && !Wraps) {
      if (extent * size >= tuning::limits().far_targets_from && are_far_targets<Integer>(run, indices, count)) {
        STREW_RAN("scatter far apart", Width, sizeof(Integer));
        constexpr std::int64_t ahead = tuning::prefetched_far_elements;
        for (; count >= ahead + batch; count -= batch) {
          for (std::int64_t k = ahead; k < ahead + batch; ++k) prefetch_to_write(target(k), 0);
          move_batch();
        }
      }
    }
    for (; count >= batch; count -= batch) move_batch();
  }
  for (; count > 0; --count) {
    move_element<Width>(target(0), from, width);
    advance(1);
  }
}

// Several short lines along a contiguous axis, without batches: each line would begin and end some, which takes 1.2 to
// 1.8 times as long.
template <std::size_t Width, class Integer, bool Wraps>
STREW_INLINE void scatter_short_lines(const scattered_run& run, const char* indices, std::int64_t count) noexcept {
  STREW_RAN("scatter short lines", Width, sizeof(Integer), Wraps);
  // Copies, since stores of char may alias `run`.
  constexpr auto size = static_cast<std::int64_t>(Width);
  constexpr auto index_size = static_cast<std::int64_t>(sizeof(Integer));
  const std::int64_t from_stride = run.from_stride;
  const std::int64_t extent = run.extent;
  const std::int64_t to_line = run.to_line;
  const std::int64_t from_line = run.from_line;
  const std::int64_t index_line = run.index_line;
  char* to = run.to;
  const char* from = run.from;
  for (std::int64_t line = run.lines; line > 0; --line) {
    const char* update = from;
    for (std::int64_t k = 0; k < count; ++k, update += from_stride) {
      std::memcpy(to + target_at<Integer, Wraps>(indices + k * index_size, extent) * size, update, Width);
    }
    to += to_line;
    from += from_line;
    indices += index_line;
  }
}

// Scatters all lines.
template <std::size_t Width, class Integer, bool Wraps, scatter_kind Kind, run_shape Shape>
STREW_INLINE void scatter_lines(const scattered_run& all, const char* first, std::int64_t count) noexcept {
  STREW_EXPECT(Kind != scatter_kind::wide_row || all.lines == 1);
  if constexpr (Shape == run_shape::along && Kind != scatter_kind::wide_row) {
    if (all.lines > 1 && count < tuning::limits().shortest_batched_run) {
      return scatter_short_lines<Width, Integer, Wraps>(all, first, count);
    }
  }
  scattered_run run = all;
  for (std::int64_t line = run.lines;;) {
    scatter_loop<Width, Integer, Wraps, Kind, Shape>(run, first, count);
    if (Kind == scatter_kind::wide_row || --line <= 0) return;
    run.to += run.to_line;
    run.from += run.from_line;
    first += run.index_line;
  }
}
template <std::size_t Width, class Integer, bool Wraps, scatter_kind Kind>
void scatter(const scattered_run& run, const void* indices, std::int64_t count) noexcept {
  const char* const first = static_cast<const char*>(indices);
  if constexpr (fits_register<Width>) {
    if (may_scatter<Width, Kind, Wraps>(run, run_shape::along, sizeof(Integer))) {
      return scatter_lines<Width, Integer, Wraps, Kind, run_shape::along>(run, first, count);
    }
    if constexpr (Kind == scatter_kind::element) {
      if (may_scatter<Width, Kind, Wraps>(run, run_shape::across, sizeof(Integer))) {
        return scatter_lines<Width, Integer, Wraps, Kind, run_shape::across>(run, first, count);
      }
    }
  }
  scatter_lines<Width, Integer, Wraps, Kind, run_shape::any>(run, first, count);
}

// Scatters contiguous rows of a few whole cache lines; Bytes: the size of each, or any_width.
template <std::size_t Bytes, class Integer>
STREW_INLINE void scatter_flat_rows_of(const scattered_run& rows, const char* index, std::int64_t count) noexcept {
  STREW_EXPECT(rows.axis_stride == rows.width && rows.from_stride == rows.width);
  STREW_RAN("scatter_flat_rows", Bytes, sizeof(Integer));
  constexpr std::int64_t line = tuning::cache_line;
  // Copies, since stores of char may alias `rows`.
  const std::int64_t stride = Bytes == any_width ? rows.width : static_cast<std::int64_t>(Bytes);
  const std::int64_t index_stride = rows.index_stride;
  char* const first = rows.to;
  const char* from = rows.from;
  const auto target = [&](std::int64_t row) {
    return first + static_cast<std::int64_t>(load<Integer>(index + row * index_stride)) * stride;
  };
  constexpr std::int64_t ahead = tuning::prefetched_flat_rows;
  // While more rows than this are left, the one `ahead` is prefetched.
  const std::int64_t last = rows.extent * stride >= tuning::limits().rows_prefetched_from ? ahead : count;
  for (; count > 0; --count, index += index_stride, from += stride) {
    if (count > last) {
      for (std::int64_t k = 0; k < stride; k += line) {
        prefetch_to_write(target(ahead), static_cast<std::uintptr_t>(k));
      }
    }
    char* const to = target(0);
    for (std::int64_t k = 0; k < stride; k += line) std::memcpy(to + k, from + k, line);
  }
}
constexpr bool may_scatter_flat_rows(const scattered_run& rows) noexcept {
  return rows.axis_stride == rows.width && rows.from_stride == rows.width && rows.width % tuning::cache_line == 0 &&
         rows.width <= 4 * tuning::cache_line;
}
template <class Integer>
void scatter_flat_rows(const scattered_run& rows, const void* indices, std::int64_t count) noexcept {
  const char* const index = static_cast<const char*>(indices);
  if (rows.width == tuning::cache_line) {
    scatter_flat_rows_of<tuning::cache_line, Integer>(rows, index, count);
  } else {
    scatter_flat_rows_of<any_width, Integer>(rows, index, count);
  }
}

// Scatters rows for whose size there are loops, see run_plan.hpp. A template, since its argument is defined later.
struct plan_run;
template <class Run>
STREW_SMALL bool run_rows(const Run& all) noexcept;

// The loops of a width and an integer. A call instantiates only those that it can use; the others are null.
struct scatter_loops {
  using scatter_function = void (*)(const scattered_run& run, const void* indices, std::int64_t count) noexcept;
  using small_function = bool (*)(const dense_plan& plan, char* output, const char* data, const char* indices,
                                  const char* updates) noexcept;
  using tile_function = void (*)(const tile_columns& into, const void* indices, std::int64_t rows) noexcept;

  std::int64_t width;          // any_width: given at run time
  scatter_function scatter;    // if no index is negative
  scatter_function wrapping;   // if some are
  small_function run_small;    // runs a small dense call
  tile_function tile;          // if no index is negative
  scatter_function flat_rows;  // contiguous rows of some sizes, if no index is negative
  bool (*run_rows)(const plan_run& all) noexcept;
  const bucket_loops* buckets;  // for outputs far larger than the cache, with a workspace
  const scatter_loops* wider;   // of twice the width, for rows handled as elements of that width
};

// The features of a call, by which its loops are selected.
struct scatter_features {
  scatter_kind kind;  // elements are scattered in tiles too
  bool wraps;         // indices may be negative
  bool memory;        // the executor may have a workspace
  bool direct;        // loops of reductions may read indices in place
};

inline constexpr std::size_t widest_row_loop = 32;

template <std::size_t Width, class Integer, scatter_features Reach>
constexpr const scatter_loops* wider_loops() noexcept;

template <std::size_t Width, class Integer, scatter_features Reach>
constexpr scatter_loops make_scatter_loops() noexcept {
  scatter_loops loops{};
  loops.width = static_cast<std::int64_t>(Width);
  loops.scatter = scatter<Width, Integer, false, Reach.kind>;
  if constexpr (Reach.wraps) loops.wrapping = scatter<Width, Integer, true, Reach.kind>;
  if constexpr (Reach.kind == scatter_kind::element) {
    loops.run_small = scatter_small_elements<Width, Integer, Reach.wraps>;
  } else {
    loops.run_small = scatter_small_rows<Integer>;
  }
  if constexpr (Reach.kind == scatter_kind::element && fits_register<Width>) {
    loops.tile = scatter_tile_rows<Width, Integer>;
  }
  if constexpr (Reach.kind != scatter_kind::wide_row) {
    loops.flat_rows = scatter_flat_rows<Integer>;
    loops.run_rows = run_rows<plan_run>;
  }
  if constexpr (Reach.memory && Width <= tuning::widest_bucketed) loops.buckets = &bucket_loops_of<Width>;
  loops.wider = wider_loops<Width, Integer, Reach>();
  return loops;
}

template <std::size_t Width, class Integer, scatter_features Reach>
inline constexpr scatter_loops scatter_loops_of = make_scatter_loops<Width, Integer, Reach>();

template <std::size_t Width, class Integer, scatter_features Reach>
constexpr const scatter_loops* wider_loops() noexcept {
  if constexpr (Reach.kind != scatter_kind::element && fits_register<Width> && 2 * Width <= widest_row_loop) {
    constexpr scatter_features features{scatter_kind::wide_row, Reach.wraps, Reach.memory, false};
    return &scatter_loops_of<2 * Width, Integer, features>;
  } else {
    return nullptr;
  }
}

// The loops for rows of row_bytes bytes as elements, or null if there are none.
inline const scatter_loops* loops_for_rows(const scatter_loops& element, std::int64_t unit,
                                           std::int64_t row_bytes) noexcept {
  if (row_bytes == unit) return &element;
  const scatter_loops* loops = element.wider;
  while (loops != nullptr && loops->width != row_bytes) loops = loops->wider;
  return loops;
}

// The operands of a scatter, and its loops.
struct scatter_operands {
  char* output;
  const char* data;
  index_source indices;
  const char* updates;
  const copy_loops& copy;
  const scatter_loops& scatter;
};

// Per-call constants that all parts share.
struct call_facts {
  std::int64_t output_bytes;
  std::int64_t streamed_from;
  // From how many bytes on copies of data ahead of rows are streamed: all threads make them at the same time, and
  // together they fill the cache. Set after the indices are checked.
  std::int64_t copies_streamed_from;

  [[nodiscard]] bool streams() const noexcept { return output_bytes > streamed_from; }
};

}  // namespace strew::detail

#endif  // STREW_DETAIL_KERNELS_SCATTER_LOOPS_HPP
