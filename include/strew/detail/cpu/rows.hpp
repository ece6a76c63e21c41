// SPDX-License-Identifier: Apache-2.0
// The scatter of rows of bytes.
#ifndef STREW_DETAIL_CPU_ROWS_HPP
#define STREW_DETAIL_CPU_ROWS_HPP

#include <strew/config.hpp>
#include <strew/detail/cpu/bucket_loops.hpp>
#include <strew/detail/cpu/copy.hpp>
#include <strew/detail/cpu/copy_leaves.hpp>
#include <strew/detail/cpu/index_leaves.hpp>
#include <strew/detail/cpu/scatter_leaves.hpp>
#include <strew/detail/cpu/stream.hpp>
#include <strew/detail/cpu/targets.hpp>
#include <strew/detail/kernel_counter.hpp>
#include <strew/detail/plan/copy_plan.hpp>
#include <strew/detail/plan/loop_nest.hpp>
#include <strew/detail/plan/rows_plan.hpp>
#include <strew/detail/tuning.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// Where a scatter finds its operands, and the leaves it runs.
struct scatter_operands {
  char* output;
  const char* data;
  index_source indices;
  const char* updates;
  const copy_leaves& copy;
  const scatter_leaves& scatter;
};

// Rows of `Bytes` each, or of rows.width where that is any_width, to their targets. Everything is copied to locals
// first, which no store can change.
template <std::size_t Bytes>
STREW_INLINE void scatter_rows_of(const scattered_run& rows, const target_run& run) noexcept {
  const std::size_t bytes = Bytes == any_width ? static_cast<std::size_t>(rows.width) : Bytes;
  const std::int64_t axis_stride = rows.axis_stride;
  const std::int64_t from_stride = rows.from_stride;
  char* const to = rows.to;
  const char* from = rows.from;
  const char* target = static_cast<const char*>(run.indices);
  const std::uint16_t* const number = run.number;
  const std::int64_t count = run.count;
  if (number == nullptr) {
    for (std::int64_t k = 0; k < count; ++k, target += 8, from += from_stride) {
      std::memcpy(to + load<std::int64_t>(target) * axis_stride, from, bytes);
    }
  } else {
    for (std::int64_t k = 0; k < count; ++k) {
      const std::int64_t i = number[k];
      std::memcpy(to + load<std::int64_t>(target + i * 8) * axis_stride, from + i * from_stride, bytes);
    }
  }
}

// Whether rows lie without gaps, in the output and in the updates.
constexpr bool may_scatter_flat_rows(const scattered_run& rows) noexcept {
  return rows.axis_stride == rows.width && rows.from_stride == rows.width;
}

// The same for rows without gaps between them, named by integers as they are.
template <std::size_t Bytes, class Integer>
STREW_INLINE void scatter_flat_rows_of(const scattered_run& rows, const char* index, std::int64_t count) noexcept {
  constexpr auto stride = static_cast<std::int64_t>(Bytes);
  STREW_EXPECT(may_scatter_flat_rows(rows) && rows.width == stride);
  STREW_RAN("scatter_flat_rows", Bytes, sizeof(Integer));
  char* const to = rows.to;
  const char* from = rows.from;
  for (; count > 0; --count, index += sizeof(Integer), from += stride) {
    std::memcpy(to + static_cast<std::int64_t>(load<Integer>(index)) * stride, from, Bytes);
  }
}
// Returns false, and does nothing, for rows of other sizes.
template <class Integer>
bool scatter_flat_rows(const scattered_run& rows, const char* index, std::int64_t count) noexcept {
  switch (rows.width) {
    case 64:
      scatter_flat_rows_of<64, Integer>(rows, index, count);
      return true;
    case 128:
      scatter_flat_rows_of<128, Integer>(rows, index, count);
      return true;
    case 256:
      scatter_flat_rows_of<256, Integer>(rows, index, count);
      return true;
    default:
      return false;
  }
}

// Rows that no leaf of their width moves.
inline void scatter_long_rows(const scattered_run& rows, const target_run& run) noexcept {
  if (rows.width == tuning::cache_line) {
    STREW_RAN("scatter_rows_of", tuning::cache_line);
    scatter_rows_of<tuning::cache_line>(rows, run);
  } else {
    STREW_RAN("scatter_rows_of any");
    scatter_rows_of<any_width>(rows, run);
  }
}

