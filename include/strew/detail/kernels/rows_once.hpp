// SPDX-License-Identifier: Apache-2.0
// Writes each row once: of several updates for a row only the last.
#ifndef STREW_DETAIL_KERNELS_ROWS_ONCE_HPP
#define STREW_DETAIL_KERNELS_ROWS_ONCE_HPP

#include <strew/config.hpp>
#include <strew/detail/kernel_counter.hpp>
#include <strew/detail/kernels/copy_loops.hpp>
#include <strew/detail/kernels/index_loops.hpp>
#include <strew/detail/kernels/index_reader.hpp>
#include <strew/detail/kernels/scatter_loops.hpp>
#include <strew/detail/kernels/stream.hpp>
#include <strew/detail/plan/copy_plan.hpp>
#include <strew/detail/plan/loop_nest.hpp>
#include <strew/detail/plan/scatter_plan.hpp>
#include <strew/detail/tuning.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// For each row of a range the number of its last update, or none. The memory needs no alignment: it is accessed as
// bytes.
class row_sources {
 public:
  static constexpr std::int32_t none = -1;

  explicit row_sources(char* memory) noexcept : memory_{memory} {}

  // The bytes for `rows` rows. An extra slot takes the updates of rows out of range: a branch on random rows would be
  // mispredicted half the time, and take seven times as long.
  [[nodiscard]] static constexpr std::int64_t bytes_for(std::int64_t rows) noexcept { return (rows + 1) * size; }

  void clear(std::int64_t rows) noexcept {
    static_assert(none == -1);
    std::memset(memory_, 0xff, static_cast<std::size_t>(bytes_for(rows)));
  }

  // Adds updates; `first_number` is the number of the first.
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
  // The sources of the rows from `row` on.
  [[nodiscard]] row_sources from(std::int64_t row) const noexcept { return row_sources(memory_ + row * size); }

 private:
  static constexpr std::int64_t size = sizeof(std::int32_t);
  char* memory_;
};

// Rows to be written in ascending order: row r is copied from update sources[r], or from data.
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

STREW_NOINLINE inline void write_rows(const written_rows& rows, bool streaming) noexcept {
  if (streaming) return stream_rows(rows);
  if (rows.bytes == tuning::cache_line) return write_rows_of<tuning::cache_line>(rows);
  if (rows.bytes == 2 * tuning::cache_line) return write_rows_of<2 * tuning::cache_line>(rows);
  write_rows_of<any_width>(rows);
}

// Finds the last update of each row of a range.
STREW_NOINLINE inline void find_sources(const scatter_plan& plan, const scatter_operands& at, const axis_range& range,
                                        row_sources& sources) noexcept {
  target_axis axis = plan.axis[0];
  axis.has_own = true;  // rows of other parts are out of range
  index_reader reader{at.indices, axis};
  sources.clear(range.count);
  const auto run = plan.positions.innermost();
  for (std::int64_t i = 0; i < run.extent;) {
    const std::int64_t stride = run.strides[scatter_plan::index];
    const target_run read = reader.read_targets(plan.first[scatter_plan::index] + i * stride, stride, run.extent - i);
    sources.add(range, read, i);
    i += read.taken;
  }
}

// The parameters for writing rows of a cache line or more once each.
struct row_writing {
  bool streams;
  std::int64_t ahead;       // the row that is prefetched, counted from the one that is written; `rows` for none
  std::int64_t prefetched;  // how many of its bytes
};
struct row_shape {
  std::int64_t rows;
  std::int64_t row_bytes;
};
inline row_writing choose_row_writing(const char* output, const row_shape& shape, const call_facts& facts) noexcept {
  const auto [rows, row_bytes] = shape;
  // Short rows that begin or end within a line would have to be collected before they are streamed.
  const bool has_whole_lines = row_bytes % tuning::cache_line == 0 && offset_in_line(output) == 0;
  const tuning::thresholds& limits = tuning::limits();
  const bool is_far = row_bytes > limits.shortest_prefetched_row && row_bytes <= limits.longest_prefetched_row &&
                      facts.output_bytes > limits.rows_prefetched_from;
  const bool streams = facts.streams() && (has_whole_lines || row_bytes >= limits.streamed_row);
  if (is_far) return {streams, 1 + tuning::prefetched_rows / row_bytes, row_bytes};
  return {streams, streams && row_bytes > limits.longest_prefetched_row ? 1 : rows, tuning::prefetch_ahead_bytes};
}

