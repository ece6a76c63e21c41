// SPDX-License-Identifier: Apache-2.0
// The kernels of the scatter of elements, on bytes.
#ifndef STREW_DETAIL_KERNELS_ELEMENTS_HPP
#define STREW_DETAIL_KERNELS_ELEMENTS_HPP

#include <strew/config.hpp>
#include <strew/detail/kernel_counter.hpp>
#include <strew/detail/kernels/bucket_loops.hpp>
#include <strew/detail/kernels/copy.hpp>
#include <strew/detail/kernels/index_reader.hpp>
#include <strew/detail/kernels/kernel_table.hpp>
#include <strew/detail/kernels/rows.hpp>
#include <strew/detail/kernels/scatter_loops.hpp>
#include <strew/detail/kernels/stream.hpp>
#include <strew/detail/kernels/tiles.hpp>
#include <strew/detail/plan/copy_plan.hpp>
#include <strew/detail/plan/elements_plan.hpp>
#include <strew/detail/plan/loop_nest.hpp>
#include <strew/detail/plan/scratch_memory.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// Whether contiguous indices of `size` bytes are all equal. Comparing the first and the last one rejects most inputs.
inline bool are_equal(const char* indices, std::int64_t count, std::int64_t size) noexcept {
  const auto bytes = static_cast<std::size_t>(size);
  return std::memcmp(indices, indices + (count - 1) * size, bytes) == 0 &&
         std::memcmp(indices, indices + count / 2 * size, bytes) == 0 &&
         std::memcmp(indices, indices + size, static_cast<std::size_t>((count - 1) * size)) == 0;
}

// Scatters one run of updates. run.to_stride is 0 for a run along the axis, otherwise the distance of its lanes in the
// output. Returns false if the reader checks indices and one is illegal.
inline bool scatter_run_of_elements(const elements_plan& plan, const scattered_run& run, const scatter_operands& at,
                                    index_reader& reader, const index_run& indices, std::int64_t first_index) noexcept {
  const index_loops& loops = at.indices.loops;
  const auto copy_to_one = [&](std::int64_t index, const scattered_run& equal, std::int64_t count) {
    const std::int64_t target = index < 0 ? index + plan.axis.extent : index;
    if (!plan.axis.owned.contains(target)) return;
    STREW_RAN("elements that share an index");
    at.copy.copy_run(equal.to + target * equal.axis_stride, equal.to_stride, equal.from, equal.from_stride, count,
                     plan.unit);
  };
  if (indices.stride == 0 && run.to_stride != 0) {
    if (!reader.are_legal(first_index, 0, 1)) return false;
    copy_to_one(at.indices[first_index], run, indices.count);
    return true;
  }
  scattered_run some = run;
  for (std::int64_t i = 0; i < indices.count;) {
    const target_run read = reader.read(first_index + i * indices.stride, indices.stride, indices.count - i);
    if (read.taken == 0) return false;
    const char* const first = static_cast<const char*>(read.indices);
    if (read.number != nullptr) {
      at.scatter.some(some, read.targets(), read.number, read.count);
    } else if (run.to_stride != 0 && are_equal(first, read.count, loops.loop_size)) {
      copy_to_one(loops.loop_size == 8 ? load<std::int64_t>(first) : load<std::int32_t>(first), some, read.count);
    } else {
      (plan.axis.wraps ? at.scatter.wrapping : at.scatter.scatter)(some, read.indices, read.count);
    }
    i += read.taken;
    some.to += read.taken * some.to_stride;
    some.from += read.taken * some.from_stride;
  }
  return true;
}

// Scatters all elements. If `blocks` is not null it copies data ahead, up to the end of what one position of `outer`
// may write. Returns false if indices are checked and one is illegal.
inline bool scatter_elements(const elements_plan& plan, const scatter_operands& at, lagged_copy* blocks) noexcept {
  using p = elements_plan;
  index_reader reader{at.indices, plan.axis, at.checks};
  const auto inner = plan.inner.innermost();
  const bool is_along_axis = plan.inner.rank() == 0;
  scattered_run run{nullptr,   inner.strides[p::output], plan.axis.stride, nullptr, inner.strides[p::updates],
                    plan.unit, plan.axis.extent};
  index_run indices{at.indices, inner.strides[p::index], inner.extent};
  if (is_along_axis) {  // one run; otherwise one for each update along the axis
    run.from_stride = plan.update_stride;
    indices.stride = plan.index_stride;
    indices.count = plan.count;
  }
  const std::int64_t rows = is_along_axis ? 1 : plan.count;
  // Computed once, since lanes may be short.
  const bool is_direct = is_along_axis && reader.is_direct(indices.stride);
  const auto leaf = plan.axis.wraps ? at.scatter.wrapping : at.scatter.scatter;
  for (nest_cursor<4> outer(plan.outer, 0, plan.first); !outer.done(); outer.next()) {
    if (blocks != nullptr) blocks->advance_to(outer[p::output] - plan.first[p::output] + plan.block_size);
    per_operand<4> first = outer.position();
    for (std::int64_t i = 0; i < rows; ++i) {
      for (nest_cursor<4> c(plan.inner, 1, first); !c.done(); c.next()) {
        run.to = at.output + c[p::output];
        run.from = at.updates + c[p::updates];
        if (is_direct) {
          STREW_EXPECT(leaf != nullptr);
          leaf(run, at.indices.data + c[p::index], indices.count);
        } else if (!scatter_run_of_elements(plan, run, at, reader, indices, c[p::index])) {
          return false;
        }
      }
      first[p::updates] += plan.update_stride;
      first[p::index] += plan.index_stride;
    }
  }
  return true;
}