// The leaves for rows as elements of so many bytes; null where there are none.
inline const scatter_leaves* leaves_for_rows(const scatter_leaves& element, std::int64_t unit,
                                             std::int64_t row_bytes) noexcept {
  if (row_bytes == unit) return &element;
  const scatter_leaves* leaves = element.wider;
  while (leaves != nullptr && leaves->width != row_bytes) leaves = leaves->wider;
  return leaves;
}

// Scatters one run of rows, whose first index lies `first_index` bytes from the first of all.
inline void scatter_run_of_rows(const rows_plan& plan, const scattered_run& rows, const scatter_operands& at,
                                const scatter_leaves* leaves, const index_run& run, target_reader& reader,
                                std::int64_t first_index) noexcept {
  if (leaves == nullptr && may_scatter_flat_rows(rows) && reader.is_direct(run.stride)) {
    STREW_EXPECT(at.indices.leaves.loop_size == 8 || at.indices.leaves.loop_size == 4);
    const char* const first = at.indices.data + first_index;
    const bool is_done = at.indices.leaves.loop_size == 8 ? scatter_flat_rows<std::int64_t>(rows, first, run.count)
                                                          : scatter_flat_rows<std::int32_t>(rows, first, run.count);
    if (is_done) return;
  }
  scattered_run some = rows;
  for (std::int64_t i = 0; i < run.count;) {
    const std::int64_t first = first_index + i * run.stride;
    const target_run read = leaves != nullptr ? reader.read(first, run.stride, run.count - i)
                                              : reader.read_targets(first, run.stride, run.count - i);
    if (leaves != nullptr && read.number == nullptr) {
      leaves->scatter(some, read.indices, read.count);
    } else if (leaves != nullptr) {
      leaves->some(some, read.targets(), read.number, read.count);
    } else if (plan.row_size > 0) {
      scatter_long_rows(some, read);
    } else {
      STREW_RAN("scatter rows by nests");
      for (std::int64_t k = 0; k < read.count; ++k) {
        const std::int64_t number = read.number == nullptr ? k : read.number[k];
        copy_nest(plan.row, some.to + read.target(number) * some.axis_stride, some.from + number * some.from_stride,
                  plan.unit, at.copy);
      }
    }
    i += read.taken;
    some.from += read.taken * some.from_stride;
  }
}

// Scatters all rows. Where `blocks` is not null it copies data first, as far as one position of `outer` may write.
inline void scatter_rows(const rows_plan& plan, const scatter_operands& at, copy_ahead* blocks) noexcept {
  using p = rows_plan;
  const auto innermost = plan.indices.innermost();
  const std::int64_t stride = innermost.strides[p::index];
  const std::int64_t block = plan.axis.owned.count * plan.axis.stride;
  const scatter_leaves* const leaves =
      plan.row_size > 0 ? leaves_for_rows(at.scatter, plan.unit, plan.row_size) : nullptr;
  target_reader reader{at.indices, plan.axis};
  scattered_run rows{nullptr, 0, plan.axis.stride, nullptr, innermost.strides[p::updates], plan.row_size, 0};
  // Short runs leave no time to ask again for each how its indices are read.
  const auto direct = leaves != nullptr && reader.is_direct(stride) ? leaves->scatter : nullptr;
  std::int64_t end = 0;
  for (nest_cursor<2> outer(plan.outer, 0, plan.first); !outer.done(); outer.next()) {
    if (blocks != nullptr) blocks->up_to(end += block);
    rows.to = at.output + outer[p::output];
    for (nest_cursor<2> c(plan.indices, 1, {plan.first_index, outer[p::updates]}); !c.done(); c.next()) {
      rows.from = at.updates + c[p::updates];
      if (direct != nullptr) {
        direct(rows, at.indices.data + c[p::index], innermost.extent);
      } else {
        scatter_run_of_rows(plan, rows, at, leaves, {at.indices, stride, innermost.extent}, reader, c[p::index]);
      }
    }
  }
}

// For each row of a range the number of its last update, or none. The memory may be any: it is read and written as
// bytes.
class row_sources {
 public:
  static constexpr std::int32_t none = -1;

