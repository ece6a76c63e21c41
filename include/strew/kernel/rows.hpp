// SPDX-License-Identifier: Apache-2.0
// The scatter of rows: each index names the row of the output that one row of the updates goes to. ScatterUpdate.
#ifndef STREW_KERNEL_ROWS_HPP
#define STREW_KERNEL_ROWS_HPP

#include <strew/box.hpp>
#include <strew/kernel/copy.hpp>
#include <strew/kernel/row_set.hpp>
#include <strew/kernel/run.hpp>
#include <strew/kernel/stream.hpp>
#include <strew/loop_nest.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
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
  std::int64_t row_stride = 0;  // output elements from one row to the next
  axis_range rows{0, 0};        // the rows to write; updates of others are for another part

  // Chooses the loop order where it is free: upwards through the output's memory.
  constexpr void finish() noexcept {
    for (loop_nest<2>* nest : {&outer, &row}) {
      const per_operand<2> moved = nest->sort_by(output);
      for (std::size_t i = 0; i < 2; ++i) first[i] += moved[i];
    }
  }

  [[nodiscard]] constexpr bool empty() const noexcept { return outer.empty() || indices.empty() || row.empty(); }

  // The elements of a row, given that it is contiguous in output and updates; else 0.
  [[nodiscard]] constexpr std::int64_t contiguous_row() const noexcept {
    if (row.rank() == 0) return 1;
    return row.rank() == 1 && row.strides(0)[output] == 1 && row.strides(0)[updates] == 1 ? row.extent(0) : 0;
  }
};

// For any element type and any strides.
template <class T, class I>
constexpr void scatter_rows(const rows_plan& plan, T* output, const I* indices,
                            const T* updates) noexcept(assigns_without_throwing<T>) {
  using p = rows_plan;
  if (plan.empty()) return;
  plan.outer.for_each_position(0, plan.first, [&](const per_operand<2>& outer) {
    plan.indices.for_each_run(
        {0, outer[p::updates]}, [&](const per_operand<2>& at, std::int64_t count, const per_operand<2>& stride) {
          const I* const index = indices + at[p::index];
          const T* const from = updates + at[p::updates];
          for (std::int64_t i = 0; i < count; ++i) {
            const auto row = static_cast<std::int64_t>(index[i * stride[p::index]]);
            if (!plan.rows.contains(row)) continue;
            copy_nest(plan.row, output + outer[p::output] + row * plan.row_stride, from + i * stride[p::updates]);
          }
        });
  });
}

// From here on: contiguous rows, in bytes whatever the element type. Everything but the reading of indices is compiled
// once.

// Some rows and the updates that belong to them, in row-major order of the indices.
struct row_batch {
  static constexpr std::int64_t capacity = 256;

  std::int64_t row[capacity];
  std::int64_t update[capacity];  // bytes from the first update
  std::int64_t count;
};

// Reads `count` indices and keeps the ones in `rows`. One function an index type.
using read_rows = void(const void* indices, std::int64_t first, std::int64_t stride, std::int64_t count,
                       const axis_range& rows, std::int64_t first_update, std::int64_t update_stride,
                       row_batch& batch) noexcept;

template <class I>
void read_rows_of(const void* indices, std::int64_t first, std::int64_t stride, std::int64_t count,
                  const axis_range& rows, std::int64_t first_update, std::int64_t update_stride,
                  row_batch& batch) noexcept {
  const I* const index = static_cast<const I*>(indices) + first;
  batch.count = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    // Written always and kept if counted: a branch on random rows would be guessed wrong half the time.
    batch.row[batch.count] = static_cast<std::int64_t>(index[i * stride]);
    batch.update[batch.count] = first_update + i * update_stride;
    batch.count += rows.contains(batch.row[batch.count]) ? 1 : 0;
  }
}

class row_scatter {
 public:
  row_scatter(const rows_plan& plan, std::int64_t element_size, const void* indices, read_rows* read) noexcept
      : plan_{plan},
        element_size_{element_size},
        row_bytes_{plan.contiguous_row() * element_size},
        row_stride_{plan.row_stride * element_size},
        indices_{indices},
        read_{read} {}

