// SPDX-License-Identifier: Apache-2.0
// The kernels of the scatter of rows, on bytes.
#ifndef STREW_DETAIL_KERNELS_ROWS_HPP
#define STREW_DETAIL_KERNELS_ROWS_HPP

#include <strew/config.hpp>
#include <strew/detail/kernel_counter.hpp>
#include <strew/detail/kernels/bucket_loops.hpp>
#include <strew/detail/kernels/copy.hpp>
#include <strew/detail/kernels/copy_loops.hpp>
#include <strew/detail/kernels/index_loops.hpp>
#include <strew/detail/kernels/index_reader.hpp>
#include <strew/detail/kernels/kernel_table.hpp>
#include <strew/detail/kernels/rows_once.hpp>
#include <strew/detail/kernels/scatter_loops.hpp>
#include <strew/detail/kernels/stream.hpp>
#include <strew/detail/plan/copy_plan.hpp>
#include <strew/detail/plan/loop_nest.hpp>
#include <strew/detail/plan/rows_plan.hpp>
#include <strew/detail/tuning.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// Scatters rows of `Bytes` each, or of rows.width for any_width. Members are copied to locals, since the compiler must
// assume that stores of char change them.
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

// Whether rows are contiguous in the output and in the updates.
constexpr bool may_scatter_flat_rows(const scattered_run& rows) noexcept {
  return rows.axis_stride == rows.width && rows.from_stride == rows.width;
}

// The same for contiguous rows, with indices that are read in place.
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
// Returns false, with nothing done, for rows of other sizes.
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