// Whether all lanes inside the axis seem to have one index (a broadcast index tensor), so that runs are copies. Tests
// three indices of the first and of the last run; the plan is not empty.
inline bool seems_broadcast(const elements_plan& plan, const index_source& indices) noexcept {
  const auto run = plan.inner.innermost();
  const std::int64_t stride = run.strides[elements_plan::index];
  for (const std::int64_t i : {std::int64_t{0}, plan.count - 1}) {
    const std::int64_t first = plan.first[elements_plan::index] + i * plan.index_stride;
    const std::int64_t index = indices[first];
    if (index != indices[first + (run.extent - 1) * stride] || index != indices[first + run.extent / 2 * stride]) {
      return false;
    }
  }
  return true;
}

// A part of a scatter of elements: its plan, the copy of data before it (null in place), and its share of the
// workspace.
struct elements_part {
  const elements_plan& plan;
  const copy_plan* data;
  const scatter_operands& at;
  const launch_info& facts;
  const scratch_memory& memory;
  bool is_over_copy = data != nullptr && !plan.empty();
};

// Buckets in the part of the output that is not yet written. For dense operands with updates for all lanes.
struct elements_by_output_buckets {
  static constexpr const char* name = "elements by buckets in the output";

  static bool may(const elements_part& part) noexcept {
    using p = elements_plan;
    if (!part.is_over_copy) return false;
    const elements_plan& plan = part.plan;
    const auto run = plan.inner.innermost();
    const std::int64_t row = run.extent * plan.unit;
    return part.at.scatter.buckets != nullptr && part.data->is_row_major && plan.axis.is_whole() &&
           plan.outer.rank() == 0 && plan.inner.rank() <= 1 && plan.covers_lanes && plan.axis.stride == row &&
           plan.update_stride == row && plan.index_stride == run.extent * plan.index_unit &&
           (plan.inner.rank() == 0 ||
            (run.strides[p::updates] == plan.unit && run.strides[p::index] == plan.index_unit));
  }
  static bool pays(const elements_part& part) noexcept {
    const bool is_run = part.plan.inner.rank() == 0;
    return part.facts.output_bytes >=
           (is_run ? run_bucketed_from(part.plan.unit, part.at.indices.loops, part.plan.axis.wraps)
                   : tuning::limits().output_bucketed_from);
  }
  static bool run(const elements_part& part) noexcept {
    using p = elements_plan;
    const elements_plan& plan = part.plan;
    const scatter_operands& at = part.at;
    const std::int64_t lanes = plan.inner.innermost().extent;
    const bucket_loops& buckets = *at.scatter.buckets;
    return buckets.in_output({plan.axis.owned.count, lanes, plan.count * lanes, plan.unit}, plan.axis,
                             {at.output + part.data->first[copy_plan::target],
                              at.data + part.data->first[copy_plan::source],
                              {at.indices.data + plan.first[p::index], at.indices.loops},
                              at.updates + plan.first[p::updates]},
                             buckets);
  }
};

// In tiles of some columns, if the axis is not the innermost one.
struct elements_in_tiles {
  static constexpr const char* name = "elements in tiles";

  static bool may(const elements_part& part) noexcept {
    return part.is_over_copy && part.at.scatter.tile != nullptr && may_tile(part.plan);
  }
  static bool pays(const elements_part& part) noexcept { return pays_to_tile(part.plan); }
  static bool run(const elements_part& part) noexcept {
    return !seems_broadcast(part.plan, part.at.indices) && run_in_tiles(part.plan, part.at, part.memory);
  }
};

// Block by block in ascending order over a copy of data that is still in the cache. A block is what one position of the
// axes before the scattered one may write.
struct elements_over_copy {
  static constexpr const char* name = "elements over a copy";

  static bool may(const elements_part& part) noexcept { return part.is_over_copy && part.data->is_row_major; }
  static bool pays(const elements_part&) noexcept { return true; }
  static bool run(const elements_part& part) noexcept {
    STREW_RAN("elements over a copy");
    const copy_plan& data = *part.data;
    lagged_copy blocks{part.at.output + data.first[copy_plan::target], part.at.data + data.first[copy_plan::source],
                       data.flat_size(), part.facts.streamed_from};
    static_cast<void>(scatter_elements(part.plan, part.at, &blocks));
    blocks.finish();
    return true;
  }
};

// For any elements: copies data, then the updates.
struct elements_after_copy : any_other {
  static constexpr const char* name = "elements after a copy, or in place";

  static bool run(const elements_part& part) noexcept {
    if (part.data != nullptr) STREW_RAN("elements after a copy");
    if (part.data == nullptr) STREW_RAN("elements in place");
    if (part.data != nullptr) run_copy(*part.data, part.at.output, part.at.data, part.at.copy);
    if (!part.plan.empty()) static_cast<void>(scatter_elements(part.plan, part.at, nullptr));
    return true;
  }
};

}  // namespace strew::detail

#endif  // STREW_DETAIL_KERNELS_ELEMENTS_HPP