  // Scatters the updates. `output` and `updates` are the operands' first elements.
  void run(char* output, const char* updates) const noexcept {
    for_each_outer(output, updates, [&](char* to, const char* from) { scatter(plan_.rows, to, from, false); });
  }

  // Copies `data` to `lowest`, where the plan's first row lies, and scatters the updates. Both are flat arrays.
  void run(char* lowest, const char* data, bool streaming, char* output, const char* updates) const noexcept {
    constexpr std::int64_t shortest_row = 64;  // a cache line
    constexpr std::int64_t most_sets = 8;      // each takes a pass over all indices
    if (row_bytes_ < shortest_row || plan_.rows.count > most_sets * row_set::capacity) {
      run_in_blocks(lowest, data, output, updates);
      return;
    }
    for (std::int64_t done = 0; done < plan_.rows.count; done += row_set::capacity) {
      const std::int64_t rest = plan_.rows.count - done;
      const axis_range rows{plan_.rows.begin + done, rest < row_set::capacity ? rest : row_set::capacity};
      run_once(rows, lowest + done * row_bytes_, data + done * row_bytes_, output, updates, streaming);
    }
    if (streaming) stream_fence();
  }

 private:
  // Short rows: block by block, a block being one position of `outer`, each scattered into while it is in the cache.
  void run_in_blocks(char* lowest, const char* data, char* output, const char* updates) const noexcept {
    const std::int64_t block = plan_.rows.count * row_bytes_;
    for_each_outer(output, updates, [&](char* to, const char* from) {
      copy_bytes(lowest, data, block, false);
      scatter(plan_.rows, to, from, false);
      lowest += block;
      data += block;
    });
  }

  // Long rows: each is written once, from data or from the updates.
  void run_once(const axis_range& rows, char* lowest, const char* data, char* output, const char* updates,
                bool streaming) const noexcept {
    row_set updated(rows.count);
    for_each_batch(rows, [&](const row_batch& batch) {
      for (std::int64_t i = 0; i < batch.count; ++i) updated.insert(batch.row[i] - rows.begin);
    });
    const std::int64_t block = plan_.rows.count * row_bytes_;
    for_each_outer(output, updates, [&](char* to, const char* from) {
      copy_absent(updated, lowest, data, streaming);
      scatter(rows, to, from, streaming);
      lowest += block;
      data += block;
    });
  }

  // Copies the rows that are not in the set: short ones by a few moves each, others a run at a time.
  void copy_absent(const row_set& updated, char* to, const char* from, bool streaming) const noexcept {
    const std::int64_t row_bytes = row_bytes_;
    const auto copy_short_rows = [&](auto size) {
      updated.for_each_absent(
          [&](std::int64_t row) { std::memcpy(to + row * row_bytes, from + row * row_bytes, size); });
    };
    if (!streaming && with_block_size(row_bytes, copy_short_rows)) return;
    updated.for_each_absent_run([&](std::int64_t begin, std::int64_t end) {
      copy_bytes(to + begin * row_bytes, from + begin * row_bytes, (end - begin) * row_bytes, streaming);
    });
  }

  // Writes the updated rows among `rows`, in row-major order of the indices. `to` is where row 0 lies.
  void scatter(const axis_range& rows, char* to, const char* from, bool streaming) const noexcept {
    const auto scatter_short_rows = [&](auto size) {
      for_each_batch(rows, [&](const row_batch& batch) { scatter_batch(batch, to, from, size); });
    };
    if (!streaming && with_block_size(row_bytes_, scatter_short_rows)) return;
    for_each_batch(rows, [&](const row_batch& batch) {
      for (std::int64_t i = 0; i < batch.count; ++i) {
        copy_bytes(to + batch.row[i] * row_stride_, from + batch.update[i], row_bytes_, streaming);
      }
    });
  }