  explicit row_sources(char* memory) noexcept : memory_{memory} {}

  // The memory for `rows` rows. One extra slot takes the updates of rows out of range: a branch on random rows would be
  // mispredicted half the time, and takes seven times as long.
  [[nodiscard]] static constexpr std::int64_t bytes_for(std::int64_t rows) noexcept { return (rows + 1) * size; }

  void clear(std::int64_t rows) noexcept {
    static_assert(none == -1);
    std::memset(memory_, 0xff, static_cast<std::size_t>(bytes_for(rows)));
  }

  // Enters the updates from number `first_number` on.
  void add(const axis_range& range, const target_run& run, std::int64_t first_number) noexcept {
    const auto begin = static_cast<std::uint64_t>(range.begin);
    const auto rows = static_cast<std::uint64_t>(range.count);
    char* const memory = memory_;
    for (std::int64_t i = 0; i < run.count; ++i) {
      const std::uint64_t row = static_cast<std::uint64_t>(run.target(i)) - begin;
      const auto update = static_cast<std::int32_t>(first_number + i);
      std::memcpy(memory + (row < rows ? row : rows) * size, &update, size);
    }
  }

  [[nodiscard]] std::int32_t operator[](std::int64_t row) const noexcept {
    return load<std::int32_t>(memory_ + row * size);
  }
  void set(std::int64_t row, std::int32_t update) noexcept { std::memcpy(memory_ + row * size, &update, size); }
  // Those of the rows from `row` on.
  [[nodiscard]] row_sources from(std::int64_t row) const noexcept { return row_sources(memory_ + row * size); }

 private:
  static constexpr std::int64_t size = sizeof(std::int32_t);
  char* memory_;
};

// Rows to be written once each, in ascending order: row r comes from the update that sources[r] names, or from data.
struct written_rows {
  char* to;
  const char* data;
  const char* updates;
  std::int64_t update_stride;
  row_sources sources;
  std::int64_t count;
  std::int64_t bytes;       // of a row
  std::int64_t ahead;       // the row that is prefetched, counted from the one that is written
  std::int64_t prefetched;  // how many of its bytes

  [[nodiscard]] STREW_INLINE const char* source(std::int64_t r, std::int64_t row_bytes) const noexcept {
    const std::int32_t update = sources[r];
    return update == row_sources::none ? data + r * row_bytes : updates + update * update_stride;
  }
};

template <std::size_t Bytes>
STREW_INLINE void write_rows_of(const written_rows& all) noexcept {
  STREW_EXPECT(Bytes == any_width || all.bytes == static_cast<std::int64_t>(Bytes));
  STREW_RAN("write_rows_of", Bytes);
  const written_rows rows = all;
  const std::int64_t bytes = Bytes == any_width ? rows.bytes : static_cast<std::int64_t>(Bytes);
  for (std::int64_t r = 0; r < rows.count; ++r) {
    if (r + rows.ahead < rows.count) prefetch(rows.source(r + rows.ahead, bytes), bytes);
    std::memcpy(rows.to + r * bytes, rows.source(r, bytes), static_cast<std::size_t>(bytes));
  }
}

inline void stream_rows(const written_rows& all) noexcept {
  const written_rows rows = all;
  constexpr std::int64_t frequent = 256;  // bytes of a row; as a constant up to 1.3 times as fast
  if (rows.bytes == frequent && offset_in_line(rows.to) == 0) {
    STREW_RAN("stream_rows", frequent);
    for (std::int64_t r = 0; r < rows.count; ++r) {
      if (r + rows.ahead < rows.count) prefetch(rows.source(r + rows.ahead, frequent), frequent);
      stream_lines(rows.to + r * frequent, rows.source(r, frequent), frequent);
    }
    return;
  }
  STREW_RAN("stream_rows any");
  ascending_writer output{rows.to, true};
  for (std::int64_t r = 0; r < rows.count; ++r) {
    if (r + rows.ahead < rows.count) prefetch(rows.source(r + rows.ahead, rows.bytes), rows.prefetched);
    output.write(rows.source(r, rows.bytes), rows.bytes);
  }
  output.finish();
}