// Whether data is contiguous and so are its rows: the precondition of kernels that copy data ahead of the updates.
constexpr bool are_rows_of_flat(const copy_plan& data, const scatter_plan& plan) noexcept {
  return data.is_flat() && plan.row_bytes() == plan.axis[0].stride;
}
// Whether write_rows_once may run: with one run of indices, and updates that 32 bits can number. Rows of at least 16
// bytes leave enough space in the last rows for the list of sources.
constexpr bool may_write_rows_once(const copy_plan& flat, const scatter_plan& plan) noexcept {
  constexpr std::int64_t most_updates = (std::numeric_limits<std::int32_t>::max)();
  return are_rows_of_flat(flat, plan) && plan.positions.rank() <= 1 &&
         plan.positions.innermost().extent <= most_updates && plan.row_bytes() >= 16;
}
// Few updates take less time over a copy, which needs no look at each row.
inline bool pays_to_write_rows_once(const scatter_plan& plan, const call_facts& facts) noexcept {
  const std::int64_t bytes = plan.row_bytes();
  return plan.axis[0].owned.count / tuning::limits().most_rows_an_update <= plan.positions.innermost().extent &&
         bytes >= tuning::limits().shortest_row_written_once &&
         !(facts.streams() && bytes <= tuning::limits().longest_row_over_stream);
}

// Copies contiguous data and scatters rows of a cache line or more, so that each row is written once.
STREW_SMALL inline void write_rows_once(const copy_plan& flat, const scatter_plan& plan, const scatter_operands& at,
                                        const call_facts& facts) noexcept {
  using p = scatter_plan;
  const std::int64_t row_bytes = plan.row_bytes();
  const std::int64_t rows = plan.axis[0].owned.count;
  const auto run = plan.positions.innermost();
  const std::int64_t most_on_stack = tuning::limits().used_rows_on_stack;
  STREW_EXPECT(may_write_rows_once(flat, plan) && most_on_stack >= 1 && most_on_stack <= tuning::rows_on_stack);

  char* const lowest = at.output + flat.first[copy_plan::target];
  const char* const data = at.data + flat.first[copy_plan::source];
  const row_writing how = choose_row_writing(lowest, {rows, row_bytes}, facts);

  char on_stack[row_sources::bytes_for(tuning::rows_on_stack)];
  for (std::int64_t done = 0; done < rows;) {
    const std::int64_t rest = rows - done;
    // The sources of many rows are kept in the last of these rows, which are written afterwards.
    const std::int64_t occupied =
        rest <= most_on_stack ? 0 : (row_sources::bytes_for(rest) + row_bytes - 1) / row_bytes;
    STREW_EXPECT(occupied < rest);
    if (occupied == 0) STREW_RAN("write_rows_once listed on the stack");
    if (occupied != 0) STREW_RAN("write_rows_once listed in the output");
    row_sources sources{occupied == 0 ? on_stack : lowest + (flat.flat_size() - occupied * row_bytes)};
    const axis_range range{plan.axis[0].owned.begin + done, rest - occupied};
    find_sources(plan, at, range, sources);
    written_rows written{nullptr,     nullptr,   nullptr,   run.strides[p::updates], sources,
                         range.count, row_bytes, how.ahead, how.prefetched};
    std::int64_t block = done * row_bytes;
    for (nest_cursor<4> lane(plan.lanes, plan.lanes_in_row(), plan.first); !lane.done(); lane.next()) {
      written.to = lowest + block;
      written.data = data + block;
      written.updates = at.updates + lane[p::updates];
      write_rows(written, how.streams);
      block += rows * row_bytes;
    }
    done += range.count;
  }
  if (how.streams) stream_fence();
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_KERNELS_ROWS_ONCE_HPP
