// SPDX-License-Identifier: Apache-2.0
// TensorScatter: writes one run of positions of each sample, which may wrap around.
#ifndef STREW_DETAIL_KERNELS_CACHE_COPIES_HPP
#define STREW_DETAIL_KERNELS_CACHE_COPIES_HPP

#include <strew/config.hpp>
#include <strew/detail/box.hpp>
#include <strew/detail/kernel_counter.hpp>
#include <strew/detail/kernels/copy.hpp>
#include <strew/detail/kernels/index_loops.hpp>
#include <strew/detail/kernels/index_reader.hpp>
#include <strew/detail/kernels/kernel_table.hpp>
#include <strew/detail/kernels/part_scatter.hpp>
#include <strew/detail/kernels/trace_call.hpp>
#include <strew/detail/kernels/validated_call.hpp>
#include <strew/detail/plan/copy_plan.hpp>
#include <strew/detail/plan/loop_nest.hpp>
#include <strew/detail/plan/partition.hpp>
#include <strew/detail/plan/scratch_memory.hpp>
#include <strew/detail/rules/check_caches.hpp>
#include <strew/detail/rules/check_operands.hpp>
#include <strew/detail/rules/check_scatter.hpp>
#include <strew/detail/rules/request.hpp>
#include <strew/detail/rules/targets.hpp>
#include <strew/detail/tuning.hpp>
#include <strew/status.hpp>
#include <strew/view/layout.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// Axis 0 is that of the samples, `axis` that of the positions.
struct cache_layouts {
  const strided_layout& update;
  const strided_layout& output;
  int axis;
};

// Calls body(plan) for the one or two copies of a sample's update, within a box of the update, to the positions from
// `start` on. `unit` offsets are an element.
template <class Body>
constexpr void for_each_cache_copy(const cache_layouts& at, const box& part, std::int64_t sample, std::int64_t start,
                                   std::int64_t unit, const Body& body) {
  if constexpr (max_rank < 2) return;  // the rank is at least 2
  const std::int64_t length = at.output.extent(at.axis);
  const axis_range positions = part[at.axis];
  std::int64_t done = 0;
  while (done < positions.count) {
    // from and start are less than the length; for large extents their sum may overflow.
    const std::int64_t from = positions.begin + done;
    const std::int64_t to = from < length - start ? start + from : from - (length - start);
    const std::int64_t rest = positions.count - done;
    const std::int64_t count = rest < length - to ? rest : length - to;
    copy_plan plan;
    plan.unit = unit;
    plan.first[copy_plan::target] = scaled(scaled(at.output.stride(0), unit), sample);
    plan.first[copy_plan::source] = scaled(scaled(at.update.stride(0), unit), sample);
    for (int k = 1; k < at.update.rank(); ++k) {
      const per_operand<2> stride{scaled(at.output.stride(k), unit), scaled(at.update.stride(k), unit)};
      const bool is_axis = k == at.axis;
      plan.first[copy_plan::target] += scaled(stride[copy_plan::target], is_axis ? to : part[k].begin);
      plan.first[copy_plan::source] += scaled(stride[copy_plan::source], is_axis ? from : part[k].begin);
      plan.nest.add_inner(is_axis ? count : part[k].count, stride);
    }
    plan.finish();
    body(plan);
    done += count;
  }
}

struct cache_update {
  const erased::request& call;
  const copy_loops& copy;
  int axis;
};
// The samples [first, first + count) of a part.
struct cache_samples {
  const cache_update& all;
  const box& part;
  const copy_plan& whole;  // of a sample whose update begins at position 0
  bool has_lines;          // whether the innermost axis of that plan is contiguous, a line
  std::int64_t line;       // bytes
  std::int64_t lines;      // of a sample
  std::int64_t room;       // the last position at which an update that does not wrap around may begin
  std::int64_t first;
  std::int64_t count;
  const std::int64_t* starts;
  bool all_fit;  // whether none wraps around