  // All rows of a batch, of `size` bytes each, a compile-time constant. Four are loaded before the first is stored,
  // since the compiler cannot know that a store leaves the updates alone.
  template <class Size>
  void scatter_batch(const row_batch& batch, char* to, const char* from, Size size) const noexcept {
    const std::int64_t row_stride = row_stride_;
    std::int64_t i = 0;
    if constexpr (Size::value <= 64) {
      for (; i + 4 <= batch.count; i += 4) {
        opaque<Size::value> rows[4];
        for (std::int64_t k = 0; k < 4; ++k) std::memcpy(rows[k].bytes, from + batch.update[i + k], size);
        for (std::int64_t k = 0; k < 4; ++k) std::memcpy(to + batch.row[i + k] * row_stride, rows[k].bytes, size);
      }
    }
    for (; i < batch.count; ++i) std::memcpy(to + batch.row[i] * row_stride, from + batch.update[i], size);
  }

  template <class Body>
  void for_each_outer(char* output, const char* updates, Body&& body) const {
    plan_.outer.for_each_position(0, plan_.first, [&](const per_operand<2>& at) {
      body(output + at[rows_plan::output] * element_size_, updates + at[rows_plan::updates] * element_size_);
    });
  }

  template <class Body>
  void for_each_batch(const axis_range& rows, Body&& body) const {
    using p = rows_plan;
    row_batch batch;
    plan_.indices.for_each_run({}, [&](const per_operand<2>& at, std::int64_t count, const per_operand<2>& stride) {
      for (std::int64_t i = 0; i < count; i += row_batch::capacity) {
        const std::int64_t rest = count - i;
        read_(indices_, at[p::index] + i * stride[p::index], stride[p::index],
              rest < row_batch::capacity ? rest : row_batch::capacity, rows,
              (at[p::updates] + i * stride[p::updates]) * element_size_, stride[p::updates] * element_size_, batch);
        body(batch);
      }
    });
  }

  const rows_plan& plan_;
  std::int64_t element_size_;
  std::int64_t row_bytes_;
  std::int64_t row_stride_;  // bytes
  const void* indices_;
  read_rows* read_;
};

// Runs the plan alone: in place.
template <class T, class I>
constexpr void run(const rows_plan& plan, T* output, const I* indices,
                   const T* updates) noexcept(assigns_without_throwing<T>) {
  if constexpr (is_bytewise<T>) {
    if (!std::is_constant_evaluated() && !plan.empty() && plan.contiguous_row() > 0) {
      row_scatter(plan, sizeof(T), indices, read_rows_of<I>)
          .run(reinterpret_cast<char*>(output), reinterpret_cast<const char*>(updates));
      return;
    }
  }
  scatter_rows(plan, output, indices, updates);
}

// Runs `data`, then `plan` over it. Where data is flat bytes and its rows are contiguous, rows of a cache line and more
// are written once, from data or from the updates, and shorter rows are scattered over a copy that is still in the
// cache.
template <class T, class I>
constexpr void run(const copy_plan& data, const rows_plan& plan, T* output, const T* data_source, const I* indices,
                   const T* updates) noexcept(assigns_without_throwing<T>) {
  if constexpr (is_bytewise<T>) {
    if (!std::is_constant_evaluated() && data.is_flat() && !plan.empty() && plan.contiguous_row() > 0 &&
        plan.contiguous_row() == plan.row_stride) {
      row_scatter(plan, sizeof(T), indices, read_rows_of<I>)
          .run(reinterpret_cast<char*>(output + data.first[copy_plan::target]),
               reinterpret_cast<const char*>(data_source + data.first[copy_plan::source]),
               should_stream(data.whole_size * static_cast<std::int64_t>(sizeof(T))), reinterpret_cast<char*>(output),
               reinterpret_cast<const char*>(updates));
      return;
    }
  }
  run(data, output, data_source);
  run(plan, output, indices, updates);
}

}  // namespace strew::detail

#endif  // STREW_KERNEL_ROWS_HPP
