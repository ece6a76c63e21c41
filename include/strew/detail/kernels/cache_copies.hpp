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
#include <strew/detail/kernels/launch.hpp>
#include <strew/detail/kernels/part_scatter.hpp>
#include <strew/detail/plan/copy_plan.hpp>
#include <strew/detail/plan/loop_nest.hpp>
#include <strew/detail/plan/partition.hpp>
#include <strew/detail/plan/scratch_memory.hpp>
#include <strew/detail/rules/check_caches.hpp>
#include <strew/detail/rules/check_operands.hpp>
#include <strew/detail/rules/check_scatter.hpp>
#include <strew/detail/rules/request.hpp>
#include <strew/detail/rules/targets.hpp>
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

// Writes the updates to an output that already has data. Indices, if any, are the checked first positions of each
// sample.
inline void update_caches(const execution_context& ctx, const erased::request& call, const copy_loops& copy, int axis) {
  struct context {
    const erased::request& call;
    const copy_loops& copy;
    int axis;
  };
  const context all{call, copy, axis};
  const auto run_part = [](const void* of, const box& part, const scratch_memory&) noexcept {
    STREW_RAN("update_caches");
    const context& what = *static_cast<const context*>(of);
    const erased::request& c = what.call;
    const int k = what.axis;
    const cache_layouts at{*c.updates.layout, *c.output.layout, k};
    const auto length = static_cast<std::uint64_t>(at.output.extent(k));
    const std::int64_t unit = c.type.element_size;
    // The copy of a sample that does not wrap around; those of others differ in their first elements only.
    copy_plan whole;
    std::int64_t sample = -1;
    std::int64_t position = 0;
    std::int64_t line = 0;  // its bytes, if they are contiguous
    const std::int64_t room = at.output.extent(k) - part[k].begin - part[k].count;
    const std::int64_t from_sample = scaled(at.update.stride(0), unit);
    const std::int64_t to_sample = scaled(at.output.stride(0), unit);
    const std::int64_t to_position = scaled(at.output.stride(k), unit);
    for (std::int64_t i = part[0].begin; i < part[0].begin + part[0].count; ++i) {
      const std::int64_t first = c.indices == nullptr ? 0 : index_bits(*c.indices, i * c.indices->layout->stride(0));
      const auto given = static_cast<std::uint64_t>(first);
      const auto start = static_cast<std::int64_t>(given < length ? given : given % length);
      if (sample >= 0 && start <= room) {
        char* const to = c.output.data + (to_sample * (i - sample) + to_position * (start - position));
        const char* const from = c.updates.data + from_sample * (i - sample);
        if (line > 0) {
          std::memcpy(to + whole.first[copy_plan::target], from + whole.first[copy_plan::source],
                      static_cast<std::size_t>(line));
        } else {
          run_copy(whole, to, from, what.copy);
        }
        continue;
      }
      for_each_cache_copy(at, part, i, start, unit, [&](const copy_plan& plan) {
        run_copy(plan, c.output.data, c.updates.data, what.copy);
        if (start > room) return;
        whole = plan;
        sample = i;
        position = start;
        const auto run = plan.nest.innermost();
        const bool is_line =
            plan.nest.rank() == 0 || (plan.nest.rank() == 1 && run.strides[0] == unit && run.strides[1] == unit);
        line = is_line ? run.extent * unit : 0;
      });
    }
  };
  if (call.updates.layout->empty()) return;
  ctx.for_each_part({call.updates.layout->extents(), call.updates.layout->size(), call.type.element_size},
                    {run_part, &all});
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
          check_write_indices(at, *call.cache, axis, index_at, error))) {
      return;
    }
  }
  if (!shared.in_place) copy_data_apart(ctx, call, copy);
  update_caches(ctx, call, copy, axis);
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_KERNELS_CACHE_COPIES_HPP