inline void write_rows(const written_rows& rows, bool streaming) noexcept {
  if (streaming) return stream_rows(rows);
  switch (rows.bytes) {
    case 64:
      return write_rows_of<64>(rows);
    case 128:
      return write_rows_of<128>(rows);
    case 256:
      return write_rows_of<256>(rows);
    default:
      return write_rows_of<any_width>(rows);
  }
}

// Lists the last update of each row of a range.
inline void find_sources(const rows_plan& plan, const scatter_operands& at, const axis_range& range,
                         row_sources& sources) noexcept {
  target_axis axis = plan.axis;
  axis.has_own = true;  // rows of other parts fall out of range
  target_reader reader{at.indices, axis};
  sources.clear(range.count);
  const auto run = plan.indices.innermost();
  for (std::int64_t i = 0; i < run.extent;) {
    const std::int64_t stride = run.strides[rows_plan::index];
    const target_run read = reader.read_targets(plan.first_index + i * stride, stride, run.extent - i);
    sources.add(range, read, i);
    i += read.taken;
  }
}

// How rows of a cache line and more are written once each.
struct row_writing {
  bool streams;
  std::int64_t ahead;       // the row that is prefetched, counted from the one that is written; `rows` for none
  std::int64_t prefetched;  // how many of its bytes
};
inline row_writing choose_row_writing(const char* output, std::int64_t row_bytes, std::int64_t rows,
                                      std::int64_t output_bytes, bool streaming) noexcept {
  // Short rows that begin and end within a line would have to be collected before they are streamed.
  const bool has_whole_lines = row_bytes % tuning::cache_line == 0 && offset_in_line(output) == 0;
  const tuning::thresholds& limits = tuning::limits();
  const bool is_far = row_bytes > limits.shortest_prefetched_row && row_bytes <= limits.longest_prefetched_row &&
                      output_bytes > limits.rows_prefetched_from;
  const bool streams = streaming && (has_whole_lines || row_bytes >= limits.streamed_row);
  if (is_far) return {streams, 1 + tuning::prefetched_rows / row_bytes, row_bytes};
  return {streams, streams && row_bytes > limits.longest_prefetched_row ? 1 : rows, tuning::announced};
}

// Whether data lies in one run, and in it rows without gaps: what kernels ask that copy data as they go.
constexpr bool are_rows_of_flat(const copy_plan& data, const rows_plan& plan) noexcept {
  return data.is_flat() && plan.has_flat_rows();
}
// Whether write_rows_once may run: by one run of indices, whose updates 32 bits number. Rows of 16 bytes and more leave
// room for what is listed in the place of the last ones.
constexpr bool may_write_rows_once(const copy_plan& flat, const rows_plan& plan) noexcept {
  constexpr std::int64_t most_updates = (std::numeric_limits<std::int32_t>::max)();
  return are_rows_of_flat(flat, plan) && plan.indices.rank() <= 1 && plan.indices.innermost().extent <= most_updates &&
         plan.row_size >= 16;
}
constexpr bool pays_to_write_rows_once(const rows_plan& plan) noexcept {
  return plan.row_size >= tuning::limits().shortest_row_written_once;
}

