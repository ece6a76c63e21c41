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
#include <strew/detail/kernels/part_scatter.hpp>
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
// Writes the updates of the samples of a part, some at a time: those that do not wrap around differ in their first
// elements only.
inline void update_caches_of_part(const void* of, const box& part, const scratch_memory&) noexcept {
  STREW_RAN("update_caches");
  const cache_update& all = *static_cast<const cache_update*>(of);
  const erased::request& c = all.call;
  const int k = all.axis;
  const cache_layouts at{*c.updates.layout, *c.output.layout, k};
  const std::int64_t length = at.output.extent(k);
  const std::int64_t unit = c.type.element_size;
  const std::int64_t room = length - part[k].begin - part[k].count;
  const std::int64_t from_sample = scaled(at.update.stride(0), unit);
  const std::int64_t to_sample = scaled(at.output.stride(0), unit);
  const std::int64_t to_position = scaled(at.output.stride(k), unit);
  copy_plan whole;  // of a sample whose update begins at position 0
  for_each_cache_copy(at, part, 0, 0, unit, [&](const copy_plan& plan) { whole = plan; });
  const auto run = whole.nest.innermost();
  // Lines of a sample, each in one piece: one, or few short ones, are written for all samples in turn.
  const bool has_lines = whole.nest.rank() > 0 && run.strides[0] == unit && run.strides[1] == unit;
  const std::int64_t line = has_lines ? run.extent * unit : unit;  // bytes
  std::int64_t lines = 1;
  for (int d = 0; d < whole.nest.rank() - (has_lines ? 1 : 0); ++d) lines *= whole.nest[d].extent;
  char* const output = c.output.data + whole.first[copy_plan::target];
  const char* const updates = c.updates.data + whole.first[copy_plan::source];
  std::int64_t starts[tuning::positions];
  const std::int64_t end = part[0].begin + part[0].count;
  const bool in_turn = lines == 1 || (line <= tuning::cache_line && lines <= tuning::lines_in_turn);
  // The cache lines of some samples stay in the first-level cache for all lines.
  const std::int64_t used = tuning::limits().used_positions;
  const std::int64_t most = in_turn && lines > 1 && used > tuning::samples_in_turn ? tuning::samples_in_turn : used;
  for (std::int64_t i = part[0].begin, count = 0; i < end; i += count) {
    count = end - i < most ? end - i : most;
    bool all_fit = room >= 0;
    if (c.indices == nullptr) {
      std::memset(starts, 0, static_cast<std::size_t>(count) * sizeof(std::int64_t));
    } else {
      const index_loops& loops = *c.indices->loops;
      const std::int64_t stride = scaled(c.indices->layout->stride(0), loops.size);
      const char* const indices = c.indices->data + scaled(stride, i);
      read_bits(loops, indices, stride, count, starts);
      if (loops.check_run(indices, stride, count, room + 1) != nothing_found) {
        for (std::int64_t j = 0; j < count; ++j) {
          const auto given = static_cast<std::uint64_t>(starts[j]);
          const auto size = static_cast<std::uint64_t>(length);
          if (given >= size) starts[j] = static_cast<std::int64_t>(given % size);
          all_fit = all_fit && starts[j] <= room;
        }
      }
    }
    if (all_fit && in_turn) {
      STREW_RAN("lines of all samples in turn");
      for (nest_cursor<2> line_at(whole.nest, has_lines ? 1 : 0, {}); !line_at.done(); line_at.next()) {
        char* const first = output + scaled(to_sample, i) + line_at[copy_plan::target];
        const char* const first_update = updates + scaled(from_sample, i) + line_at[copy_plan::source];
        // By value: stores of char may alias what is captured by reference.
        with_width(line, [=, &starts](auto width) {
          char* to = first;
          const char* from = first_update;
          for (std::int64_t j = 0; j < count; ++j, to += to_sample, from += from_sample) {
            move_element<width()>(to + starts[j] * to_position, from, line);
          }
        });
      }
      continue;
    }
    for (std::int64_t j = 0; j < count; ++j) {
      if (starts[j] <= room) {
        run_copy(whole, c.output.data + scaled(to_sample, i + j) + scaled(to_position, starts[j]),
                 c.updates.data + scaled(from_sample, i + j), all.copy);
        continue;
      }
      for_each_cache_copy(at, part, i + j, starts[j], unit,
                          [&](const copy_plan& plan) { run_copy(plan, c.output.data, c.updates.data, all.copy); });
    }
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

// Checks and runs a call of TensorScatter.
inline void run_caches(const execution_context& ctx, const erased::request& call, const copy_loops& copy,
                       status& error) {
  const slice_layouts at{*call.data.layout, *call.updates.layout, *call.output.layout};
  const shared_memory shared = find_shared(call);
  int axis = 0;
  if (!check_caches(at, shared, *call.cache, axis, error)) return;
  if (call.indices != nullptr) {
    const erased::index_operand& starts = *call.indices;
    const auto index_at = [&](std::int64_t i) {
      return raw_index{index_bits(starts, i * starts.layout->stride(0)), starts.loops->is_unsigned};
    };
    if (!(check_write_indices_extents(at.data, starts.layout->extents(),
                                      overlaps_output(call, starts.data, *starts.layout, starts.loops->size), error) &&
          (are_starts(starts, *call.cache, at.data.extent(axis), at.updates.extent(axis)) ||
           check_write_indices(at, *call.cache, axis, index_at, error)))) {
      return;
    }
  }
  if (!shared.in_place) copy_data_apart(ctx, call, copy);
  update_caches(ctx, {call, copy, axis});
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_KERNELS_CACHE_COPIES_HPP