  [[nodiscard]] bool has_few_short_lines() const noexcept {
    return lines == 1 || (line <= tuning::cache_line && lines <= tuning::lines_in_turn);
  }
  [[nodiscard]] std::int64_t sample_stride(const strided_layout& of) const noexcept {
    return scaled(of.stride(0), all.call.type.element_size);
  }
  [[nodiscard]] std::int64_t position_stride() const noexcept {
    return scaled(all.call.output.layout->stride(all.axis), all.call.type.element_size);
  }
};

// Samples differ in their first elements only, and each line is written for all of them in turn.
struct cache_lines_in_turn {
  static constexpr const char* name = "lines of all samples in turn";

  static bool may(const cache_samples& some) noexcept { return some.all_fit; }
  static bool pays(const cache_samples& some) noexcept { return some.has_few_short_lines(); }
  static bool run(const cache_samples& some) noexcept {
    STREW_RAN("lines of all samples in turn");
    const erased::request& c = some.all.call;
    const std::int64_t from_sample = some.sample_stride(*c.updates.layout);
    const std::int64_t to_sample = some.sample_stride(*c.output.layout);
    const std::int64_t to_position = some.position_stride();
    const std::int64_t line = some.line;
    const std::int64_t count = some.count;
    const std::int64_t* const starts = some.starts;
    char* const output = c.output.data + some.whole.first[copy_plan::target] + scaled(to_sample, some.first);
    const char* const updates = c.updates.data + some.whole.first[copy_plan::source] + scaled(from_sample, some.first);
    for (nest_cursor<2> at(some.whole.nest, some.has_lines ? 1 : 0, {}); !at.done(); at.next()) {
      char* const first = output + at[copy_plan::target];
      const char* const first_update = updates + at[copy_plan::source];
      // By value: stores of char may alias what is captured by reference.
      with_width(line, [=](auto width) {
        char* to = first;
        const char* from = first_update;
        for (std::int64_t j = 0; j < count; ++j, to += to_sample, from += from_sample) {
          move_element<width()>(to + starts[j] * to_position, from, line);
        }
      });
    }
    return true;
  }
};
struct cache_samples_in_turn : any_other {
  static constexpr const char* name = "one sample after the other";

  static bool run(const cache_samples& some) noexcept {
    STREW_RAN("one sample after the other");
    const erased::request& c = some.all.call;
    const std::int64_t from_sample = some.sample_stride(*c.updates.layout);
    const std::int64_t to_sample = some.sample_stride(*c.output.layout);
    for (std::int64_t j = 0; j < some.count; ++j) {
      const std::int64_t i = some.first + j;
      if (some.starts[j] <= some.room) {
        run_copy(some.whole, c.output.data + scaled(to_sample, i) + scaled(some.position_stride(), some.starts[j]),
                 c.updates.data + scaled(from_sample, i), some.all.copy);
        continue;
      }
      for_each_cache_copy({*c.updates.layout, *c.output.layout, some.all.axis}, some.part, i, some.starts[j],
                          c.type.element_size,
                          [&](const copy_plan& plan) { run_copy(plan, c.output.data, c.updates.data, some.all.copy); });
    }
    return true;
  }
};

using cache_kernels = kernel_table<cache_lines_in_turn, cache_samples_in_turn>;