// Copies flat data and scatters rows of a cache line or more, so that each row is written once.
inline void write_rows_once(const copy_plan& flat, const rows_plan& plan, const scatter_operands& at,
                            std::int64_t output_bytes, bool streaming) noexcept {
  using p = rows_plan;
  const std::int64_t row_bytes = plan.row_size;
  const std::int64_t rows = plan.axis.owned.count;
  const auto run = plan.indices.innermost();
  const std::int64_t most_on_stack = tuning::limits().used_rows_on_stack;
  STREW_EXPECT(may_write_rows_once(flat, plan) && most_on_stack >= 1 && most_on_stack <= tuning::rows_on_stack);

  char* const lowest = at.output + flat.first[copy_plan::target];
  const char* const data = at.data + flat.first[copy_plan::source];
  const row_writing how = choose_row_writing(lowest, row_bytes, rows, output_bytes, streaming);

  char on_stack[row_sources::bytes_for(tuning::rows_on_stack)];
  for (std::int64_t done = 0; done < rows;) {
    const std::int64_t rest = rows - done;
    // The sources of many rows are kept where the last ones of these rows will be, whose turn comes afterwards.
    const std::int64_t lent = rest <= most_on_stack ? 0 : (row_sources::bytes_for(rest) + row_bytes - 1) / row_bytes;
    STREW_EXPECT(lent < rest);
    if (lent == 0) STREW_RAN("write_rows_once listed on the stack");
    if (lent != 0) STREW_RAN("write_rows_once listed in the output");
    row_sources sources{lent == 0 ? on_stack : lowest + (flat.flat_size() - lent * row_bytes)};
    const axis_range range{plan.axis.owned.begin + done, rest - lent};
    find_sources(plan, at, range, sources);
    written_rows written{nullptr,     nullptr,   nullptr,   run.strides[p::updates], sources,
                         range.count, row_bytes, how.ahead, how.prefetched};
    std::int64_t block = done * row_bytes;
    for (nest_cursor<2> outer(plan.outer, 0, plan.first); !outer.done(); outer.next()) {
      written.to = lowest + block;
      written.data = data + block;
      written.updates = at.updates + outer[p::updates];
      write_rows(written, how.streams);
      block += rows * row_bytes;
    }
    done += range.count;
  }
  if (how.streams) stream_fence();
}

// What a part knows of its call.
struct call_facts {
  std::int64_t output_bytes;
  std::int64_t streamed_from;

  [[nodiscard]] bool streams() const noexcept { return output_bytes > streamed_from; }
};

// Scatters rows that are an element's size by way of buckets, where that pays. Else returns false, and does nothing.
inline bool run_in_buckets(const copy_plan& flat, const rows_plan& plan, const scatter_operands& at) noexcept {
  using p = rows_plan;
  const scatter_leaves* const leaves = leaves_for_rows(at.scatter, plan.unit, plan.row_size);
  const auto run = plan.indices.innermost();
  if (leaves == nullptr || leaves->buckets == nullptr || plan.outer.rank() != 0 || plan.indices.rank() > 1 ||
      run.strides[p::updates] != plan.row_size || run.strides[p::index] != plan.index_unit) {
    return false;
  }
  STREW_EXPECT(are_rows_of_flat(flat, plan));
  return leaves->buckets->in_output({plan.axis.owned.count, 1, run.extent, plan.row_size}, plan.axis,
                                    {at.output + flat.first[copy_plan::target],
                                     at.data + flat.first[copy_plan::source],
                                     {at.indices.data + plan.first_index, at.indices.leaves},
                                     at.updates + plan.first[p::updates]},
                                    *leaves->buckets);
}

// Runs the plan: over a copy of data, or in place where `data` is null. Where data is flat and its rows are contiguous,
// rows of a cache line and more are written once, and short ones are scattered block by block over a copy that is still
// in the cache.
inline void run_rows(const copy_plan* data, const rows_plan& plan, const scatter_operands& at,
                     const call_facts& facts) noexcept {
  if (data != nullptr && !plan.empty() && are_rows_of_flat(*data, plan)) {
    if (run_in_buckets(*data, plan, at)) return;
    const bool streaming = facts.streams();
    const std::int64_t longest =
        streaming ? tuning::limits().longest_row_over_stream : tuning::limits().longest_row_over_copy;
    // Rows of a line have a loop besides the leaves.
    const bool has_loop =
        plan.row_size == tuning::cache_line || leaves_for_rows(at.scatter, plan.unit, plan.row_size) != nullptr;
    if (plan.row_size <= longest && has_loop) {
      STREW_RAN("rows over a copy");
      copy_ahead blocks{at.output + data->first[copy_plan::target], at.data + data->first[copy_plan::source],
                        data->flat_size(), facts.streamed_from};
      scatter_rows(plan, at, &blocks);
      return;
    }
    if (may_write_rows_once(*data, plan) && pays_to_write_rows_once(plan)) {
      write_rows_once(*data, plan, at, facts.output_bytes, streaming);
      return;
    }
  }
  if (data != nullptr) {
    STREW_RAN("rows after a copy");
    run_copy(*data, at.output, at.data, at.copy);
  } else {
    STREW_RAN("rows in place");
  }
  if (!plan.empty()) scatter_rows(plan, at, nullptr);
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_CPU_ROWS_HPP
