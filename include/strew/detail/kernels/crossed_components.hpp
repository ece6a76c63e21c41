// SPDX-License-Identifier: Apache-2.0
// The kernel of scatters of single elements by multi-indices whose components cross: each changes along one of two axes
// of positions and is expanded along the other, as where NumPy's ix_ made them. Each component is read once for an
// axis, not once for all positions.
#ifndef STREW_DETAIL_KERNELS_CROSSED_COMPONENTS_HPP
#define STREW_DETAIL_KERNELS_CROSSED_COMPONENTS_HPP

#include <strew/config.hpp>
#include <strew/detail/kernel_counter.hpp>
#include <strew/detail/kernels/index_loops.hpp>
#include <strew/detail/kernels/index_reader.hpp>
#include <strew/detail/kernels/loop_table.hpp>
#include <strew/detail/kernels/scatter_part.hpp>
#include <strew/detail/kernels/stream.hpp>
#include <strew/detail/plan/loop_nest.hpp>
#include <strew/detail/plan/scatter_plan.hpp>
#include <strew/detail/rules/policy.hpp>
#include <strew/detail/tuning.hpp>
#include <strew/view/layout.hpp>

#include <cstdint>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// Position (i, k) has the offset lines[i] + line[k]: the updates of a line i follow each other, then those of the next.
struct crossed_components {
  static constexpr const char* name = "crossed components";

  static bool may(const scatter_part& part) noexcept {
    const erased::request& call = part.c.call;
    const strided_layout& positions = *call.indices[0].layout;
    if (call.type.components < 2 || positions.rank() != 2 || !part.part.is_whole() ||
        call.type.components != call.output.layout->rank() || !leaves_legal_indices(call.type.policy) ||
        positions.extent(1) > tuning::limits().used_positions) {
      return false;
    }
    int of_lines = 0;
    for (int j = 0; j < call.type.components; ++j) {
      const strided_layout& of = *call.indices[j].layout;
      if (of.stride(0) != 0 && of.stride(1) != 0) return false;
      of_lines += of.stride(1) == 0 ? 1 : 0;
    }
    return of_lines > 0 && of_lines < call.type.components;
  }
  static bool pays(const scatter_part& part) noexcept {
    const strided_layout& positions = *part.c.call.indices[0].layout;
    return positions.rank() == 2 && positions.extent(1) >= tuning::fewest_crossed;
  }
  STREW_SMALL static bool run(const scatter_part& part) noexcept {
    STREW_RAN("crossed components");
    const erased::request& call = part.c.call;
    scatter_plan plan;
    part.make_plan(part.part, state_layout::none, plan);
    part.copy_data();
    if (plan.empty()) return true;
    const strided_layout& positions = *call.indices[0].layout;
    const strided_layout& updates = *call.updates.layout;
    const std::int64_t count = positions.extent(1);
    std::int64_t line[tuning::positions];
    std::int64_t lines[lines_at_once];
    read(call, plan, 1, 0, count, line);
    update_run next{nullptr,
                    0,
                    nullptr,
                    scaled(updates.stride(1), plan.unit),
                    nullptr,
                    0,
                    line,
                    nullptr,
                    nullptr,
                    count,
                    prefetched_elements(static_cast<std::uint64_t>(part.c.facts.output_bytes)),
                    nullptr};
    for (std::int64_t first = 0; first < positions.extent(0); first += lines_at_once) {
      const std::int64_t rest = positions.extent(0) - first;
      const std::int64_t some = rest < lines_at_once ? rest : lines_at_once;
      read(call, plan, 0, first, some, lines);
      for (std::int64_t i = 0; i < some; ++i) {
        next.to = call.output.data + lines[i];
        next.from = call.updates.data + scaled(scaled(updates.stride(0), plan.unit), first + i);
        part.loops().elements(call.type.reduce, next, {1, 0, 0, 0, plan.unit});
      }
    }
    return true;
  }

 private:
  static constexpr std::int64_t lines_at_once = 256;

  // The offsets of `count` coordinates of an axis of the positions: the terms of the components that change along it.
  STREW_NOINLINE static void read(const erased::request& call, const scatter_plan& plan, int axis, std::int64_t first,
                                  std::int64_t count, std::int64_t* offset) noexcept {
    std::int64_t value[tuning::positions];
    for (std::int64_t i = 0; i < count; ++i) offset[i] = 0;
    for (int j = 0; j < call.type.components; ++j) {
      const erased::index_operand& from = call.indices[j];
      if ((from.layout->stride(1) == 0) != (axis == 0)) continue;
      const std::int64_t stride = scaled(from.layout->stride(axis), from.loops->size);
      read_bits(*from.loops, from.data + first * stride, stride, count, value);
      const target_axis& of = plan.axis[j];
      if (of.wraps && !from.loops->is_unsigned) wrap_targets(value, count, of.extent);
      for (std::int64_t i = 0; i < count; ++i) offset[i] += scaled(value[i], of.stride);
    }
  }
};

}  // namespace strew::detail

#endif  // STREW_DETAIL_KERNELS_CROSSED_COMPONENTS_HPP