// Writes the updates of the samples of a part, some at a time.
inline void update_caches_of_part(const void* of, const box& part, const scratch_memory&) noexcept {
  STREW_RAN("update_caches");
  const cache_update& all = *static_cast<const cache_update*>(of);
  const erased::request& c = all.call;
  const cache_layouts at{*c.updates.layout, *c.output.layout, all.axis};
  const std::int64_t length = at.output.extent(all.axis);
  const std::int64_t unit = c.type.element_size;
  copy_plan whole;
  for_each_cache_copy(at, part, 0, 0, unit, [&](const copy_plan& plan) { whole = plan; });
  const auto run = whole.nest.innermost();
  std::int64_t starts[tuning::positions];
  cache_samples some{all, part, whole,  false, unit, 1, length - part[all.axis].begin - part[all.axis].count,
                     0,   0,    starts, true};
  some.has_lines = whole.nest.rank() > 0 && run.strides[0] == unit && run.strides[1] == unit;
  if (some.has_lines) some.line = run.extent * unit;
  for (int d = 0; d < whole.nest.rank() - (some.has_lines ? 1 : 0); ++d) some.lines *= whole.nest[d].extent;
  // The cache lines of some samples stay in the first-level cache for all lines.
  const std::int64_t used = tuning::limits().used_positions;
  const bool are_few = some.has_few_short_lines() && some.lines > 1 && used > tuning::samples_in_turn;
  const std::int64_t most = are_few ? tuning::samples_in_turn : used;
  const std::int64_t end = part[0].begin + part[0].count;
  for (some.first = part[0].begin; some.first < end; some.first += some.count) {
    some.count = end - some.first < most ? end - some.first : most;
    some.all_fit = some.room >= 0;
    if (c.indices == nullptr) {
      std::memset(starts, 0, static_cast<std::size_t>(some.count) * sizeof(std::int64_t));
    } else {
      const index_loops& loops = *c.indices->loops;
      const std::int64_t stride = scaled(c.indices->layout->stride(0), loops.size);
      const char* const indices = c.indices->data + scaled(stride, some.first);
      read_bits(loops, indices, stride, some.count, starts);
      if (loops.check_run(indices, stride, some.count, some.room + 1) != nothing_found) {
        for (std::int64_t j = 0; j < some.count; ++j) {
          const auto given = static_cast<std::uint64_t>(starts[j]);
          const auto size = static_cast<std::uint64_t>(length);
          if (given >= size) starts[j] = static_cast<std::int64_t>(given % size);
          some.all_fit = some.all_fit && starts[j] <= some.room;
        }
      }
    }
    cache_kernels::run(some);
  }
}

// Writes the updates to an output that already has data. Indices, if any, are the checked first positions of each
// sample.
inline void update_caches(const execution_context& ctx, const cache_update& all) {
  const strided_layout& updates = *all.call.updates.layout;
  if (updates.empty()) return;
  ctx.for_each_part({updates.extents(), updates.size(), all.call.type.element_size}, {update_caches_of_part, &all});
}

// Whether all indices are the first positions of updates, as a loop over their type finds: others may be too.
inline bool are_starts(const erased::index_operand& starts, const cache_spec& how, std::int64_t length,
                       std::int64_t count) noexcept {
  const index_loops& loops = *starts.loops;
  const std::int64_t extent = how.is_circular ? int64_max : length - count + 1;
  return loops.check_run(starts.data, scaled(starts.layout->stride(0), loops.size), starts.layout->extent(0), extent) ==
         nothing_found;
}

// Checks a call of TensorScatter.
STREW_NOINLINE inline bool check_cache_request(const erased::request& call, int& axis, bool& in_place,
                                               status& error) noexcept {
  const slice_layouts at{*call.data.layout, *call.updates.layout, *call.output.layout};
  const shared_memory shared = find_shared(call);
  in_place = shared.in_place;
  if (!check_caches(at, shared, *call.cache, axis, error) || call.indices == nullptr) return error.ok();
  const erased::index_operand& starts = *call.indices;
  const auto index_at = [&](std::int64_t i) {
    return raw_index{index_bits(starts, i * starts.layout->stride(0)), starts.loops->is_unsigned};
  };
  return check_write_indices_extents(at.data, starts.layout->extents(),
                                     overlaps_output(call, starts.data, *starts.layout, starts.loops->size), error) &&
         (are_starts(starts, *call.cache, at.data.extent(axis), at.updates.extent(axis)) ||
          check_write_indices(at, *call.cache, axis, index_at, error));
}

// Checks and runs such a call.
inline void run_caches(const execution_context& ctx, const erased::request& call, const copy_loops& copy,
                       status& error) {
  STREW_TRACED(ctx, call, nullptr, error, run_caches(ctx, call, copy, error));
  int axis = 0;
  bool in_place = false;
  if (!check_cache_request(call, axis, in_place, error)) return;
  if (!in_place) copy_data_apart(ctx, call, copy);
  update_caches(ctx, {call, copy, axis});
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_KERNELS_CACHE_COPIES_HPP
