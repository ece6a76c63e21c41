// SPDX-License-Identifier: Apache-2.0
// The scatter of rows: each index names the row of the output that one row of the updates goes to. ScatterUpdate.
#ifndef STREW_KERNEL_ROWS_HPP
#define STREW_KERNEL_ROWS_HPP

#include <strew/box.hpp>
#include <strew/kernel/copy.hpp>
#include <strew/kernel/run.hpp>
#include <strew/kernel/scatter_run.hpp>
#include <strew/kernel/stream.hpp>
#include <strew/loop_nest.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <limits>
#include <type_traits>

namespace strew::detail {

// For each position of `outer` and each of `indices`, in row-major order: copy the nest `row` from the updates to the
// output's row number index. Rows of different positions of `outer` are distinct, so its order is free; the order of
// `indices` decides which of two equal indices wins, so it is kept.
struct rows_plan {
  static constexpr std::size_t output = copy_plan::target;
  static constexpr std::size_t updates = copy_plan::source;
  static constexpr std::size_t index = 0;  // in `indices`, whose operand 1 is the updates as elsewhere

  loop_nest<2> outer;
  loop_nest<2> indices;
  loop_nest<2> row;
  per_operand<2> first{};
  target_axis axis;  // in elements of the output

  // Chooses the loop order where it is free: upwards through the output's memory.
  constexpr void finish() noexcept {
    for (loop_nest<2>* nest : {&outer, &row}) {
      const per_operand<2> moved = nest->sort_by(output);
      for (std::size_t i = 0; i < 2; ++i) first[i] += moved[i];
    }
  }

  // Of ascending indices in one run, leaves those that name owned rows; returns the first of them.
  template <class I>
  constexpr const I* keep_own(const I* first_index) noexcept {
    const per_operand<2> stride = indices.strides(0);
    const axis_range own = ascending_within(first_index, stride[index], indices.extent(0), axis.owned);
    indices.set_extent(0, own.count);
    first[updates] += own.begin * stride[updates];
    axis.has_own = true;
    return first_index + own.begin * stride[index];
  }

  [[nodiscard]] constexpr bool empty() const noexcept { return outer.empty() || indices.empty() || row.empty(); }

  // The elements of a row, given that it is contiguous in output and updates; else 0.
  [[nodiscard]] constexpr std::int64_t contiguous_row() const noexcept {
    if (row.rank() == 0) return 1;
    return row.rank() == 1 && row.strides(0)[output] == 1 && row.strides(0)[updates] == 1 ? row.extent(0) : 0;
  }

  // Whether rows follow each other in the output without gaps.
  [[nodiscard]] constexpr bool has_flat_rows() const noexcept {
    return contiguous_row() > 0 && contiguous_row() == axis.stride;
  }

  // Whether all rows start a multiple of `row` elements apart, in the output and in the updates.
  [[nodiscard]] constexpr bool is_aligned_to(std::int64_t row_size) const noexcept {
    bool aligned = axis.stride % row_size == 0;
    for (int k = 0; k < outer.rank(); ++k) {
      aligned = aligned && outer.strides(k)[output] % row_size == 0 && outer.strides(k)[updates] % row_size == 0;
    }
    for (int k = 0; k < indices.rank(); ++k) aligned = aligned && indices.strides(k)[updates] % row_size == 0;
    return aligned;
  }
};

// For any element type and any strides.
template <class T, class I>
constexpr void scatter_rows(const rows_plan& plan, T* output, const I* indices,
                            const T* updates) noexcept(assigns_without_throwing<T>) {
  using p = rows_plan;
  plan.outer.for_each_position(0, plan.first, [&](const per_operand<2>& outer) {
    plan.indices.for_each_run(
        {0, outer[p::updates]}, [&](const per_operand<2>& at, std::int64_t count, const per_operand<2>& stride) {
          const I* const index = indices + at[p::index];
          const T* const from = updates + at[p::updates];
          for (std::int64_t i = 0; i < count; ++i) {
            const auto row = static_cast<std::int64_t>(index[i * stride[p::index]]);
            if (!plan.axis.owned.contains(row)) continue;
            copy_nest(plan.row, output + outer[p::output] + row * plan.axis.stride, from + i * stride[p::updates]);
          }
        });
  });
}

// Short rows are elements in themselves, of `Size` bytes, and scattered as such. `before_block(at)` is called before
// the updates of one position of `outer` are written.
template <std::size_t Size, class I, class BeforeBlock>
void scatter_wide(const rows_plan& plan, char* output, const I* indices, const char* updates,
                  BeforeBlock before_block) {
  using p = rows_plan;
  const std::int64_t row = plan.contiguous_row();
  const auto element_size = static_cast<std::int64_t>(Size) / row;
  const target_axis axis{plan.axis.extent, plan.axis.stride / row, plan.axis.owned, false, plan.axis.has_own};
  plan.outer.for_each_position(0, plan.first, [&](const per_operand<2>& outer) {
    before_block(outer);
    auto* const to = reinterpret_cast<opaque<Size>*>(output + outer[p::output] * element_size);
    plan.indices.for_each_run(
        {0, outer[p::updates]}, [&](const per_operand<2>& at, std::int64_t count, const per_operand<2>& stride) {
          scatter_run(axis, to, 0, reinterpret_cast<const opaque<Size>*>(updates + at[p::updates] * element_size),
                      stride[p::updates] / row, indices + at[p::index], stride[p::index], count);
        });
  });
}

// Calls scatter_wide for rows of up to `longest` bytes, where a few moves copy one. Returns false, and does nothing,
// for others.
template <std::size_t ElementSize, class I, class BeforeBlock>
bool scatter_short_rows(std::int64_t longest, const rows_plan& plan, char* output, const I* indices,
                        const char* updates, BeforeBlock before_block) {
  constexpr auto element_size = static_cast<std::int64_t>(ElementSize);
  const std::int64_t row = plan.contiguous_row();
  return row > 0 && row * element_size <= longest && plan.is_aligned_to(row) &&
         with_block_size<ElementSize>(row * element_size, [&](auto size) {
           scatter_wide<size()>(plan, output, indices, updates, before_block);
         });
}

// For each row of a range the number of its last update, or none. The memory may be any: it is read and written as
// bytes.
class row_sources {
 public:
  static constexpr std::int32_t none = -1;