// Scatters rows for whose width there are no loops.
inline void scatter_long_rows(const scattered_run& rows, const target_run& run) noexcept {
  if (rows.width == tuning::cache_line) {
    STREW_RAN("scatter_rows_of", tuning::cache_line);
    scatter_rows_of<tuning::cache_line>(rows, run);
  } else {
    STREW_RAN("scatter_rows_of any");
    scatter_rows_of<any_width>(rows, run);
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

// What runs of rows share. The loops are null if rows are not handled as elements.
struct rows_of_run {
  const rows_plan& plan;
  const scatter_operands& at;
  const scatter_loops* loops;
  index_reader& reader;
};
// Scatters one run of rows; its first index is `first_index` bytes from the first of all. Returns false if the reader
// checks indices and one is illegal.
inline bool scatter_run_of_rows(const rows_of_run& all, const scattered_run& rows, const index_run& run,
                                std::int64_t first_index) noexcept {
  const auto& [plan, at, loops, reader] = all;
  if (loops == nullptr && may_scatter_flat_rows(rows) && reader.is_direct(run.stride)) {
    STREW_EXPECT(at.indices.loops.loop_size == 8 || at.indices.loops.loop_size == 4);
    const char* const first = at.indices.data + first_index;
    const bool is_done = at.indices.loops.loop_size == 8 ? scatter_flat_rows<std::int64_t>(rows, first, run.count)
                                                         : scatter_flat_rows<std::int32_t>(rows, first, run.count);
    if (is_done) return true;
  }
  scattered_run some = rows;
  for (std::int64_t i = 0; i < run.count;) {
    const std::int64_t first = first_index + i * run.stride;
    const target_run read = loops != nullptr ? reader.read(first, run.stride, run.count - i)
                                             : reader.read_targets(first, run.stride, run.count - i);
    if (read.taken == 0) return false;
    if (loops != nullptr && read.number == nullptr) {
      loops->scatter(some, read.indices, read.count);
    } else if (loops != nullptr) {
      loops->some(some, read.targets(), read.number, read.count);
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
  return true;
}

// Scatters all rows. If `blocks` is not null it copies data ahead, up to the end of what one position of `outer` may
// write. Returns false if indices are checked and one is illegal.
inline bool scatter_rows(const rows_plan& plan, const scatter_operands& at, lagged_copy* blocks) noexcept {
  using p = rows_plan;
  const auto innermost = plan.indices.innermost();
  const std::int64_t stride = innermost.strides[p::index];
  const std::int64_t block = plan.axis.owned.count * plan.axis.stride;
  const scatter_loops* const loops = plan.row_size > 0 ? loops_for_rows(at.scatter, plan.unit, plan.row_size) : nullptr;
  index_reader reader{at.indices, plan.axis, at.checks};
  scattered_run rows{nullptr,         0, plan.axis.stride, nullptr, innermost.strides[p::updates], plan.row_size,
                     plan.axis.extent};
  // Computed once, since runs may be short.
  const auto direct = loops != nullptr && reader.is_direct(stride) ? loops->scatter : nullptr;
  std::int64_t end = 0;
  for (nest_cursor<2> outer(plan.outer, 0, plan.first); !outer.done(); outer.next()) {
    if (blocks != nullptr) blocks->advance_to(end += block);
    rows.to = at.output + outer[p::output];
    for (nest_cursor<2> c(plan.indices, 1, {plan.first_index, outer[p::updates]}); !c.done(); c.next()) {
      rows.from = at.updates + c[p::updates];
      if (direct != nullptr) {
        direct(rows, at.indices.data + c[p::index], innermost.extent);
      } else if (!scatter_run_of_rows({plan, at, loops, reader}, rows, {at.indices, stride, innermost.extent},
                                      c[p::index])) {
        return false;
      }
    }
  }
  return true;
}

// A part of a scatter of rows: its plan, and the copy of data before it (null in place).
struct rows_part {
  const rows_plan& plan;
  const copy_plan* data;
  const scatter_operands& at;
  const launch_info& facts;
  bool is_over_flat = data != nullptr && !plan.empty() && are_rows_of_flat(*data, plan);
  const scatter_loops* loops = loops_for_rows(at.scatter, plan.unit, plan.row_size);  // for rows as elements, or null
};

// Rows with the size of an element: buckets in the part of the output that is not yet written.
struct rows_by_output_buckets {
  static constexpr const char* name = "rows by buckets in the output";

  static bool may(const rows_part& part) noexcept {
    if (!part.is_over_flat) return false;
    const auto run = part.plan.indices.innermost();
    return part.loops != nullptr && part.loops->buckets != nullptr && part.plan.axis.is_whole() &&
           part.plan.outer.rank() == 0 && part.plan.indices.rank() <= 1 &&
           run.strides[rows_plan::updates] == part.plan.row_size &&
           run.strides[rows_plan::index] == part.plan.index_unit;
  }
  static bool pays(const rows_part& part) noexcept {
    return part.facts.output_bytes >=
           run_bucketed_from(part.plan.row_size, part.at.indices.loops, part.plan.axis.wraps);
  }
  static bool run(const rows_part& part) noexcept {
    using p = rows_plan;
    const rows_plan& plan = part.plan;
    const scatter_operands& at = part.at;
    const bucket_loops& buckets = *part.loops->buckets;
    return buckets.in_output({plan.axis.owned.count, 1, plan.indices.innermost().extent, plan.row_size}, plan.axis,
                             {at.output + part.data->first[copy_plan::target],
                              at.data + part.data->first[copy_plan::source],
                              {at.indices.data + plan.first_index, at.indices.loops},
                              at.updates + plan.first[p::updates]},
                             buckets);
  }
};

// Short rows: block by block over a copy of data that is still in the cache.
struct rows_over_copy {
  static constexpr const char* name = "rows over a copy";

  static bool may(const rows_part& part) noexcept { return part.is_over_flat && part.plan.row_size > 0; }
  static bool pays(const rows_part& part) noexcept {
    const tuning::thresholds& limits = tuning::limits();
    return part.plan.row_size <=
               (part.facts.streams() ? limits.longest_row_over_stream : limits.longest_row_over_copy) &&
           (part.plan.row_size == tuning::cache_line || part.loops != nullptr);  // there are loops for these
  }
  static bool run(const rows_part& part) noexcept {
    STREW_RAN("rows over a copy");
    const copy_plan& data = *part.data;
    lagged_copy blocks{part.at.output + data.first[copy_plan::target], part.at.data + data.first[copy_plan::source],
                       data.flat_size(), part.facts.copies_streamed_from};
    static_cast<void>(scatter_rows(part.plan, part.at, &blocks));
    return true;
  }
};

// Rows of a cache line or more: each is written once, from its last update or from data.
struct rows_written_once {
  static constexpr const char* name = "rows written once";

  static bool may(const rows_part& part) noexcept {
    return part.is_over_flat && may_write_rows_once(*part.data, part.plan);
  }
  static bool pays(const rows_part& part) noexcept { return pays_to_write_rows_once(part.plan); }
  static bool run(const rows_part& part) noexcept {
    write_rows_once(*part.data, part.plan, part.at, part.facts);
    return true;
  }
};

// For any rows: copies data, then the updates.
struct rows_after_copy : any_other {
  static constexpr const char* name = "rows after a copy, or in place";

  static bool run(const rows_part& part) noexcept {
    if (part.data != nullptr) STREW_RAN("rows after a copy");
    if (part.data == nullptr) STREW_RAN("rows in place");
    if (part.data != nullptr) run_copy(*part.data, part.at.output, part.at.data, part.at.copy);
    if (!part.plan.empty()) static_cast<void>(scatter_rows(part.plan, part.at, nullptr));
    return true;
  }
};

}  // namespace strew::detail

#endif  // STREW_DETAIL_KERNELS_ROWS_HPP