  explicit row_sources(char* memory) noexcept : memory_{memory} {}

  // The memory for `rows` rows. There is a source more, for all updates of other rows: a branch on random rows is
  // guessed wrong half the time, and takes seven times as long.
  [[nodiscard]] static constexpr std::int64_t bytes_for(std::int64_t rows) noexcept { return (rows + 1) * size; }

  template <class I>
  void find(const axis_range& range, const I* index, std::int64_t stride, std::int64_t count) noexcept {
    static_assert(none == -1);
    std::memset(memory_, 0xff, static_cast<std::size_t>(bytes_for(range.count)));
    const auto begin = static_cast<std::uint64_t>(range.begin);
    const auto rows = static_cast<std::uint64_t>(range.count);
    for (std::int64_t i = 0; i < count; ++i) {
      const std::uint64_t row = static_cast<std::uint64_t>(index[i * stride]) - begin;
      const auto update = static_cast<std::int32_t>(i);
      std::memcpy(memory_ + (row < rows ? row : rows) * size, &update, size);
    }
  }

  [[nodiscard]] std::int32_t operator[](std::int64_t row) const noexcept {
    std::int32_t update;
    std::memcpy(&update, memory_ + row * size, size);
    return update;
  }

 private:
  static constexpr std::int64_t size = sizeof(std::int32_t);
  char* memory_;
};

// Writes `count` rows of row_bytes, which may be a compile-time constant.
template <class RowBytes>
void write_rows(char* to, const char* data, const char* updates, std::int64_t update_stride, row_sources sources,
                std::int64_t count, RowBytes row_bytes, bool far, bool streaming) noexcept {
  const auto bytes = static_cast<std::int64_t>(row_bytes);
  const std::int64_t ahead = far ? 1 + 4096 / bytes : count;
  const auto source = [&](std::int64_t r) {
    const std::int32_t update = sources[r];
    return update == row_sources::none ? data + r * bytes : updates + update * update_stride;
  };
  ascending_writer output{to, streaming};
  for (std::int64_t r = 0; r < count; ++r) {
    if (r + ahead < count) prefetch(source(r + ahead), bytes);
    if (streaming) {
      output.write(source(r), bytes);
    } else {
      std::memcpy(to + r * bytes, source(r), static_cast<std::size_t>(row_bytes));
    }
  }
  output.finish();
}

// Copies flat data and scatters rows of a cache line or more, so that each row is written once. Returns false, and does
// nothing, for other rows.
template <class I>
bool write_rows_once(const copy_plan& flat, const rows_plan& plan, std::int64_t element_size, bool streaming,
                     char* lowest, const char* data, const I* indices, const char* updates) {
  using p = rows_plan;
  const std::int64_t row_bytes = plan.contiguous_row() * element_size;
  const std::int64_t rows = plan.axis.owned.count;
  if (row_bytes < cache_line || plan.indices.rank() > 1) return false;
  const bool one = plan.indices.rank() == 0;
  const std::int64_t count = one ? 1 : plan.indices.extent(0);
  const per_operand<2> stride = one ? per_operand<2>{} : plan.indices.strides(0);
  if (count > std::numeric_limits<std::int32_t>::max()) return false;

  // Short rows that begin and end within a line would have to be put together before they are streamed.
  const bool has_whole_lines = row_bytes % cache_line == 0 && offset_in_line(lowest) == 0;
  const bool streams = streaming && (has_whole_lines || row_bytes >= 8 * cache_line);
  // Rows of a few lines that are not in the cache come too late without a request of their own; for longer ones the
  // processor asks by itself.
  constexpr std::int64_t second_level_cache = std::int64_t{1024} * 1024;
  const bool far = row_bytes > cache_line && row_bytes <= 1024 && flat.whole_size * element_size > second_level_cache;
  const std::int64_t update_stride = stride[p::updates] * element_size;

  constexpr std::int64_t rows_on_stack = 4096;
  char on_stack[row_sources::bytes_for(rows_on_stack)];
  for (std::int64_t done = 0; done < rows;) {
    const std::int64_t rest = rows - done;
    // The sources of many rows are kept where the last ones of these rows will be, whose turn comes afterwards.
    const std::int64_t lent = rest <= rows_on_stack ? 0 : (row_sources::bytes_for(rest) + row_bytes - 1) / row_bytes;
    row_sources sources{lent == 0 ? on_stack : lowest + (flat.flat_size() * element_size - lent * row_bytes)};
    const axis_range range{plan.axis.owned.begin + done, rest - lent};
    sources.find(range, indices, stride[p::index], count);
    std::int64_t block = done * row_bytes;
    plan.outer.for_each_position(0, plan.first, [&](const per_operand<2>& outer) {
      const auto write = [&](auto size) {
        write_rows(lowest + block, data + block, updates + outer[p::updates] * element_size, update_stride, sources,
                   range.count, size, far, streams);
      };
      if (!with_block_size<cache_line>(row_bytes, write)) write(row_bytes);
      block += rows * row_bytes;
    });
    done += range.count;
  }
  if (streams) stream_fence();
  return true;
}

// Runs the plan alone: in place.
template <class T, class I>
constexpr void run(const rows_plan& plan, T* output, const I* indices,
                   const T* updates) noexcept(assigns_without_throwing<T>) {
  if (plan.empty()) return;
  if constexpr (is_bytewise<T>) {
    if (!std::is_constant_evaluated() &&
        scatter_short_rows<sizeof(T)>(longest_block, plan, reinterpret_cast<char*>(output), indices,
                                      reinterpret_cast<const char*>(updates), [](const per_operand<2>&) {})) {
      return;
    }
  }
  scatter_rows(plan, output, indices, updates);
}

// Copies data and scatters rows over it, in the way that suits the plan: where data is flat and its rows are
// contiguous, rows of a cache line and more are written once, and short ones are scattered block by block over a copy
// that is still in the cache. Returns false, and does nothing, where the one is better done after the other.
template <class T, class I>
bool copy_and_scatter(const copy_plan& data, const rows_plan& plan, T* output, const T* data_source, const I* indices,
                      const T* updates) noexcept {
  if (!data.is_flat() || plan.empty() || !plan.has_flat_rows()) return false;
  constexpr auto size = static_cast<std::int64_t>(sizeof(T));
  char* const lowest = reinterpret_cast<char*>(output + data.first[copy_plan::target]);
  const char* const from = reinterpret_cast<const char*>(data_source + data.first[copy_plan::source]);
  const char* const update = reinterpret_cast<const char*>(updates);
  const std::int64_t block = plan.axis.owned.count * plan.axis.stride * size;
  std::int64_t end = 0;
  copy_ahead blocks{lowest, from, data.flat_size() * size};
  const auto copy_block = [&](const per_operand<2>&) { blocks.up_to(end += block); };
  // Two lines that follow each other in memory are fetched faster than one; far from the cache that decides.
  const bool streaming = should_stream(data.whole_size * size);
  return scatter_short_rows<sizeof(T)>(streaming ? cache_line : cache_line / 2, plan, reinterpret_cast<char*>(output),
                                       indices, update, copy_block) ||
         write_rows_once(data, plan, size, streaming, lowest, from, indices, update);
}

// Runs `data`, then `plan` over it.
template <class T, class I>
constexpr void run(const copy_plan& data, const rows_plan& plan, T* output, const T* data_source, const I* indices,
                   const T* updates) noexcept(assigns_without_throwing<T>) {
  if constexpr (is_bytewise<T>) {
    if (!std::is_constant_evaluated() && copy_and_scatter(data, plan, output, data_source, indices, updates)) return;
  }
  run(data, output, data_source);
  run(plan, output, indices, updates);
}

}  // namespace strew::detail

#endif  // STREW_KERNEL_ROWS_HPP
